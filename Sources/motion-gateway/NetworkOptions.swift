import ArgumentParser
import MotionGateway

/// The options for clients on other machines.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Listen over tcp with CURVE: control at this port, values at the next.", valueName: "tcp://host:port"))
  var listen: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The gateway's own pair of keys (motionctl key new).", valueName: "file"))
  var key: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A public key of clients that may connect, or a file of such keys, which HUP reads again; may be given several times.",
      valueName: "key"))
  var admit: [String] = []

  func validate() throws {
    guard listen != nil else {
      guard key == nil, admit.isEmpty else {
        throw ValidationError("--key and --admit are for clients on other machines: give --listen too")
      }
      return
    }
    guard key != nil, !admit.isEmpty else {
      throw ValidationError("--listen needs --key and at least one --admit: over tcp both sides need a key")
    }
  }

  /// The listener; `nil` without `--listen`.
  var door: NetworkDoor? {
    get throws {
      guard let listen, let key else { return nil }
      return try NetworkDoor(listen: listen, key: key, admitted: admit)
    }
  }
}

import MotionModel
import ZeroMQ

extension RemoteConnection {
  /// The text that `--help` prints.
  static func help(_ program: String) -> String {
    """
    USAGE: \(program) --connect tcp://HOST:PORT --key FILE --server-key KEY [--instance N] [--plugin NAME]

    A plugin of motiond. motiond starts it by itself where its folder is on the plugin path; with --connect it
    works for a motiond of another machine, until it is ended by TERM or INT.

      --connect tcp://HOST:PORT  where motiond listens (motiond --listen-workers); or MOTION_CONNECT
      --key FILE                 this worker's pair of keys (motionctl key new); or MOTION_KEY
      --server-key KEY           motiond's public key, or the file that holds it; or MOTION_SERVER_KEY
      --instance N               which of the plugin's workers, from 0; or MOTION_INSTANCE
      --plugin NAME              which plugin (default: \(program)); or MOTION_PLUGIN
      --help                     this text

    """
  }

  /// Reads the command line and the environment; the command line takes precedence.
  ///
  /// - Returns: how to connect; `nil` if neither requests a connection, because motiond or a user started the program
  ///   without one.
  /// - Throws: ``RemoteArgumentError`` with the problem and its remedy.
  static func read(
    _ arguments: [String], variable: (String) -> String?
  ) throws(RemoteArgumentError) -> RemoteConnection? {
    let program = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let given = options(arguments.dropFirst())
    func text(_ name: String) -> String? {
      let said = given[name] ?? variable("MOTION_" + name.uppercased().replacing("-", with: "_"))
      return said.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let connect = text("connect") else { return nil }
    let plugin: PluginName
    do {
      plugin = try PluginName(text("plugin") ?? program)
    } catch {
      throw RemoteArgumentError("--plugin: \(error)")
    }
    guard let instance = Int(text("instance") ?? "0"), (0..<Limits.instancesPerPlugin).contains(instance) else {
      throw RemoteArgumentError("--instance is a number from 0 to \(Limits.instancesPerPlugin - 1)")
    }
    guard let link = try? Endpoint(connect), connect.hasPrefix("tcp://"), !connect.hasSuffix(":*") else {
      throw RemoteArgumentError("--connect \"\(connect.prefix(128))\" is not an address; write tcp://HOST:PORT")
    }
    var connection = RemoteConnection(WorkerAddress(plugin, instance), link: link)
    guard let key = text("key"), let serverKey = text("server-key") else {
      throw RemoteArgumentError(
        "--\(text("key") == nil ? "key" : "server-key") is missing: over tcp both sides need a key; make one with "
          + "motionctl key new")
    }
    do {
      connection.key = try CurveKeyFile(reading: key)
      connection.serverKey = try CurveKeyFile.publicKey(serverKey)
    } catch {
      throw RemoteArgumentError("\(error)")
    }
    return connection
  }

  /// The values of `--name value` and `--name=value`. All other arguments belong to the plugin.
  private static func options(_ arguments: ArraySlice<String>) -> [String: String] {
    var given: [String: String] = [:]
    var rest = arguments
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = names.first(where: { "--\($0)" == parts[0] }) else { continue }
      given[name] = parts.count == 2 ? parts[1] : rest.popFirst() ?? ""
    }
    return given
  }

  private static let names = ["connect", "key", "server-key", "instance", "plugin"]
}

/// An argument on a worker's command line is invalid.
struct RemoteArgumentError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

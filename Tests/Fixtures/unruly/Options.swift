import Glibc
import MotionModel

/// The plugin's options: from its arguments, else from variables of its environment.
struct Options {
  /// `--vice NAME`, or `UNRULY_VICE`; without either it behaves.
  var vice = Vice.none
  /// `--tick N`, or `UNRULY_TICK`: at which of its frames it crashes.
  var tick = 1
  /// `--type NAME`: the name of its type of intention, and of executor; several unruly plugins can then run together.
  var type = "Unruly"
  /// `--made-of streams`: fulfil plans by streams, without any vice.
  var isMadeOfStreams = false
  /// `--connect ADDRESS` and its other options: it works for a motiond of another machine, without any vice that
  /// depends on how motiond started it.
  var isRemote = false
  /// `--print-manifest`: print a `plugin.json` of these options, and end.
  var printsManifest = false

  /// An argument that is not understood.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  init(arguments: [String], environment: (String) -> String?) throws {
    if let name = environment("UNRULY_VICE") { vice = try Self.vice(name) }
    if let number = environment("UNRULY_TICK") { tick = try Self.tick(number) }
    var words = arguments.makeIterator()
    while let word = words.next() {
      if word == "--print-manifest" {
        printsManifest = true
        continue
      }
      guard let value = words.next() else { throw Problem(description: "\(word) without a value") }
      switch word {
      case "--vice": vice = try Self.vice(value)
      case "--tick": tick = try Self.tick(value)
      case "--type": type = value
      case "--made-of": isMadeOfStreams = value == "streams"
      case "--connect": isRemote = true
      case "--key", "--server-key", "--instance", "--plugin": break
      default:
        let known = "--vice, --tick, --type, --made-of or --print-manifest"
        throw Problem(description: "\(word) is not understood; use \(known)")
      }
    }
  }

  private static func vice(_ name: String) throws -> Vice {
    if let vice = Vice(rawValue: name) { return vice }
    let names = Vice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Problem(description: "there is no vice \"\(name)\"; choose one of \(names)")
  }

  private static func tick(_ number: String) throws -> Int {
    guard let tick = Int(number), tick >= 1 else { throw Problem(description: "\(number) is no number of a frame") }
    return tick
  }
}

extension Options {
  /// The plugin's manifest.
  ///
  /// The arguments are left out, for tests to add; `plugin.json` is the output of `--print-manifest`.
  func manifest() throws -> PluginManifest {
    PluginManifest(
      name: "unruly", executable: "unruly", environment: ["UNRULY_VICE", "UNRULY_TICK"],
      intentions: [try UnrulyExecutor.description(of: type)],
      documentation: "Has one vice of many, for tests of what contains it.")
  }
}

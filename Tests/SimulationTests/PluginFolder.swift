import Glibc
import MotionCore
import MotionModel
import MotionTestKit

@testable import MotionExecutors

/// The folders of the plugins: their manifests, and programs that are never executed here.
final class PluginFolder {
  /// The names of all plugins.
  static let names: [PluginName] = ["tween", "gesture", "osc", "dmx"]

  private let folder: TemporaryFolder

  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    for name in Self.names {
      folder.make(name.text)
      try folder.write(try Self.manifest(of: name), to: "\(name)/plugin.json")
      try folder.write("", to: "\(name)/\(name)", mode: 0o700)
    }
  }

  /// The executors that the program of a plugin declares.
  static func executors(of plugin: PluginName) -> [ExecutorDeclaration] {
    switch plugin {
    case "gesture": [ExecutorDeclaration(GestureExecutor.self)]
    case "dmx": [DMXExecutor.declaration(over: SilentLamps())]
    case "osc": [OSCExecutor.declaration(over: SilentTransport())]
    default: [ExecutorDeclaration(TweenExecutor.self), ExecutorDeclaration(SquashAndStretchExecutor.self)]
    }
  }

  private static func manifest(of plugin: PluginName, _ file: String = #filePath) throws -> [UInt8] {
    let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let descriptor = open("/\(root)/plugins/\(plugin)/plugin.json", O_RDONLY)
    guard descriptor >= 0 else { throw TemporaryFolder.Problem(description: "there is no manifest of \(plugin)") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { throw TemporaryFolder.Problem(description: "the manifest of \(plugin) cannot be read") }
    // Entries that depend on the machine, too.
    return Array(#"{"limits": {"niceness": 1}, "libraries": ["/usr/lib"],"#.utf8) + bytes[1..<count]
  }
}

/// A transport to lamps that sends nothing.
private final class SilentLamps: DMXTransporting {
  private var post = DMXPost()

  func open(_ patch: DMXPatch, _ levels: [[UInt8]]) -> Result<DMXPost.Line, DMXPost.Taken> {
    post.open(patch, from: SACNPacket.Source(identity: [], name: ""), levels)
  }
  func show(_ line: DMXPost.Line, _ levels: [(universe: Int, levels: [UInt8])]) {}
  func close(_ line: DMXPost.Line) { post.close(line, at: 0) }
  func leave(_ line: DMXPost.Line) { post.close(line, at: 0) }
}

/// A transport that sends nothing.
private final class SilentTransport: OSCTransport {
  private var lines: UInt64 = 0

  var now: OSCMoment { OSCMoment(seconds: 0, nanosecondsSince1970: 0) }
  func open(to place: OSCPlace, keepAlive: Double?) -> OSCLine {
    lines += 1
    return OSCLine(number: lines, place: place)
  }
  func close(_ line: OSCLine) {}
  func forget(_ line: OSCLine) {}
  func whereabouts(of place: OSCPlace) -> OSCWhereabouts { .settled }
  func lastRepeat(on line: OSCLine) -> Double? { nil }
  func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment) {}
}

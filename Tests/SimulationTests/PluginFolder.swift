import Glibc
import MotionTestKit

/// The plugin of tweens as a folder: its manifest, and a program that nobody runs here.
final class PluginFolder {
  private let folder: TemporaryFolder

  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    folder.make("tween")
    try folder.write(try Self.manifest(), to: "tween/plugin.json")
    try folder.write("", to: "tween/tween", mode: 0o700)
  }

  private static func manifest(_ file: String = #filePath) throws -> [UInt8] {
    let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let descriptor = open("/\(root)/plugins/tween/plugin.json", O_RDONLY)
    guard descriptor >= 0 else { throw TemporaryFolder.Problem(description: "there is no manifest of tween") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes[..<max(0, count)])
  }
}

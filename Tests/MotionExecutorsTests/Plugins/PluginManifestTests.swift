import Glibc
import MotionCore
import MotionExecutors
import MotionFiles
import MotionModel
import Testing

/// The manifests of the plugins that ship agree with the declarations of their executors.
///
/// The files are made from these: `MOTION_UPDATE_MANIFESTS=1 swift test --filter PluginManifestTests` writes them.
@Suite struct PluginManifestTests {
  static let manifests = [
    PluginManifest(
      name: "tween", executable: "tween",
      intentions: TweenExecutor.descriptions + SquashAndStretchExecutor.descriptions,
      documentation: "Moves properties through values in given times, and stretches what moves."),
    PluginManifest(
      name: "gesture", executable: "gesture", intentions: GestureExecutor.descriptions,
      documentation: "Lets properties follow a hand that drags, pinches, turns or taps."),
    PluginManifest(
      name: "osc", executable: "osc", intentions: OSCExecutor.descriptions,
      documentation: "Sends properties to other programs by Open Sound Control over UDP."),
    PluginManifest(
      name: "dmx", executable: "dmx", intentions: DMXExecutor.descriptions,
      documentation: "Sends properties to lamps and heads as DMX levels, by sACN and Art-Net."),
  ]

  private func path(_ file: String, of plugin: PluginName) -> String {
    let tests = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(tests)/plugins/\(plugin)/\(file)"
  }

  private func bytes(at path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Limits.manifestBytes)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  @Test(arguments: manifests) func `each manifest matches the executor's declaration`(manifest: PluginManifest) throws {
    let path = path("plugin.json", of: manifest.name)
    let text = PluginManifestFile.text(of: manifest)
    if getenv("MOTION_UPDATE_MANIFESTS") != nil {
      let file = try #require(fopen(path, "w"), "\(path) cannot be written")
      fputs(text, file)
      fclose(file)
    }
    let found = try bytes(at: path)
    #expect(String(decoding: found, as: UTF8.self) == text)
    #expect(try PluginManifestFile.manifest(from: found, named: "plugin.json") == manifest)
  }

  @Test func `the README lists the executors made of streams`() throws {
    let types: [any ExecutorDeclaring.Type] = [TweenExecutor.self, SquashAndStretchExecutor.self, GestureExecutor.self]
    let streaming = types.filter { $0 is any StreamExecutorDeclaring.Type }.map { $0.declaration.type.text }
    let readme = String(decoding: try bytes(at: path("../../README.md", of: "tween")), as: UTF8.self)
    let list = "\(streaming.dropLast().joined(separator: ", ")) and \(streaming.last ?? "")"
    #expect(readme.contains("made of streams.** \(list) are."))
  }
}

import MotionCore
import MotionFiles
import MotionModel

/// Manifests of plugins: what is wrong with them is said, what is right reads back from what is written, and a runtime
/// that has the plugin takes its types.
enum Manifests {
  static func run(_ bytes: [UInt8]) throws {
    let manifest: PluginManifest
    do throws(FileErrors) {
      manifest = try PluginManifestFile.manifest(from: bytes, named: "plugin.json")
    } catch {
      return try Told.check(error)
    }
    do {
      let text = PluginManifestFile.text(of: manifest)
      let again = try PluginManifestFile.manifest(from: Array(text.utf8), named: "plugin.json")
      try require(again == manifest, "\(manifest) is written so that it is read as \(again)")
    } catch let error as FileErrors {
      throw FuzzFinding("\(manifest) is written so that it is refused: \(error)")
    }
    try register(manifest)
  }

  private static func register(_ manifest: PluginManifest) throws {
    var registry = ExecutorRegistry()
    do throws(Refusal) {
      try registry.register(manifest)
    } catch {
      return try Told.check(error)
    }
    let runtime = Runtime(registry: registry)
    for description in manifest.intentions {
      var transaction = Transaction()
      let fields = description.fields.compactMap { field in field.defaultValue.map { (field.name, $0) } }
      transaction.add(Intention(description.type, fields.map { .init($0.0, $0.1) }), to: "ball")
      do throws(Refusal) { _ = try runtime.commit(transaction) } catch { try Told.check(error) }
    }
    try World.run(runtime, frames: 2)
    _ = try? runtime.answer(.types(nil))
    try World.checkpoint(runtime)
  }
}

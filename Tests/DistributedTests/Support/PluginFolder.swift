import Foundation
import Glibc
import MotionFiles
import MotionModel

/// A plugin assembled for one test: a built program under a manifest of the test's own.
struct PluginFolder {
  var manifest: PluginManifest
  /// The program; the manifest names the link to it.
  let program: String

  /// A plugin with this program, and with the content of its manifest in the repository.
  init(of program: String, manifest path: String) throws {
    self.program = try Programs.path(program)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Programs.source(path)))
    manifest = try PluginManifestFile.manifest(from: Array(bytes), named: path)
  }

  /// A plugin of this program and manifest.
  init(_ manifest: PluginManifest, program: String) {
    self.manifest = manifest
    self.program = program
  }

  /// The plugin that tweens.
  static func tween() throws -> PluginFolder { try PluginFolder(of: "tween", manifest: "plugins/tween/plugin.json") }

  /// The plugin that lets properties follow a hand.
  static func gestures() throws -> PluginFolder {
    try PluginFolder(of: "gesture", manifest: "plugins/gesture/plugin.json")
  }

  /// The plugin that sends properties by Open Sound Control.
  static func osc() throws -> PluginFolder { try PluginFolder(of: "osc", manifest: "plugins/osc/plugin.json") }

  /// The plugin with a vice, under a name and types of its own: its manifest, with the vice as its arguments.
  static func unruly(_ vice: String = "none", tick: Int = 1, named name: PluginName = "unruly") throws -> PluginFolder {
    let program = try Programs.path("unruly")
    let options = ["--vice", vice, "--tick", "\(tick)", "--type", unrulyType(of: name).text]
    let directory = try TestDirectory()
    let printing = try ChildProcess(
      program, options + ["--print-manifest"], environment: [:], output: directory["manifest"],
      errors: directory["errors"])
    guard try printing.awaitEnd() == .exited(0) else { throw Problem("unruly: \(directory.text(of: "errors"))") }
    var manifest = try PluginManifestFile.manifest(from: Array(directory.text(of: "manifest").utf8), named: program)
    manifest.name = name
    manifest.arguments = options
    return PluginFolder(manifest, program: program)
  }

  /// The plugin that sends properties to lamps.
  static func dmx() throws -> PluginFolder { try PluginFolder(of: "dmx", manifest: "plugins/dmx/plugin.json") }

  /// The same without a vice, but made of streams.
  static func streams(named name: PluginName = "streams") throws -> PluginFolder {
    var folder = try unruly(named: name)
    folder.manifest.arguments += ["--made-of", "streams"]
    return folder
  }

  /// The type of intention of an unruly plugin of this name.
  static func unrulyType(of name: PluginName) -> IntentionType {
    name == "unruly" ? "Unruly" : (try? IntentionType("Unruly-\(name)")) ?? "Unruly"
  }

  /// Writes it below a folder of plugins.
  func write(to directory: TestDirectory, in folder: String = "plugins") throws {
    let place = "\(folder)/\(manifest.name)"
    try directory.write(PluginManifestFile.text(of: manifest), to: "\(place)/plugin.json")
    // Not a symbolic link: those are refused. Copies of 50 MB would slow the tests, where they can be avoided.
    let path = directory["\(place)/\(manifest.executable)"]
    unlink(path)
    if link(program, path) != 0 { try FileManager.default.copyItem(atPath: program, toPath: path) }
  }
}

/// A plan of a plugin that may have a vice: it moves `property` evenly.
extension Intention {
  static func unruly(
    _ property: PropertyName = "level", to value: Lanes = 1, duration: Duration = .milliseconds(300),
    of plugin: PluginName = "unruly"
  ) -> Intention {
    Intention(
      PluginFolder.unrulyType(of: plugin),
      [
        .init("property", .property(property)), .init("to", FieldValue(value)), .init("duration", .duration(duration)),
      ])
  }
}

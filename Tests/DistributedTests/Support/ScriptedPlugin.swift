import Foundation
import MotionModel

/// A plugin whose program says nothing itself: it leaves its environment for the test, which plays the worker.
enum ScriptedPlugin {
  /// The types of executors in it, each for the intention of the same name.
  static let types: [ExecutorType] = ["Puppet", "Marionette"]

  /// Writes the plugin, with intentions `Puppet` and `Marionette` that move one property, `level` if none is given.
  static func write(
    to directory: TestDirectory, named name: PluginName = "puppet", wantsUpdates: Bool = true
  ) throws {
    let property = FieldDescription(
      "property", .property, default: .property("level"), access: .writes, "The property that moves.")
    let descriptions = try types.map { type in
      IntentionDescription(
        type: try IntentionType(type.text), kind: .standing, executor: type, fields: [property],
        documentation: "Moves as the test says.")
    }
    let manifest = PluginManifest(
      name: name, executable: "puppet", intentions: descriptions, wantsUpdates: wantsUpdates,
      documentation: "Moves as the test says.")
    try directory.write(PluginManifestFile.text(of: manifest), to: "plugins/\(name)/plugin.json")
    // Absolute paths, because its environment is empty. It lives as long as its lifeline.
    let script = """
      #!/bin/sh
      /usr/bin/env > environment.new
      /bin/mv environment.new "environment.$MOTION_INSTANCE.$MOTION_INCARNATION"
      echo "the puppet hangs on its strings"
      exec /bin/cat > /dev/null
      """
    try directory.write(script + "\n", to: "plugins/\(name)/puppet", isExecutable: true)
  }

  /// What the daemon told a start of the program, once it was started.
  static func environment(
    in directory: TestDirectory, named name: PluginName = "puppet", instance: Int = 0, incarnation: UInt64
  ) throws -> [String: String] {
    let file = "plugins/\(name)/environment.\(instance).\(incarnation)"
    let text = try awaitFact("the start of \(name).\(instance), number \(incarnation)") {
      let text = directory.text(of: file)
      return text.isEmpty ? nil : text
    }
    var variables: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return variables
  }
}

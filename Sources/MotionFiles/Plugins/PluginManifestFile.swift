public import MotionModel

/// Reads and writes `plugin.json`, the manifest of a plugin.
///
///     {"name": "tween", "executable": "tween", "protocol": 1, "documentation": "Moves properties in a given time.",
///      "intentions": [{"type": "Tween", "kind": "one-shot", "executor": "Tween", "documentation": "…", "fields": [
///        {"name": "property", "accepts": ["property"], "required": true, "access": "writes", "documentation": "…"},
///        {"name": "to", "accepts": ["number", "vector"], "lanesOf": "property", "documentation": "…"}]}]}
///
/// Optional entries are `arguments`, `environment`, `wantsUpdates` (true), `instances` (1), `onLost` (hold), `limits`
/// (`{"memoryMiB": 1024, "descriptors": 256, "processes": 64, "coreMiB": 0, "niceness": 5, "cpuWeight": 50}`) and
/// `executors` (`[{"type": "Tween", "named": false}]` states that an executor accepts no names); of a type `writes`,
/// `reads`, `exclusive` and `requiresOneOf`; of a field `required`, `default`, `range` (`[least, most]`, `null` for no
/// bound), `exclusiveMinimum`, `unit`, `choices`, `elements`, `access` and `lanesOf`.
public enum PluginManifestFile {
  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents: JSON in UTF-8, at most ``/MotionModel/Limits/manifestBytes``.
  ///   - name: the file's name, for the errors.
  /// - Throws: ``FileErrors`` with all errors, with line, column and remedy.
  public static func manifest(from bytes: [UInt8], named name: String) throws(FileErrors) -> PluginManifest {
    var reader = PluginManifestReader(try FileReader(bytes, named: name, limit: Limits.manifestBytes))
    let manifest = reader.read()
    guard reader.file.errors.isEmpty, let manifest else { throw FileErrors(reader.file.errors) }
    return manifest
  }

  /// Returns the text of a manifest, which reads back as the same manifest; fields at their defaults are left out.
  public static func text(of manifest: PluginManifest) -> String {
    manifest.layout.lines(width: 120) + "\n"
  }
}

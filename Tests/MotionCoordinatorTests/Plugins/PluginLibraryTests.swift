import Glibc
import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct PluginLibraryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for path in ["first", "second"] { folder.make(path) }
  }

  private func write(_ name: String, in path: String, manifest: String? = nil, mode: mode_t? = 0o700) throws {
    folder.make("\(path)/\(name)")
    let text =
      manifest ?? """
        {"name": "\(name)", "executable": "run", "protocol": 1, "intentions": [
          {"type": "Glide", "kind": "one-shot", "executor": "Glide", "documentation": "Glides.", "fields": []}]}
        """
    try folder.write(text, to: "\(path)/\(name)/plugin.json")
    if let mode { try folder.write("#!/bin/sh\n", to: "\(path)/\(name)/run", mode: mode) }
  }

  private func library() -> PluginLibrary {
    PluginLibrary(searching: ["first", "second", "absent"].map { "\(folder.path)/\($0)" })
  }

  @Test func `a plugin is loaded from the first folder that has it, and plugins are sorted by name`() throws {
    try write("zebra", in: "first")
    try write("ape", in: "second")
    try write("zebra", in: "second", manifest: "{")
    let library = library()
    #expect(library.plugins.map(\.name) == ["ape", "zebra"])
    #expect(library.plugins.map(\.problem) == ["", ""])
    #expect(library["zebra"]?.path == "\(folder.path)/first/zebra")
    #expect(library.warnings.isEmpty)
  }

  @Test func `the first plugin found that claims a type gets it, whatever the names`() throws {
    try write("zebra", in: "first")
    try write("ape", in: "second")
    var library = library()
    #expect(library.order == ["zebra", "ape"])
    let registry = WorkerPool.registry(of: &library, preferring: [:])
    #expect(registry.plugins.keys.sorted() == ["zebra"])
    #expect(library["zebra"]?.problem == "")
    #expect(library["ape"]?.problem.contains("zebra") == true)
  }

  @Test func `a missing configured folder gives a warning, a missing default folder none`() throws {
    let absent = "\(folder.path)/absent"
    #expect(PluginLibrary(searching: [absent]).warnings.isEmpty)
    let warnings = PluginLibrary(searching: [absent], named: [absent]).warnings
    #expect(warnings.count == 1 && warnings.first?.contains(absent) == true)
  }

  @Test func `each problem is reported with its plugin`() throws {
    try write("broken", in: "first", manifest: "{\"name\": 3")
    try write("missing", in: "first", mode: nil)
    try write("closed", in: "first", mode: 0o600)
    try write("other", in: "first", manifest: try text(named: "another"))
    let library = library()
    #expect(library["broken"]?.manifest == nil)
    #expect(library["broken"]?.problem.isEmpty == false)
    #expect(library["missing"]?.problem.contains("No such file") == true)
    #expect(library["closed"]?.problem.contains("Permission denied") == true)
    #expect(library["other"]?.problem.contains("another") == true)
  }

  @Test func `a plugin that was fixed is loaded when it is read again`() throws {
    try write("late", in: "first", mode: nil)
    var library = library()
    try write("late", in: "first")
    library.readAnew("late")
    #expect(library["late"]?.problem == "")
    #expect(library.plugins.count == 1)
  }

  @Test func `plugins beyond the limit are ignored, in order of path and name`() throws {
    // 200 in the first folder, named from the back of the alphabet, and 57 in the second: one too many.
    for number in 0..<200 { try write("z\(number)", in: "first", mode: nil) }
    for number in 0..<57 { try write("a\(number)", in: "second", mode: nil) }
    let library = library()
    #expect(library.plugins.count == Limits.plugins)
    #expect(library.plugins.map(\.name) == library.plugins.map(\.name).sorted())
    #expect(library.warnings == ["there are more than 256 plugins; a9 is ignored"])
  }

  private func text(named name: String) throws -> String {
    """
    {"name": "\(name)", "executable": "run", "protocol": 1, "intentions": [
      {"type": "Glide", "kind": "one-shot", "executor": "Glide", "documentation": "Glides.", "fields": []}]}
    """
  }
}

import Foundation
import Testing

/// The files in `examples/`.
enum Examples {
  /// Their directory.
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("examples").path

  /// The transaction files, in order of name.
  static let files = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()
}

@Suite struct ExamplesTests {
  @Test(arguments: Examples.files)
  func examplesAreValid(file: String) throws {
    let run = try Program.run(["commit", "--dry-run", "\(Examples.directory)/\(file)"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("valid"))
  }

  @Test func `examples are mentioned in their README`() throws {
    let text = try String(contentsOfFile: Examples.directory + "/README.md", encoding: .utf8)
    #expect(!Examples.files.isEmpty)
    for file in Examples.files { #expect(text.contains(file), "examples/README.md does not mention \(file)") }
  }
}

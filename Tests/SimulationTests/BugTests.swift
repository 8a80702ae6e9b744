import Foundation
import Testing

/// The deliberate bugs of the simulation can be applied to the current sources. `make bugs` applies them, and takes
/// long.
struct BugTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Bugs")
  private static let root = folder.appending(path: "../../..").standardizedFileURL
  private static let isWorkTree = FileManager.default.fileExists(atPath: root.appending(path: ".git").path)

  @Test(.enabled(if: isWorkTree)) func `every bug patch applies to the sources`() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    let bugs = files.filter { $0.pathExtension == "patch" }
    try #require(!bugs.isEmpty)
    for bug in bugs {
      let git = Process()
      git.executableURL = URL(filePath: "/usr/bin/env")
      git.arguments = ["git", "apply", "--check", bug.path]
      git.currentDirectoryURL = Self.root
      try git.run()
      git.waitUntilExit()
      #expect(git.terminationStatus == 0, "\(bug.lastPathComponent): the sources have changed")
    }
  }

  /// docs/simulation.md describes each bug with the first line of its patch.
  @Test func everyBugIsInTheDocuments() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/simulation.md"), encoding: .utf8)
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    for bug in files where bug.pathExtension == "patch" {
      let what = try String(contentsOf: bug, encoding: .utf8).prefix { $0 != "\n" }.dropLast()
      let name = bug.deletingPathExtension().lastPathComponent
      #expect(page.contains("| `\(name)` | \(what) |"), "\(name): its row is to say: \(what)")
    }
  }
}

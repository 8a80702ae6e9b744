import Glibc
import MotionTestKit
import Testing

@testable import LinuxSystem

struct ExpectedEntryTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/entry" }

  init() throws { folder = try TemporaryFolder() }

  @Test func `a link is refused where a file is expected, and followed where one may be elsewhere`() throws {
    try folder.write("text", to: "target")
    symlink("\(folder.path)/target", path)
    #expect(ExpectedEntry(path, .file(isWritten: true)).problem()?.reason == "it is a link")
    #expect(ExpectedEntry(path, .linkedFile).problem() == nil)
    #expect(ExpectedEntry(path, .linkedDirectory).problem()?.reason == "it is not a directory")
    unlink("\(folder.path)/target")
    #expect(ExpectedEntry(path, .linkedDirectory).problem()?.reason == "it is a link to nothing")
    unlink(path)
    symlink(path, path)
    #expect(ExpectedEntry(path, .linkedFile).problem()?.reason == "it is a link that leads back to itself")
  }

  @Test func `remains at a temporary name are removed, and what a link leads to is not`() throws {
    try folder.write("text", to: "target")
    symlink("\(folder.path)/target", path)
    let entry = ExpectedEntry(path, .temporaryFile)
    #expect(entry.problem() == nil)
    entry.removeRemains()
    #expect(access(path, F_OK) != 0 && folder.mode("target") != 0)
    mkfifo(path, 0o600)
    ExpectedEntry(path, .file(isWritten: false)).removeRemains()
    #expect(access(path, F_OK) == 0, "it is not temporary")
    entry.removeRemains()
    #expect(access(path, F_OK) != 0)
    folder.make("entry")
    entry.removeRemains()
    let problem = try #require(entry.problem())
    #expect(problem.isKind && problem.command?.hasPrefix("mv \(path) \(path).damaged-") == true)
  }

  @Test func `an entry is renamed to a name that is free`() throws {
    let entry = ExpectedEntry(path, .file(isWritten: true))
    var names: Set<String> = []
    for _ in 0..<3 {
      folder.make("entry")
      names.insert(try entry.setAside())
    }
    #expect(names.count == 3)
    #expect(throws: SystemError.self) { try entry.setAside() }
  }

  @Test func `the command for an owner or a mode names both`() throws {
    folder.make("entry")
    chmod(path, 0o777)
    let entry = ExpectedEntry(path, .linkedDirectory, isOwned: true)
    #expect(entry.problem()?.command == "chmod go-w \(path)")
    #expect(
      entry.problem(for: geteuid() + 1)?.command
        == (geteuid() == 0 ? "chmod go-w \(path)" : "chown \(geteuid() + 1) \(path)"))
    #expect(ExpectedEntry(path, .linkedDirectory).problem() == nil)
  }

  @Test(arguments: [("/a/b-c.d", "/a/b-c.d"), ("/a b", "'/a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("-x", "'-x'")])
  func `a text becomes one word of a shell`(text: String, word: String) {
    #expect(ShellWord.quoting(text) == word)
  }
}

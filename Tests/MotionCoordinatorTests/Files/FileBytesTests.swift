import Glibc
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct FileBytesTests {
  @Test func `a file up to the limit is read whole, a longer one is refused`() throws {
    let folder = try TemporaryFolder()
    // More than one chunk of reading.
    let text = String(repeating: "0123456789", count: 20_000)
    try folder.write(text, to: "file")
    #expect(try FileBytes.read("\(folder.path)/file", limit: 200_000) == Array(text.utf8))
    let error = #expect(throws: StartError.self) { try FileBytes.read("\(folder.path)/file", limit: 199_999) }
    #expect(error?.problem == "it has more than 199999 bytes")
  }

  @Test func `an empty file has no bytes`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    #expect(try FileBytes.read("\(folder.path)/file", limit: 0).isEmpty)
  }

  @Test func `a pipe is refused at once`() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Held open by this test, so that an open that waits for a writer fails the test instead of hanging it.
    let held = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(held) }
    let error = #expect(throws: StartError.self) { try FileBytes.read(pipe, limit: 10) }
    #expect(error?.problem == "it is not a file")
  }

  @Test func `a folder is refused`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StartError.self) { try FileBytes.read(folder.path, limit: 10) }
    #expect(error?.problem == "it is not a file")
  }

  @Test func `a missing file is named`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StartError.self) { try FileBytes.read("\(folder.path)/missing", limit: 10) }
    #expect(error?.step == "read \(folder.path)/missing")
    #expect(error?.problem == String(cString: strerror(ENOENT)))
  }
}

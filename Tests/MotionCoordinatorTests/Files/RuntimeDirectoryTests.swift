import Glibc
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct RuntimeDirectoryTests {
  @Test func `directories are made for us alone, even where others were let in`() throws {
    let folder = try TemporaryFolder()
    folder.make("run")
    chmod("\(folder.path)/run", 0o755)
    let directory = try RuntimeDirectory("\(folder.path)/run")
    for name in ["run", "run/client", "run/worker"] { #expect(folder.mode(name) == 0o700) }
    #expect(directory.control.path == "\(folder.path)/run/client/control.ipc")
  }

  @Test func `a second holder is refused until the first is gone`() throws {
    let folder = try TemporaryFolder()
    var first: RuntimeDirectory? = try RuntimeDirectory(folder.path)
    let error = #expect(throws: StartError.self) { try RuntimeDirectory(folder.path) }
    #expect(error?.problem.contains("another motiond") == true)
    #expect(first != nil)
    first = nil
    _ = try RuntimeDirectory(folder.path)
  }

  @Test func `a file in the place of a directory, and a directory of everybody's, are refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/file") }
    folder.make("shared")
    chmod("\(folder.path)/shared", 0o1777)
    #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/shared") }
    #expect(folder.mode("shared") == 0o1777)
  }

  @Test func `a path that is too long for sockets is refused before anything is made`() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 100)
    let error = #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/\(long)") }
    #expect(error?.description.contains("--runtime-dir") == true)
    #expect(folder.mode(long) == 0)
  }
}

import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct StateDirectoryTests {
  @Test func `a second holder is refused until the first ends, and then gets the next epoch`() throws {
    let folder = try TemporaryFolder()
    var first: StateDirectory? = try StateDirectory("\(folder.path)/state")
    #expect(try first?.nextEpoch().epoch == 1)
    let error = #expect(throws: StartError.self) { try StateDirectory("\(folder.path)/state") }
    #expect(error?.problem == "another motiond keeps its state in this directory")
    #expect(error?.remedy.contains("--state-dir") == true)
    #expect(folder.mode("state") == 0o700)
    first = nil
    #expect(try StateDirectory("\(folder.path)/state").nextEpoch().epoch == 2)
  }

  @Test func `the state directory and the runtime directory can be the same`() throws {
    let folder = try TemporaryFolder()
    let runtime = try RuntimeDirectory(folder.path)
    let state = try StateDirectory(folder.path)
    #expect(try state.nextEpoch().epoch == 1)
    #expect(runtime.control.path?.hasPrefix(folder.path) == true)
  }
}

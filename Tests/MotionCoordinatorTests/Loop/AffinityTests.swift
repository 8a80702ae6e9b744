import LinuxSystem
import Synchronization
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct AffinityTests {
  @Test func `the first processor is for the loop, the second for libzmq`() throws {
    #expect(try Affinity("3", available: [2, 3]) == Affinity(loop: 3))
    #expect(try Affinity(" 2, 3 ", available: [2, 3]) == Affinity(loop: 2, io: 3))
    #expect(try Affinity("2,2", available: [2]) == Affinity(loop: 2, io: 2))
  }

  @Test(arguments: ["", "x", "0,", ",0", "0,1,0", "0 1", "0-1", "+"])
  func `a text that is not a processor is refused with the right form`(text: String) {
    let error = #expect(throws: StartError.self) { try Affinity(text, available: [0, 1]) }
    #expect(error?.remedy.contains("such as 0,1") == true)
  }

  @Test(arguments: ["4", "-1", "0,4", "4,0", "99999999999"])
  func `a missing processor is refused with the available ones`(text: String) {
    let error = #expect(throws: StartError.self) { try Affinity(text, available: [0, 2]) }
    #expect(error?.remedy.contains("Give one of 0, 2") == true)
  }

  @Test func `an affinity applies to the thread and the threads it starts, not to earlier ones`() async throws {
    let cpu = try #require(Affinity.available.last)
    let everywhere = Affinity.available
    let seen = Mutex<[[Int]]>([])
    let done = Latch()
    OwnThread.start("pinned") {
      #expect(Affinity.pin(to: cpu))
      seen.withLock { $0.append(Affinity.available) }
      OwnThread.start("inherits") {
        seen.withLock { $0.append(Affinity.available) }
        done.open()
      }
    }
    await done.wait()
    #expect(seen.withLock { $0 } == [[cpu], [cpu]])
    #expect(Affinity.available == everywhere)
  }
}

import Glibc
import MotionModel
import Testing

@testable import MotionCoordinator

struct ProcessLoadTests {
  @Test func `waiting counts as a wake-up, computing as processor time`() {
    let before = Status.Load.ofThisProcess
    // The number of waits is counted here, not their length.
    for _ in 0..<10 { usleep(1000) }
    let end = before.processorTime + 0.01
    while Status.Load.ofThisProcess.processorTime < end {}
    let after = Status.Load.ofThisProcess
    #expect(after.wakeUps >= before.wakeUps + 10)
    #expect(after.residentBytes > 1_000_000)
  }
}

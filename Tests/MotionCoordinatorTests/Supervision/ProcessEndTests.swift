import Glibc
import Testing

@testable import MotionCoordinator

struct ProcessEndTests {
  @Test func `an end that was requested is described as such, also if the worker was too busy to exit`() {
    #expect(ProcessEnd.exited(0).description(asked: true) == "it exited as requested (code 0)")
    #expect(ProcessEnd.exited(0).description(asked: false) == "it exited by itself (code 0)")
    #expect(ProcessEnd.signalled(SIGALRM).description(asked: true).contains("took longer than a second to exit"))
    #expect(ProcessEnd.signalled(SIGALRM).description(asked: false) == "it was ended by signal 14")
    #expect(ProcessEnd.signalled(SIGKILL).description(asked: true) == "it was ended by signal 9")
  }
}

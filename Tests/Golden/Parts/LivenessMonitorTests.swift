import Testing

@testable import motionctl

@Suite struct LivenessMonitorTests {
  private let start = ContinuousClock.now

  @Test func `the monitor checks once a second, and only after a silence`() {
    var monitor = LivenessMonitor(at: start)
    var looks = 0
    func look(_ milliseconds: Int) -> LivenessMonitor.Change? {
      monitor.look(at: start + .milliseconds(milliseconds)) {
        looks += 1
        return true
      }
    }
    #expect(look(900) == nil && looks == 0)
    #expect(monitor.heard(at: start + .milliseconds(900)) == nil)
    #expect(look(1800) == nil && looks == 0)
    #expect(look(1900) == nil && looks == 1)
    #expect(look(2500) == nil && looks == 1, "once a second")
  }

  @Test func `each change of liveness is reported once`() {
    var monitor = LivenessMonitor(at: start)
    #expect(monitor.look(at: start + .seconds(1)) { false } == .lost)
    #expect(monitor.isLost)
    #expect(monitor.look(at: start + .seconds(2)) { false } == nil)
    #expect(monitor.look(at: start + .seconds(3)) { true } == .returned)
    #expect(!monitor.isLost)
    #expect(monitor.look(at: start + .seconds(4)) { true } == nil)
    #expect(monitor.look(at: start + .seconds(5)) { false } == .lost)
    #expect(monitor.heard(at: start + .seconds(5.1)) == .returned)
    #expect(!monitor.isLost)
  }
}

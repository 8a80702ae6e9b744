import MotionModel
import Testing

@testable import MotionCore

/// Holds and releases of simulated time.
struct HoldTests {
  private func boot(_ seconds: Double) -> Duration { .seconds(1000 + seconds) }

  /// A schedule at 100 frames a second that has run since 1 s, with its last frame at 2 s.
  private func running(speed: Double = 1) -> FrameSchedule {
    var clock = FrameSchedule(ratePerSecond: 100, at: .seconds(1000))
    clock.setSpeed(speed, at: boot(0))
    clock.activate(at: boot(1))
    for step in 0...100 { _ = clock.take(at: boot(1.0001 + Double(step) * 0.01)) }
    return clock
  }

  /// The lengths of the frames from a boot time on.
  private func frames(_ clock: inout FrameSchedule, from start: Double, count: Int) -> [Double] {
    (0..<count).compactMap { clock.take(at: boot(start + Double($0) * 0.01))?.frame.dt }
  }

  // Clauses: S11.28
  @Test(arguments: [1, 0.5])
  func timeSlowsDownEvenlyAndStands(speed: Double) throws {
    var clock = running(speed: speed)
    clock.hold(ClockHold(), over: 0, at: boot(2.002))
    #expect(clock.hold != nil && !clock.stands)
    let lengths = frames(&clock, from: 2.0101, count: 200)
    #expect(lengths.count == 50)
    for (frame, length) in lengths.enumerated() {
      #expect(abs(length - speed * 0.01 * Double(50 - frame) / 50) < 1e-12)
    }
    #expect(clock.stands && clock.deadline == nil && clock.isActive)
    let time = clock.time(at: boot(60))
    #expect(time == clock.last.time && clock.time(at: boot(3)) == time)
    #expect(clock.bootTime(of: time + 1) == nil)
    // The release: from rest, and at last at the speed of before.
    clock.release(over: 0, at: boot(100))
    let after = frames(&clock, from: 100.0101, count: 60)
    #expect(after.count == 60)
    for (frame, length) in after.enumerated() {
      #expect(abs(length - speed * 0.01 * min(1, Double(max(frame, 1)) / 50)) < 0.021 * speed * 0.01)
    }
    #expect(after.last == speed * 0.01)
    #expect(abs(clock.last.time - time - after.reduce(0, +)) < 1e-9)
  }

  // Clauses: S11.28
  @Test func timeNeverGoesBackWhateverHappens() throws {
    var random = SplitMix(seed: TestSeed.value)
    for _ in 0..<200 {
      var clock = FrameSchedule(ratePerSecond: 100, at: .seconds(1000))
      var (now, time) = (0.0, 0.0)
      for _ in 0..<300 {
        now += Double.random(in: 0...0.05, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: clock.pause(at: boot(now))
        case 1: clock.resume(at: boot(now))
        case 2: clock.hold(ClockHold(), over: Double.random(in: 0...3, using: &random), at: boot(now))
        case 3, 4: clock.release(over: 0, at: boot(now))
        case 5: clock.setSpeed(Double.random(in: 0.1...4, using: &random), at: boot(now))
        case 6:
          clock.standStill(at: boot(now))
          clock.deactivate()
        case 7: _ = clock.step()
        default: clock.activate(at: boot(now))
        }
        let present = clock.time(at: boot(now))
        #expect(present >= time - 1e-9, "\(time) to \(present)")
        time = present
        let (last, stood) = (clock.last, clock.isHeldStill)
        while let due = clock.take(at: boot(now)) {
          #expect(!stood && due.frame.dt > 0 && due.frame.time >= last.time)
        }
        time = max(time, clock.time(at: boot(now)))
      }
    }
  }

  // Clauses: S11.28
  @Test func holdOfAnIdleClockStandsAtOnceAndARestartKeepsIt() throws {
    var clock = FrameSchedule(ratePerSecond: 100, at: .seconds(1000))
    clock.hold(ClockHold(refuses: true, since: 5), over: 0, at: boot(2))
    #expect(clock.isHeldStill && abs(clock.time(at: boot(9)) - 2) < 1e-12)
    clock.hold(ClockHold(since: 6), over: 0, at: boot(3))
    #expect(clock.hold == ClockHold(refuses: false, since: 5), "only whether it refuses is changed")
    var next = FrameSchedule(ratePerSecond: 100, at: .seconds(2000))
    next.restore(clock.state(at: boot(9)), after: clock.last, at: .seconds(2000))
    #expect(next.isHeldStill && abs(next.time(at: .seconds(3000)) - 2) < 1e-12)
    next.activate(at: .seconds(3000))
    #expect(next.take(at: .seconds(3001)) == nil && next.step() == nil)
    next.release(over: 0, at: .seconds(3001))
    #expect(next.take(at: .seconds(3002))?.frame.dt == 0.01 / 50)
  }

  // Clauses: S11.28
  @Test func pauseDuringAHoldIsIndependentOfIt() throws {
    var clock = running()
    clock.hold(ClockHold(), over: 0, at: boot(2.002))
    clock.pause(at: boot(2.004))
    #expect(clock.isHeldStill && clock.step() == nil, "no step while motion is held")
    clock.resume(at: boot(3))
    #expect(clock.stands && clock.take(at: boot(4)) == nil)
    clock.pause(at: boot(4))
    clock.release(over: 0, at: boot(5))
    #expect(clock.isPaused && clock.step() != nil)
    clock.resume(at: boot(6))
    #expect(!clock.stands && clock.take(at: boot(7)) != nil)
  }
}

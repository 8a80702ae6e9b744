import MotionModel
import Testing

@testable import MotionCore

/// The frame schedule: when frames are due, and which time they show.
struct FrameScheduleTests {
  private func clock(rate: Double = 100) -> FrameSchedule { FrameSchedule(ratePerSecond: rate, at: .seconds(1000)) }
  private func boot(_ seconds: Double) -> Duration { .seconds(1000 + seconds) }

  // Clauses: S11.1
  @Test func `simulated time runs while idle, and the first frame has the present time`() throws {
    var clock = clock()
    #expect(clock.deadline == nil)
    #expect(abs(clock.time(at: boot(2)) - 2) < 1e-12)
    clock.activate(at: boot(2))
    #expect(clock.deadline == boot(2), "a commit to an idle runtime is applied at once")
    let taken = clock.take(at: boot(2))
    let due = try #require(taken)
    #expect(due.frame.number == 1)
    #expect(abs(due.frame.time - 2) < 1e-12)
    #expect(due.frame.dt == 0.01)
    #expect(due.lateness == .zero)
    #expect(clock.take(at: boot(2.005)) == nil)
    #expect(clock.take(at: boot(2.0101))?.frame.number == 2)
  }

  @Test func `an outside event has a time between frames, at the present speed`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    // Frames show 1 s and 1.01 s; pointer events happen in between, and before.
    #expect(abs(clock.time(ofEventAt: boot(1.004)) - 1.004) < 1e-12)
    #expect(abs(clock.time(ofEventAt: boot(0.9)) - 0.9) < 1e-12)
    #expect(abs(clock.time(ofEventAt: boot(60)) - 60) < 1e-9)
    clock.deactivate()
    clock.setSpeed(0.5, at: boot(2))
    #expect(abs(clock.time(ofEventAt: boot(3)) - 2.5) < 1e-12)
    clock.pause(at: boot(4))
    #expect(abs(clock.time(ofEventAt: boot(9)) - 3) < 1e-12)
    #expect(clock.time(ofEventAt: boot(1)) == clock.time(ofEventAt: boot(9)))
    // The next frame is a whole frame after the last, however soon after it time was paused.
    clock.activate(at: boot(9))
    let step = clock.step()
    let stepped = try #require(step)
    clock.deactivate()
    #expect(clock.time(ofEventAt: boot(9)) == stepped.time + stepped.dt)
    // Each step is a separate moment: events before it belong to its frame.
    clock.activate(at: boot(9))
    for _ in 1...3 {
      let next = try #require(clock.next)
      #expect(clock.time(ofEventAt: boot(9)) == next.time)
      #expect(clock.step() == next)
    }
  }

  // Clauses: S11.2
  @Test func `frame numbers have no gap after idleness`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    clock.deactivate()
    #expect(!clock.isActive)
    #expect(clock.take(at: boot(5)) == nil)
    clock.activate(at: boot(6))
    let taken = clock.take(at: boot(6))
    let due = try #require(taken)
    #expect(due.frame.number == 2)
    #expect(abs(due.frame.time - 6) < 1e-12)
    #expect(due.frame.dt == 0.01, "idle time is not motion")
  }

  @Test func aShortIdlenessKeepsThePeriod() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    clock.deactivate()
    clock.activate(at: boot(1.004))
    let next = try #require(clock.next)
    #expect(abs(next.time - 1.01) < 1e-12, "one period after the last at the earliest")
    #expect(clock.take(at: boot(1.009)) == nil)
    #expect(clock.take(at: boot(1.0101)) != nil)
  }

  // Clauses: S11.3
  @Test func fourLateFramesAreCaughtUp() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    var numbers: [UInt64] = []
    while let due = clock.take(at: boot(1.0501)) {
      numbers.append(due.frame.number)
      #expect(due.skipped == 0)
    }
    #expect(numbers == [2, 3, 4, 5, 6])
    #expect(clock.skipped == 0)
  }

  // Clauses: S11.3
  @Test func `frames beyond four late ones are skipped, and time stands still for them`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    let takenFirst = clock.take(at: boot(1))
    let first = try #require(takenFirst)
    var taken: [FrameSchedule.Due] = []
    while let due = clock.take(at: boot(2.0051)) { taken.append(due) }
    #expect(taken.map(\.frame.number) == [2, 3, 4, 5, 6])
    #expect(taken.map(\.skipped) == [95, 0, 0, 0, 0])
    #expect(clock.skipped == 95)
    for (a, b) in zip([first] + taken, taken) { #expect(abs(b.frame.time - a.frame.time - 0.01) < 1e-12) }
    let deadline = try #require(clock.deadline)
    #expect(deadline > boot(2.0051) && deadline < boot(2.0152))
  }

  // Clauses: S11.4
  @Test func `during a pause time stands still, and steps run`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    clock.pause(at: boot(1.004))
    let stood = clock.time(at: boot(1.004))
    let announced = try #require(clock.next)
    #expect(clock.time(at: boot(101)) == stood)
    #expect(clock.deadline == nil)
    #expect(clock.take(at: boot(101)) == nil)
    #expect(clock.step() == announced, "the announced frame stays as it is")
    #expect(clock.step()?.number == 3)
    #expect(clock.time(at: boot(101)) == clock.last.time)
    clock.resume(at: boot(201))
    #expect(abs(clock.time(at: boot(201)) - clock.last.time) < 1e-12)
    #expect(clock.take(at: boot(201.009)) == nil)
    #expect(clock.take(at: boot(201.0101))?.frame.number == 4)
  }

  @Test func `the next frame after a pause comes after the rest of its period`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    clock.pause(at: boot(1.004))
    clock.resume(at: boot(10))
    #expect(abs(clock.time(at: boot(10)) - clock.last.time - 0.004) < 1e-9)
    #expect(clock.take(at: boot(10.0059)) == nil)
    #expect(clock.take(at: boot(10.0061)) != nil)
  }

  // Clauses: S11.12
  @Test func `a change of speed affects the frames after the announced one`() throws {
    var clock = clock()
    clock.activate(at: boot(1))
    _ = clock.take(at: boot(1))
    clock.setSpeed(0.5, at: boot(1.002))
    #expect(clock.next?.dt == 0.01)
    #expect(clock.take(at: boot(1.0101))?.frame.dt == 0.01)
    let takenSlow = clock.take(at: boot(1.0201))
    let slow = try #require(takenSlow)
    #expect(slow.frame.dt == 0.005)
    #expect(abs(slow.frame.time - clock.last.time) < 1e-12)
    #expect(abs(clock.state(at: boot(1.0251)).time - (slow.frame.time + 0.0025)) < 1e-4)
  }

  // Clauses: S11.1
  @Test func `a change of speed affects idle time at once`() {
    var clock = clock()
    clock.setSpeed(10, at: boot(1))
    #expect(abs(clock.time(at: boot(2)) - 11) < 1e-9)
    clock.setSpeed(0.1, at: boot(2))
    #expect(abs(clock.time(at: boot(3)) - 11.1) < 1e-9)
  }

  @Test func aTimerForATimeIsNotEarly() throws {
    var clock = clock()
    clock.setSpeed(3, at: boot(0.1))
    for time in stride(from: 0.7, to: 1e6, by: 12345.678) {
      let due = try #require(clock.bootTime(of: time))
      #expect(clock.time(at: due) >= time)
      #expect(clock.time(at: due) < time + 1e-6)
    }
    #expect(clock.bootTime(of: .greatestFiniteMagnitude) != nil, "no trap")
    #expect(clock.bootTime(of: -.greatestFiniteMagnitude).map { $0 < boot(0) } == true)
    clock.pause(at: boot(1))
    #expect(clock.bootTime(of: 100) == nil)
  }

  // Clauses: S11.7
  @Test func `after rest a frame has the present time at once, and covers none while time stands`() {
    for isPaused in [false, true] {
      var clock = FrameSchedule(ratePerSecond: 10, at: .zero)
      if isPaused { clock.pause(at: .seconds(7)) }
      clock.activate(at: .seconds(7))
      let frame = clock.takeAfterRest(at: .seconds(7))
      #expect(frame?.number == 1 && frame?.time == 7 && frame?.dt == (isPaused ? 0 : 0.1))
      // The next one follows it, so that nothing passes without frames.
      #expect(clock.takeAfterRest(at: .seconds(7)) == nil && clock.next?.number == 2)
      clock.resume(at: .seconds(9))
      #expect(abs((clock.next?.time ?? 0) - 7.1) < 1e-12)
    }
  }

  // Clauses: S11.2
  @Test func `random events leave frames without gaps and time that never goes back`() {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      var clock = FrameSchedule(ratePerSecond: Double.random(in: 1...1000, using: &random), at: .seconds(5))
      var now = Duration.seconds(5)
      var (last, lastTime) = (clock.last, 0.0)
      for _ in 0..<300 {
        now += .seconds(
          Double.random(in: 0...1, using: &random) < 0.1 ? 3 : Double.random(in: 0...0.02, using: &random))
        var (taken, isDrained): ([Frame], Bool) = ([], true)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: clock.activate(at: now)
        case 1: clock.deactivate()
        case 2: clock.pause(at: now)
        case 3: clock.resume(at: now)
        case 4:
          clock.setSpeed([Limits.speed.lowerBound, 0.001, 0.5, 1, 7, 1000].randomElement(using: &random) ?? 1, at: now)
        case 5: if let frame = clock.step() { taken.append(frame) }
        case 6:
          if let frame = clock.takeAfterRest(at: now) {
            #expect(clock.stands == (frame.dt == 0), "seed \(seed)")
            taken.append(frame)
            isDrained = false
          }
        default: while let due = clock.take(at: now) { taken.append(due.frame) }
        }
        #expect(taken.count <= Limits.catchUpFrames + 1, "seed \(seed)")
        for frame in taken {
          #expect(frame.number == last.number + 1, "seed \(seed)")
          #expect(frame.start >= last.time - 1e-9 * max(1, last.time), "seed \(seed)")
          last = frame
        }
        let time = clock.time(at: now)
        #expect(time >= lastTime - 1e-12 * max(1, lastTime), "seed \(seed)")
        #expect(time >= last.time && time <= clock.next?.time ?? .infinity, "seed \(seed)")
        lastTime = time
        if let deadline = clock.deadline { #expect(deadline > now || taken.isEmpty || !isDrained, "seed \(seed)") }
      }
    }
  }
}

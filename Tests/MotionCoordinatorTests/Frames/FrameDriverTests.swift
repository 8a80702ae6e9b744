import MotionCore
import MotionModel
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// At 10 frames per second.
struct FrameDriverTests {
  private var driver = FrameDriver(FrameSchedule(ratePerSecond: 10, at: .zero), showing: SimulatedTime())
  private let requester = Requester(client: RoutingID([1]), request: 7)

  private mutating func begin(at now: Duration = .zero) -> Frame? {
    guard case .announce(let frame) = driver.update(isWanted: true, waitingFor: nil, at: now) else { return nil }
    return frame
  }

  @Test mutating func `the first frame is announced once, and the end of frames is reported once`() {
    #expect(begin()?.number == 1)
    #expect(driver.update(isWanted: true, waitingFor: nil, at: .zero) == .none)
    #expect(driver.update(isWanted: false, waitingFor: nil, at: .zero) == .rest)
    #expect(driver.update(isWanted: false, waitingFor: nil, at: .zero) == .none)
  }

  @Test mutating func `a due transaction requests a frame, a waiting one does not`() {
    #expect(driver.update(isWanted: false, waitingFor: 2, at: .seconds(1)) == .none)
    #expect(driver.update(isWanted: false, waitingFor: 2, at: .seconds(2)) != .none)
  }

  @Test mutating func `an idle driver wakes for a waiting transaction, or before it for the journal`() throws {
    let due = try #require(driver.deadline(forWaiting: 2, writingBy: nil))
    #expect(due >= .seconds(2) && due < .seconds(2.001))
    #expect(driver.deadline(forWaiting: 2, writingBy: .seconds(1)) == .seconds(1))
    #expect(driver.deadline(forWaiting: 2, writingBy: .seconds(3)) == due)
    #expect(driver.deadline(forWaiting: nil, writingBy: .seconds(1)) == nil)
    _ = begin(at: .seconds(1))
    #expect(driver.deadline(forWaiting: 2, writingBy: .zero) == driver.clock.deadline)
  }

  @Test mutating func `skipped frames are reported at most once a second, and each of them once`() {
    _ = begin()
    var (runs, reports) = (0, [UInt64]())
    // Each time the loop comes a second late, so that some of ten frames are skipped.
    for tenth in stride(from: 10, through: 50, by: 10) {
      var turn = FrameDriver.Turn()
      while let run = driver.take(at: .milliseconds(100 * tenth), in: &turn) {
        runs += 1
        if run.reportedSkips > 0 { reports.append(run.reportedSkips) }
      }
    }
    #expect(driver.counters.frames == UInt64(runs))
    #expect(driver.lateness.sinceStart.count == UInt64(runs))
    #expect(reports.count > 1 && reports.reduce(0, +) == driver.clock.skipped)
  }

  @Test mutating func `a turn has as many frames as are caught up, and no other after one that took too long`() {
    _ = begin()
    func frames(costing cost: Duration, from start: Duration) -> Int {
      var (turn, now, frames) = (FrameDriver.Turn(), start, 0)
      while driver.take(at: now, in: &turn) != nil { (now, frames) = (now + cost, frames + 1) }
      return frames
    }
    #expect(frames(costing: .milliseconds(10), from: .seconds(10)) == Limits.catchUpFrames)
    #expect(frames(costing: .milliseconds(100), from: .seconds(20)) == Limits.catchUpFrames)
    #expect(frames(costing: .milliseconds(101), from: .seconds(30)) == 1)
    #expect(frames(costing: .milliseconds(101), from: .seconds(30)) == 1, "the next turn takes the next one")
  }

  @Test mutating func `a frame for an event is taken only while time runs and no frames do`() {
    #expect(driver.takePresent(at: .seconds(1))?.frame == Frame(number: 1, time: 1, dt: 0.1))
    #expect(driver.takePresent(at: .seconds(1)) == nil, "frames are being taken")
    driver.pause(at: .seconds(1))
    #expect(driver.update(isWanted: false, waitingFor: nil, at: .seconds(1)) == .rest)
    #expect(driver.takePresent(at: .seconds(2)) == nil, "time stands")
  }

  @Test mutating func `one frame follows an event between frames, when time runs`() {
    driver.noteEvent()
    #expect(
      driver.update(isWanted: false, waitingFor: nil, at: .seconds(1)) == .announce(Frame(number: 1, time: 1, dt: 0.1)))
    var turn = FrameDriver.Turn()
    #expect(driver.take(at: .seconds(1), in: &turn) != nil)
    #expect(driver.update(isWanted: false, waitingFor: nil, at: .seconds(1)) == .rest)
    driver.pause(at: .seconds(2))
    driver.noteEvent()
    #expect(driver.update(isWanted: false, waitingFor: nil, at: .seconds(2)) == .none, "time stands")
    driver.resume(at: .seconds(3))
    guard case .announce = driver.update(isWanted: false, waitingFor: nil, at: .seconds(3)) else {
      Issue.record("no frame follows")
      return
    }
  }

  // MARK: Steps

  @Test mutating func `a step is refused while time runs, during another, and if it is too long`() throws {
    #expect(throws: Refusal.self) { try driver.beginStepping(1, for: requester, at: .zero) }
    driver.pause(at: .zero)
    #expect(throws: Refusal.self) {
      try driver.beginStepping(Limits.framesPerStep + 1, for: requester, at: .zero)
    }
    try driver.beginStepping(1, for: requester, at: .zero)
    #expect(throws: Refusal.self) { try driver.beginStepping(1, for: requester, at: .zero) }
    #expect(driver.finishStepping()?.request == 7)
    #expect(driver.finishStepping() == nil)
  }

  private mutating func step(after steps: Int = 0, at now: Duration = .zero, isAwaited: Bool = false) -> String {
    switch driver.nextStep(after: steps, at: now, isAwaited: { _ in isAwaited }) {
    case .wait: "wait"
    case .run(let frame): "run \(frame.number)"
    case .finish: "finish"
    }
  }

  @Test mutating func `a step waits for workers until its timeout, which is counted`() throws {
    driver.pause(at: .zero)
    try driver.beginStepping(2, for: requester, at: .zero)
    _ = begin()
    #expect(step(isAwaited: true) == "wait" && driver.stepping?.isReady == false)
    #expect(step(at: .milliseconds(100)) == "run 1" && driver.counters.stepTimeouts == 0)
    #expect(step(at: .milliseconds(599), isAwaited: true) == "wait")
    #expect(step(at: .milliseconds(600), isAwaited: true) == "run 2" && driver.counters.stepTimeouts == 1)
    #expect(step(at: .milliseconds(600)) == "finish")
    #expect(driver.counters.frames == 2)
  }

  @Test mutating func `a long step yields after 64 frames and continues at once`() throws {
    driver.pause(at: .zero)
    try driver.beginStepping(1000, for: requester, at: .zero)
    _ = begin()
    for steps in 0..<64 { #expect(step(after: steps) == "run \(steps + 1)") }
    #expect(step(after: 64) == "wait" && driver.stepping?.isReady == true)
    #expect(step() == "run 65")
  }

  @Test mutating func `a speed out of range is refused`() throws {
    #expect(throws: Refusal.self) { try driver.setSpeed(0, at: .zero) }
    try driver.setSpeed(2, at: .zero)
    #expect(driver.clock.speed == 2)
  }
}

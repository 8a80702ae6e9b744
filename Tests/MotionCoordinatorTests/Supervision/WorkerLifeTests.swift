import Testing

@testable import MotionCoordinator

struct WorkerLifeTests {
  static let linger = Duration.seconds(60)

  /// One of each event in the life of a worker.
  enum Event: CaseIterable {
    case need, release, died, noRoom, giveUp, quarantine, restart, stop, retire, deadline

    func happen(to life: inout WorkerLife, at now: Duration) -> WorkerLife.Action? {
      switch self {
      case .need: return life.need(at: now)
      case .release: life.release(at: now)
      case .died: return life.died("it fell", at: now)
      case .noRoom: return life.foundNoRoom("there was no room", at: now)
      case .giveUp: return life.giveUp("it lied")
      case .quarantine: life.quarantine("its neighbour lied")
      case .restart: return life.restart(at: now)
      case .stop: return life.stop(at: now)
      case .retire: return life.retire(at: now)
      case .deadline: return life.deadline(at: now, linger: WorkerLifeTests.linger)
      }
      return nil
    }
  }

  /// A worker that is needed and runs since second 0.
  private static func running() -> WorkerLife {
    var life = WorkerLife()
    _ = life.need(at: .zero)
    return life
  }

  @Test func `a worker is spawned when it is first needed, and once`() {
    var life = WorkerLife()
    #expect(life.need(at: .zero) == .spawn)
    #expect(life.need(at: .zero) == nil)
    #expect(life.state == .running)
    #expect(life.hasProcess)
  }

  @Test func `the backoff doubles from 100 ms, and the fifth death within 60 s quarantines`() {
    var life = Self.running()
    var now = Duration.zero
    for wait in [100, 200, 400, 800] {
      #expect(life.died("it fell", at: now) == nil)
      #expect(life.state == .waiting(until: now + .milliseconds(wait)))
      #expect(life.deadline(at: now + .milliseconds(wait - 1), linger: Self.linger) == nil)
      now += .milliseconds(wait)
      #expect(life.deadline(at: now, linger: Self.linger) == .spawn)
    }
    #expect(life.restarts == 4)
    guard case .quarantine(let reason) = life.died("it fell", at: now) else {
      Issue.record("it goes on after five deaths")
      return
    }
    #expect(reason.contains("5 times") && reason.contains("it fell"))
    #expect(life.state == .quarantined(reason: reason))
    #expect(life.need(at: now) == nil)
    #expect(life.nextDeadline(linger: Self.linger) == nil)
  }

  @Test func `a death in a bisection, or one with a found cause, does not count`() {
    var life = Self.running()
    var now = Duration.zero
    for _ in 0..<50 {
      #expect(life.died("it was tried", counts: false, at: now) == nil)
      #expect(life.state == .waiting(until: now + WorkerLife.firstWait))
      now += WorkerLife.firstWait
      #expect(life.deadline(at: now, linger: Self.linger) == .spawn)
    }
    for _ in 0..<50 {
      #expect(life.died("it fell", at: now) == nil)
      #expect(life.state == .waiting(until: now + WorkerLife.firstWait))
      now += WorkerLife.firstWait
      #expect(life.deadline(at: now, linger: Self.linger) == .spawn)
      life.forgive()
    }
  }

  // Clauses: S15.11
  @Test func `a start without room for a process is retried without limit and without quarantine`() {
    var life = Self.running()
    var now = Duration.zero
    for wait in [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000] {
      #expect(life.foundNoRoom("no process", at: now) == nil)
      #expect(life.state == .waiting(until: now + .milliseconds(wait)))
      #expect(life.lacksRoom && !life.hasProcess)
      now += .milliseconds(wait)
      #expect(life.deadline(at: now, linger: Self.linger) == .spawn)
    }
    #expect(life.restarts == 0)
    life.foundRoom()
    #expect(!life.lacksRoom)
    // Its own deaths count from the first, with the usual waits.
    for wait in [100, 200, 400, 800] {
      #expect(life.died("it fell", at: now) == nil)
      #expect(life.state == .waiting(until: now + .milliseconds(wait)))
      now += .milliseconds(wait)
      #expect(life.deadline(at: now, linger: Self.linger) == .spawn)
    }
    #expect(life.restarts == 4)
    #expect(life.foundNoRoom("no process", at: now) == nil)
    #expect(life.state == .waiting(until: now + WorkerLife.firstWait))
  }

  // Clauses: S15.11
  @Test func `a failed start is not retried for a worker that is unneeded or stopping`() {
    var life = Self.running()
    life.release(at: .zero)
    #expect(life.foundNoRoom("no process", at: .zero) == nil)
    #expect(life.state == .stopped)
    life = Self.running()
    #expect(life.stop(at: .zero) == .shutDown)
    life.release(at: .zero)
    #expect(life.foundNoRoom("no process", at: .zero) == nil)
    #expect(life.state == .stopped)
  }

  @Test func `deaths 20 s apart never quarantine, and the backoff ends at 10 s`() {
    var life = Self.running()
    var now = Duration.zero
    var longest = Duration.zero
    for _ in 0..<20 {
      #expect(life.died("it fell", at: now) == nil)
      guard case .waiting(let until) = life.state else {
        Issue.record("it is \(life.state)")
        return
      }
      longest = max(longest, until - now)
      #expect(life.deadline(at: until, linger: Self.linger) == .spawn)
      now = until + .seconds(20)
    }
    #expect(longest == WorkerLife.longestWait)
  }

  @Test func `after a minute without a death the backoff is short again`() {
    var life = Self.running()
    _ = life.died("it fell", at: .zero)
    _ = life.deadline(at: .seconds(1), linger: Self.linger)
    _ = life.died("it fell", at: .seconds(62))
    #expect(life.state == .waiting(until: .seconds(62) + WorkerLife.firstWait))
  }

  @Test func `an unneeded worker lingers, is drained, and stays away`() {
    var life = Self.running()
    life.release(at: .seconds(10))
    #expect(life.nextDeadline(linger: Self.linger) == .seconds(70))
    #expect(life.deadline(at: .seconds(69), linger: Self.linger) == nil)
    #expect(life.deadline(at: .seconds(70), linger: Self.linger) == .shutDown)
    #expect(life.died("it exited", at: .seconds(70.2)) == nil)
    #expect(life.state == .stopped)
    #expect(life.need(at: .seconds(80)) == .spawn)
  }

  @Test func `a worker needed while it is drained is started again after its end`() {
    var life = Self.running()
    life.release(at: .zero)
    _ = life.deadline(at: .seconds(60), linger: Self.linger)
    #expect(life.need(at: .seconds(60)) == nil)
    #expect(life.died("it exited", at: .seconds(60)) == .spawn)
  }

  @Test func `a stop sends shutdown, TERM and KILL, a second apart, and repeats KILL`() {
    var life = Self.running()
    #expect(life.retire(at: .zero) == .shutDown)
    #expect(life.deadline(at: .seconds(0.9), linger: Self.linger) == nil)
    #expect(life.deadline(at: .seconds(1), linger: Self.linger) == .terminate)
    #expect(life.deadline(at: .seconds(2), linger: Self.linger) == .kill)
    #expect(life.deadline(at: .seconds(3), linger: Self.linger) == .kill)
    #expect(life.died("it was killed", at: .seconds(3)) == nil)
    #expect(life.state == .stopped)
    #expect(life.need(at: .seconds(4)) == nil)
  }

  @Test func `a restart during a kill waits for the death`() {
    var life = Self.running()
    _ = life.giveUp("it lied")
    #expect(life.hasProcess)
    #expect(life.restart(at: .zero) == .kill)
    #expect(life.died("it was killed", at: .seconds(0.1)) == .spawn)
  }

  @Test func `a restart clears the counted deaths`() {
    var life = Self.running()
    for _ in 0..<4 {
      _ = life.died("it fell", at: .zero)
      _ = life.deadline(at: .seconds(1), linger: Self.linger)
    }
    #expect(life.restart(at: .seconds(1)) == .shutDown)
    #expect(life.died("it exited", at: .seconds(1)) == .spawn)
    #expect(life.died("it fell", at: .seconds(1)) == nil)
    #expect(life.state == .waiting(until: .seconds(1) + WorkerLife.firstWait))
  }

  /// Every sequence of five events: never two processes, none after the end, and no deadline without an effect.
  @Test func `any five events lead to at most one process, which is always stopped`() {
    let count = Event.allCases.count
    for code in 0..<(count * count * count * count * count) {
      var life = WorkerLife()
      var now = Duration.zero
      var isThere = false
      var isRetired = false
      var rest = code
      var story: [Event] = []
      for _ in 0..<5 {
        let event = Event.allCases[rest % count]
        rest /= count
        story.append(event)
        now = event == .deadline ? life.nextDeadline(linger: Self.linger) ?? now : now + .milliseconds(1)
        if event == .died || event == .noRoom { isThere = false }
        let action = event.happen(to: &life, at: now)
        if event == .retire { isRetired = true }
        if action == .spawn {
          #expect(!isThere && !isRetired, "spawned beside another, or after the end: \(story)")
          isThere = true
        }
        #expect(life.hasProcess == isThere, "\(story)")
        if case .waiting = life.state { #expect(!isThere, "\(story)") }
        if case .running = life.state { #expect(isThere, "\(story)") }
        if let next = life.nextDeadline(linger: Self.linger) { #expect(next > now - Self.linger, "\(story)") }
      }
    }
  }
}

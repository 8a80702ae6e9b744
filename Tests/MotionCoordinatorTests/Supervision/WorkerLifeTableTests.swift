import Testing

@testable import MotionCoordinator

/// Each event in each state of a worker's life: the whole table.
struct WorkerLifeTableTests {
  enum Place: CaseIterable {
    case stopped, running, stopping, waiting, quarantinedDying, quarantinedDead

    /// A life that reached this place at time zero; needed, except where it is stopped.
    var life: WorkerLife {
      var life = WorkerLife()
      if self != .stopped { _ = life.need(at: .zero) }
      switch self {
      case .stopped, .running: break
      case .stopping: _ = life.stop(at: .zero)
      case .waiting: _ = life.died("a crash", at: .zero)
      case .quarantinedDying: _ = life.giveUp("bad")
      case .quarantinedDead:
        _ = life.giveUp("bad")
        _ = life.died("a signal", at: .zero)
      }
      return life
    }
  }

  /// The result of an event where it changes anything; every other event leaves the state unchanged and requests no
  /// action.
  ///
  /// The reasons are those that ``WorkerLifeTests/Event`` gives.
  private static func outcome(
    of event: WorkerLifeTests.Event, in place: Place, at now: Duration
  ) -> (action: WorkerLife.Action?, state: WorkerLife.State) {
    let stopping = WorkerLife.State.stopping(.shutdown, next: now + .seconds(1))
    switch (place, event) {
    case (_, .giveUp): return (.quarantine(reason: "it lied"), .quarantined(reason: "it lied"))
    case (_, .quarantine): return (nil, .quarantined(reason: "its neighbour lied"))
    case (.stopped, .need): return (.spawn, .running)
    case (.running, .died), (.running, .noRoom): return (nil, .waiting(until: now + .milliseconds(100)))
    case (.running, .restart), (.running, .stop), (.running, .retire): return (.shutDown, stopping)
    case (.stopping, .died), (.stopping, .noRoom): return (.spawn, .running)
    case (.stopping, .deadline): return (.terminate, .stopping(.terminate, next: now + .seconds(1)))
    case (.waiting, .restart), (.waiting, .deadline): return (.spawn, .running)
    case (.waiting, .stop), (.waiting, .retire): return (nil, .stopped)
    case (.quarantinedDying, .restart): return (.kill, .stopping(.kill, next: now + .seconds(1)))
    case (.quarantinedDead, .restart): return (.spawn, .running)
    default: return (nil, place.life.state)
    }
  }

  @Test(arguments: Place.allCases, WorkerLifeTests.Event.allCases)
  func `each event in each state has one outcome`(place: Place, event: WorkerLifeTests.Event) {
    var life = place.life
    let now = Duration.seconds(1)
    let expected = Self.outcome(of: event, in: place, at: now)
    #expect(event.happen(to: &life, at: now) == expected.action)
    #expect(life.state == expected.state)
  }

  @Test(arguments: Place.allCases) func `a retired worker is never started again`(place: Place) {
    var life = place.life
    _ = life.retire(at: .zero)
    #expect(life.need(at: .zero) == nil)
    #expect(life.restart(at: .zero) == nil)
    #expect(life.died("it was asked to", at: .zero) == nil)
    #expect(life.deadline(at: .seconds(100), linger: WorkerLifeTests.linger) == nil)
    #expect(!life.hasProcess)
  }
}

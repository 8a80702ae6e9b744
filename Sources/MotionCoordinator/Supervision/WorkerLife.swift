import MotionModel

/// Decides when a worker is started, stopped, restarted and quarantined. This type only decides; its owner acts.
///
/// Times are those of the boot clock. Each call is one event; the caller carries out the returned action.
struct WorkerLife {
  /// The state of the worker.
  enum State: Equatable {
    /// No executor needs it.
    case stopped
    /// Its process is being spawned, or runs and serves, or is about to.
    case running
    /// It was sent the command to finish; the last step that was used, and when the next is due.
    case stopping(Rung, next: Duration)
    /// It died and will be restarted at this time.
    case waiting(until: Duration)
    /// It died too often; its process may still be ending.
    case quarantined(reason: String)
  }

  /// The steps by which a worker is stopped, each one second after the one before.
  enum Rung: Equatable {
    case shutdown
    case terminate
    case kill
  }

  /// An action for the caller.
  enum Action: Equatable {
    case spawn
    case shutDown
    case terminate
    case kill
    case quarantine(reason: String)
  }

  /// The backoff before the first restart; each further one is twice as long.
  static let firstWait = Duration.milliseconds(100)
  /// The longest backoff before a restart.
  static let longestWait = Duration.seconds(10)
  /// After so many deaths within ``deathWindow`` the plugin is quarantined until an operator restarts it.
  static let deathsAllowed = 5
  static let deathWindow = Duration.seconds(60)
  /// The longest backoff while the machine has no room for another process: once there is room, a show misses a worker
  /// for no longer than that.
  static let longestRoomWait = Duration.seconds(2)
  /// How long each step of stopping may take.
  static let rungTime = Duration.seconds(1)

  private(set) var state = State.stopped
  /// How often it was restarted.
  private(set) var restarts = 0
  /// How its last life ended.
  private(set) var lastReason = ""
  /// Whether it is needed: an executor lives in it, or will.
  private(set) var isNeeded = false
  /// Whether it has a process: from each `spawn` until ``died(_:at:)``. Nothing is spawned meanwhile.
  private(set) var hasProcess = false
  /// Whether it is never restarted, because the coordinator stops.
  private var isRetired = false
  /// Whether it is restarted at once after it has stopped.
  private var restartsAfterStop = false
  private var deaths: [Duration] = []
  private var wait = WorkerLife.firstWait
  /// Whether it waits for room and not after a death.
  private(set) var lacksRoom = false
  private var roomWait = WorkerLife.firstWait
  private var unneededSince: Duration?

  /// An executor lives in the worker.
  mutating func need(at now: Duration) -> Action? {
    guard !isRetired else { return nil }
    isNeeded = true
    unneededSince = nil
    switch state {
    case .stopped: return begin()
    case .stopping:
      restartsAfterStop = true
      return nil
    case .running, .waiting, .quarantined: return nil
    }
  }

  /// No executor lives in the worker any more.
  mutating func release(at now: Duration) {
    guard isNeeded else { return }
    isNeeded = false
    unneededSince = now
  }

  /// Handles the end of the worker's process, for whatever reason.
  ///
  /// - Parameter counts: whether it counts against the plugin. A death that was risked to find the intention on which
  ///   the worker dies does not, and the restart follows after the first backoff: ``Suspicion`` bounds how many there
  ///   are.
  mutating func died(_ reason: String, counts: Bool = true, at now: Duration) -> Action? {
    guard hasProcess else { return nil }
    hasProcess = false
    lastReason = reason
    switch state {
    case .stopping:
      state = .stopped
      let again = (restartsAfterStop || isNeeded) && !isRetired
      restartsAfterStop = false
      return again ? begin() : nil
    case .running where counts: return recover(at: now)
    case .running:
      state = isNeeded ? .waiting(until: now + Self.firstWait) : .stopped
      return nil
    case .quarantined: return nil
    case .stopped, .waiting: preconditionFailure("a worker that is \(state) has a process")
    }
  }

  /// Handles a process that could not be started, or not be watched, because the machine lacked a resource. That is no
  /// fault of the plugin and does not count as a death, however often it happens: the start is retried until there is
  /// room.
  mutating func foundNoRoom(_ reason: String, at now: Duration) -> Action? {
    guard case .running = state else { return died(reason, counts: false, at: now) }
    guard hasProcess else { return nil }
    hasProcess = false
    lastReason = reason
    lacksRoom = true
    roomWait = startAgain(after: roomWait, longest: Self.longestRoomWait, at: now)
    return nil
  }

  /// The worker's process runs: there is room.
  mutating func foundRoom() { (lacksRoom, roomWait) = (false, Self.firstWait) }

  /// Forgets the deaths so far: their cause was found, and is not the plugin.
  mutating func forgive() {
    deaths = []
    wait = Self.firstWait
  }

  /// Takes the place of another worker, and continues its restart count and last reason, which people are shown.
  mutating func succeed(_ former: WorkerLife) {
    restarts = former.restarts
    lastReason = former.lastReason
  }

  /// Records how its predecessor ended.
  mutating func note(formerEnd reason: String) { lastReason = reason }

  /// The worker can never serve as it is: its version is wrong, or it violates the protocol.
  mutating func giveUp(_ reason: String) -> Action {
    lastReason = reason
    state = .quarantined(reason: reason)
    return .quarantine(reason: reason)
  }

  /// Its plugin was quarantined because of another of its workers.
  mutating func quarantine(_ reason: String) {
    state = .quarantined(reason: reason)
  }

  /// Stops and restarts the worker on request; lifts a quarantine. A worker that neither runs nor is needed is not
  /// started.
  mutating func restart(at now: Duration) -> Action? {
    guard !isRetired else { return nil }
    deaths = []
    wait = Self.firstWait
    switch state {
    case .running:
      restartsAfterStop = true
      return stop(at: now)
    case .stopping:
      restartsAfterStop = true
      return nil
    case .quarantined where hasProcess:
      // It is being killed; its next life begins when the process is gone.
      restartsAfterStop = isNeeded
      state = .stopping(.kill, next: now + Self.rungTime)
      return .kill
    case .waiting, .quarantined, .stopped:
      state = .stopped
      return isNeeded ? begin() : nil
    }
  }

  /// Begins to stop the worker: the first step of stopping.
  mutating func stop(at now: Duration) -> Action? {
    switch state {
    case .running:
      state = .stopping(.shutdown, next: now + Self.rungTime)
      return .shutDown
    case .waiting:
      state = .stopped
      return nil
    case .stopped, .stopping, .quarantined: return nil
    }
  }

  /// Stops the worker and never restarts it, whatever happens.
  mutating func retire(at now: Duration) -> Action? {
    isRetired = true
    restartsAfterStop = false
    return stop(at: now)
  }

  /// When ``deadline(at:linger:)`` has to be called; `nil` when time changes nothing.
  func nextDeadline(linger: Duration) -> Duration? {
    switch state {
    case .stopping(_, let next): next
    case .waiting(let until): until
    case .running: unneededSince.map { $0 + linger }
    case .stopped, .quarantined: nil
    }
  }

  /// Handles the passing of time.
  mutating func deadline(at now: Duration, linger: Duration) -> Action? {
    guard let due = nextDeadline(linger: linger), now >= due else { return nil }
    switch state {
    case .stopping(.shutdown, _):
      state = .stopping(.terminate, next: now + Self.rungTime)
      return .terminate
    case .stopping:
      state = .stopping(.kill, next: now + Self.rungTime)
      return .kill
    case .waiting:
      guard isNeeded else {
        state = .stopped
        return nil
      }
      if !lacksRoom { restarts += 1 }
      return begin()
    case .running:
      unneededSince = nil
      return stop(at: now)
    case .stopped, .quarantined: return nil
    }
  }

  private mutating func begin() -> Action {
    precondition(!hasProcess && !isRetired, "a worker that is \(state) is started twice, or after the end")
    state = .running
    hasProcess = true
    return .spawn
  }

  private mutating func recover(at now: Duration) -> Action? {
    if let last = deaths.last, now - last > Self.deathWindow { wait = Self.firstWait }
    deaths.append(now)
    deaths.removeAll { now - $0 > Self.deathWindow }
    guard deaths.count < Self.deathsAllowed else {
      return giveUp("it died \(deaths.count) times within 60 s, the last time because \(lastReason)")
    }
    wait = startAgain(after: wait, longest: Self.longestWait, at: now)
    return nil
  }

  /// Restarts the worker after this backoff, if it is needed.
  ///
  /// - Returns: the next backoff: twice as long.
  private mutating func startAgain(after wait: Duration, longest: Duration, at now: Duration) -> Duration {
    guard isNeeded else {
      state = .stopped
      return wait
    }
    state = .waiting(until: now + wait)
    return min(wait * 2, longest)
  }
}

import MotionModel

/// Decides when a worker is started, stopped, started again and given up: the decision alone.
///
/// Times are those of the boot clock. Each call is one event; what it returns is to be done.
struct WorkerLife {
  /// Where it is.
  enum State: Equatable {
    /// When nothing needs it.
    case stopped
    /// When its process is being spawned or runs and serves, or is about to.
    case running
    /// When it was asked to finish, and by which means last.
    case stopping(Rung, next: Duration)
    /// When it died and will be started again at this time.
    case waiting(until: Duration)
    /// When it died too often; its process may still be dying.
    case quarantined(reason: String)
  }

  /// The steps by which a worker is stopped, each one second after the one before.
  enum Rung: Equatable {
    case shutdown
    case terminate
    case kill
  }

  /// What has to be done.
  enum Action: Equatable {
    case spawn
    case shutDown
    case terminate
    case kill
    case quarantine(reason: String)
  }

  /// The wait before the first restart; each further one is twice as long.
  static let firstWait = Duration.milliseconds(100)
  /// The longest wait before a restart.
  static let longestWait = Duration.seconds(10)
  /// So many deaths in so long a time, and the plugin is given up until somebody restarts it.
  static let deathsAllowed = 5
  static let deathWindow = Duration.seconds(60)
  /// The longest wait for a machine that has no room for another process: a show misses a worker no longer than that after
  /// there is.
  static let longestRoomWait = Duration.seconds(2)
  /// How long each step of stopping may take.
  static let rungTime = Duration.seconds(1)

  private(set) var state = State.stopped
  /// How often it was started again.
  private(set) var restarts = 0
  /// How its last life ended.
  private(set) var lastReason = ""
  /// Whether it is needed: an executor lives in it, or will.
  private(set) var isNeeded = false
  /// Whether there is a process of it: from each `spawn` until ``died(_:at:)``. Nothing is spawned meanwhile.
  private(set) var hasProcess = false
  /// Whether it is never started again, because the coordinator stops.
  private var isRetired = false
  /// Whether it is to be started again at once after it has stopped.
  private var restartsAfterStop = false
  private var deaths: [Duration] = []
  private var wait = WorkerLife.firstWait
  /// Whether it waits for room and not after a death.
  private(set) var lacksRoom = false
  private var roomWait = WorkerLife.firstWait
  private var unneededSince: Duration?

  /// An executor lives in it.
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

  /// No executor lives in it any more.
  mutating func release(at now: Duration) {
    guard isNeeded else { return }
    isNeeded = false
    unneededSince = now
  }

  /// Its process has ended, whyever.
  ///
  /// - Parameter counts: whether that counts against the plugin. A death that was risked to find the intention on which
  ///   the worker dies does not, and is made good after the first wait: ``Suspicion`` bounds how many there are.
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

  /// Its process could not be started, or not be watched, since the machine lacked something. That is nobody's fault and
  /// counts as no death, however often it happens: it is tried again until there is room.
  mutating func foundNoRoom(_ reason: String, at now: Duration) -> Action? {
    guard case .running = state else { return died(reason, counts: false, at: now) }
    guard hasProcess else { return nil }
    hasProcess = false
    lastReason = reason
    lacksRoom = true
    roomWait = startAgain(after: roomWait, longest: Self.longestRoomWait, at: now)
    return nil
  }

  /// Its process runs: there is room.
  mutating func foundRoom() { (lacksRoom, roomWait) = (false, Self.firstWait) }

  /// Its deaths so far have found their reason, which is not the plugin.
  mutating func forgive() {
    deaths = []
    wait = Self.firstWait
  }

  /// It takes the place of another: what people are told of that goes on.
  mutating func succeed(_ former: WorkerLife) {
    restarts = former.restarts
    lastReason = former.lastReason
  }

  /// Whom it has succeeded has ended so.
  mutating func note(formerEnd reason: String) { lastReason = reason }

  /// It can never serve as it is: a wrong version, a broken promise.
  mutating func giveUp(_ reason: String) -> Action {
    lastReason = reason
    state = .quarantined(reason: reason)
    return .quarantine(reason: reason)
  }

  /// Its plugin was given up because of another of its workers.
  mutating func quarantine(_ reason: String) {
    state = .quarantined(reason: reason)
  }

  /// Somebody wants it stopped and started anew; lifts a quarantine. What neither runs nor is needed
  /// is not started.
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
      // It is being killed; its successor begins when it is gone.
      restartsAfterStop = isNeeded
      state = .stopping(.kill, next: now + Self.rungTime)
      return .kill
    case .waiting, .quarantined, .stopped:
      state = .stopped
      return isNeeded ? begin() : nil
    }
  }

  /// It is to finish: the first step of stopping.
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

  /// It is to finish and is never started again, whatever happens.
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

  /// Time has passed.
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

  /// If it is needed, it begins again after this wait.
  ///
  /// - Returns: how long to wait the next time: twice as long.
  private mutating func startAgain(after wait: Duration, longest: Duration, at now: Duration) -> Duration {
    guard isNeeded else {
      state = .stopped
      return wait
    }
    state = .waiting(until: now + wait)
    return min(wait * 2, longest)
  }
}

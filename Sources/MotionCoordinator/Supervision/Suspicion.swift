import MotionModel

/// Finds the intention on which a worker dies, so that it is given up and its plugin is not: the decision alone.
///
/// A death speaks against the intentions that the worker was given shortly before, or had not acknowledged. Two deaths
/// that speak against the same ones put those under suspicion, each bisection a life, or a part of one, in which they are withheld
/// from the worker: first all of them, to see that it lives without; then they are given back in halves. What the worker
/// dies on alone is quarantined; what it lives with is acquitted, and so is everything if it dies without them too: then the
/// fault is the plugin's. What the worker has held for longer than ``window`` is never suspected.
///
/// Times are those of the boot clock. Each call is one event; what it returns is to be done, in order.
struct Suspicion {
  /// How long after an intention was taken up a death may be its doing: the first ticks at 1 Hz, or 120 at 120 Hz, and as
  /// long as a silence lasts before it counts as one.
  static let window = Duration.seconds(1)
  /// The shortest bisection: five heartbeats fit into the longest, and one into this.
  static let shortestBisection = Duration.milliseconds(250)
  /// A bisection lasts so many times as long as the slowest death before it took.
  static let bisectionFactor = 4
  /// A worker that dies on so many intentions within ``WorkerLife/deathWindow`` dies on whatever it is given.
  static let quarantinesAllowed = 5
  /// How often the worker has to die on an intention that is quarantined.
  static let deathsNeeded = 2

  /// Where it is.
  enum Stage: Equatable {
    /// When no death speaks against any intention.
    case calm
    /// When one death speaks against these.
    case suspecting([IntentionIdentity])
    /// When two or more do, and it is being tried which of them it is.
    case bisecting(Bisection)
    /// When the worker died without any of the suspects: nobody is suspected until it has lived for longer than ``window``.
    case blamingPlugin
  }

  /// A bisection that is under way.
  struct Bisection: Equatable {
    /// What the worker is given in this bisection and has not lived with before; nothing in the first.
    var present: [IntentionIdentity] = []
    /// What is withheld from it, in the groups in which it will be tried, the last first.
    var remaining: [[IntentionIdentity]]
    /// Since when the worker has all that it is tried with; `nil` before.
    var since: Duration?
    /// How long it has to live.
    var length: Duration
    /// When to look next whether it was heard late enough to have lived so long.
    var due: Duration?
  }

  /// What has to be done.
  enum Action: Equatable {
    /// Withhold these, and what is added meanwhile; `nil`: nothing any more.
    case withhold([IntentionIdentity]?)
    /// Give this up: the worker died so often on it.
    case quarantine(IntentionIdentity, deaths: Int)
    /// The worker dies on whatever it is given: give the plugin up.
    case giveUp(quarantined: Int)
  }

  /// What follows from a death.
  struct Verdict: Equatable {
    /// Whether the death counts against the plugin; those in a bisection do not.
    var counts = true
    var actions: [Action] = []
  }

  private(set) var stage = Stage.calm
  /// What the worker printed and why it ended when it last died on what is suspected.
  private(set) var evidence = ""
  private var exposures = Exposures()
  /// In how many deaths each of the suspects was exposed.
  private var deaths: [IntentionIdentity: Int] = [:]
  /// The longest that the worker lived with the suspects before it died.
  private var slowest = Duration.zero
  private var readySince: Duration?
  private var quarantines: [Duration] = []

  // MARK: What the worker is given

  /// A life begins, also after one whose end was nobody's business here: what was given before is forgotten.
  mutating func begins() {
    exposures = Exposures()
    readySince = nil
  }

  /// The worker was sent an intention, by the command of this number or by a snapshot that includes it.
  mutating func handed(_ identity: IntentionIdentity, command: UInt64, at now: Duration) {
    exposures.add(identity, command: command, at: now)
  }

  /// The worker has everything up to this command, and serves.
  mutating func acknowledged(_ command: UInt64, at now: Duration) {
    if readySince == nil { readySince = now }
    exposures.acknowledge(command, at: now, forgetting: Self.window)
    guard case .bisecting(var bisection) = stage, bisection.since == nil, !exposures.areOwed else { return }
    (bisection.since, bisection.due) = (now, now + bisection.length)
    stage = .bisecting(bisection)
  }

  // MARK: Time

  /// When ``deadline(at:lastHeard:isLive:)`` has to be called; `nil` when time changes nothing.
  var nextDeadline: Duration? { if case .bisecting(let bisection) = stage { bisection.due } else { nil } }

  /// Time has passed: a bisection that the worker has lived through is over.
  mutating func deadline(
    at now: Duration, lastHeard: Duration, isLive: (IntentionIdentity) -> Bool
  ) -> [Action] {
    guard case .bisecting(var bisection) = stage, let due = bisection.due, now >= due, let since = bisection.since
    else { return [] }
    guard lastHeard >= since + bisection.length else {
      // Its next heartbeat, a second later at most, says whether it lives.
      bisection.due = now + Self.shortestBisection
      stage = .bisecting(bisection)
      return []
    }
    if bisection.present.isEmpty, bisection.remaining.count == 1, let suspects = bisection.remaining.first,
      suspects.count == 1,
      deaths[suspects[0], default: 0] >= Self.deathsNeeded
    {
      bisection.remaining = []
      return quarantine(suspects[0], at: now, goingOnWith: bisection, isLive)
    }
    if bisection.present.isEmpty { bisection.remaining = bisection.remaining.flatMap(Self.halves) }
    return goOn(bisection, isLive)
  }

  // MARK: Deaths

  /// The worker has died.
  ///
  /// - Parameters:
  ///   - time: when it died; of one that fell silent, when it was last heard.
  ///   - evidence: why and with which last words, if the death may be an intention's doing; `nil` if it was ended from
  ///     outside, or had not begun.
  ///   - isLive: whether an intention has not ended.
  mutating func died(
    at time: Duration, evidence: String?, isLive: (IntentionIdentity) -> Bool
  ) -> Verdict {
    let exposed = exposures.end(at: time, within: Self.window).filter { isLive($0.identity) }
    let wasLong = readySince.map { time - $0 > Self.window } ?? false
    readySince = nil
    if case .bisecting(let bisection) = stage { return died(in: bisection, at: time, evidence, exposed, isLive) }
    guard let evidence else {
      if wasLong { stage = .calm }
      return Verdict()
    }
    if stage == .blamingPlugin, !wasLong { return Verdict() }
    return suspect(exposed, at: time, evidence)
  }

  /// Nothing is suspected any more, and nothing withheld: the worker is stopped, or its plugin given up or restarted.
  mutating func end() -> [Action] {
    defer { self = Suspicion() }
    return if case .bisecting = stage { [.withhold(nil)] } else { [] }
  }

  private mutating func suspect(_ exposed: [Exposures.Exposure], at time: Duration, _ evidence: String) -> Verdict {
    let identities = exposed.map(\.identity)
    var suspects = identities
    if case .suspecting(let earlier) = stage {
      let both = Set(earlier).intersection(identities)
      suspects = both.isEmpty ? identities : identities.filter(both.contains)
    }
    let isNew = !suspects.contains { deaths[$0] != nil }
    let before = isNew ? [:] : deaths
    deaths = [:]
    for identity in suspects { deaths[identity] = before[identity, default: 0] + 1 }
    slowest = isNew ? .zero : slowest
    note(exposed, at: time, evidence)
    guard let first = suspects.first else {
      stage = .calm
      return Verdict()
    }
    guard deaths[first, default: 0] >= Self.deathsNeeded else {
      stage = .suspecting(suspects)
      return Verdict()
    }
    stage = .bisecting(Bisection(remaining: [suspects], length: length))
    return Verdict(actions: [.withhold(suspects)])
  }

  private mutating func died(
    in bisection: Bisection, at time: Duration, _ evidence: String?, _ exposed: [Exposures.Exposure],
    _ isLive: (IntentionIdentity) -> Bool
  ) -> Verdict {
    var bisection = bisection
    (bisection.since, bisection.due) = (nil, nil)
    // Ended by somebody else: the same again.
    stage = .bisecting(bisection)
    guard let evidence else { return Verdict() }
    guard !bisection.present.isEmpty else {
      stage = .blamingPlugin
      deaths = [:]
      return Verdict(actions: [.withhold(nil)])
    }
    let present = Set(bisection.present)
    let guilty = exposed.filter { present.contains($0.identity) }
    // It died of something else before it was given them.
    guard !guilty.isEmpty else { return Verdict() }
    for exposure in guilty { deaths[exposure.identity, default: 0] += 1 }
    note(guilty, at: time, evidence)
    bisection.length = length
    guard guilty.count == 1, let one = guilty.first?.identity else {
      bisection.remaining += Self.halves(guilty.map(\.identity))
      return Verdict(counts: false, actions: goOn(bisection, isLive))
    }
    guard deaths[one, default: 0] >= Self.deathsNeeded else {
      stage = .bisecting(bisection)
      return Verdict(counts: false)
    }
    return Verdict(counts: false, actions: quarantine(one, at: time, goingOnWith: bisection, isLive))
  }

  // MARK: Helpers

  private var length: Duration { min(max(slowest * Self.bisectionFactor, Self.shortestBisection), Self.window) }

  private mutating func note(_ exposed: [Exposures.Exposure], at time: Duration, _ evidence: String) {
    self.evidence = evidence
    for exposure in exposed { slowest = max(slowest, time - (exposure.acknowledgedAt ?? exposure.handedAt)) }
  }

  private mutating func quarantine(
    _ identity: IntentionIdentity, at now: Duration, goingOnWith bisection: Bisection,
    _ isLive: (IntentionIdentity) -> Bool
  ) -> [Action] {
    quarantines.append(now)
    quarantines.removeAll { now - $0 > WorkerLife.deathWindow }
    let action = Action.quarantine(identity, deaths: deaths[identity, default: 0])
    guard quarantines.count >= Self.quarantinesAllowed else {
      return [action] + goOn(bisection, { $0 != identity && isLive($0) })
    }
    (stage, deaths) = (.calm, [:])
    return [action, .withhold(nil), .giveUp(quarantined: quarantines.count)]
  }

  /// Goes on to the next group of which something has not ended; the bisection is over when there is none.
  private mutating func goOn(_ bisection: Bisection, _ isLive: (IntentionIdentity) -> Bool) -> [Action] {
    var bisection = bisection
    (bisection.since, bisection.due) = (nil, nil)
    while let group = bisection.remaining.popLast() {
      bisection.present = group.filter(isLive)
      guard !bisection.present.isEmpty else { continue }
      stage = .bisecting(bisection)
      return [.withhold(bisection.remaining.flatMap { $0 })]
    }
    stage = .calm
    deaths = [:]
    return [.withhold(nil)]
  }

  private static func halves(_ group: [IntentionIdentity]) -> [[IntentionIdentity]] {
    guard group.count > 1 else { return [group] }
    let middle = group.count / 2
    return [Array(group[middle...]), Array(group[..<middle])]
  }
}

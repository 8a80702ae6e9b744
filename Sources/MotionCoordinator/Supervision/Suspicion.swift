import MotionModel

/// Finds the intention on which a worker crashes, so that this intention is given up and its plugin is not. This type
/// only decides; its owner acts.
///
/// A death makes suspects of the intentions that the worker was sent shortly before, or had not acknowledged. Two
/// deaths with the same suspects start a series of bisections. Each is a life, or a part of one, in which suspects are
/// withheld from the worker: first all of them, to check that it survives without them; then they are given back in
/// halves. An intention on which the worker crashes alone is quarantined; those with which it survives are acquitted.
/// If it crashes without the suspects, all other intentions that it was sent become suspects, too: an older one may have
/// become deadly just after newer ones were added. If it crashes without any intention, all are acquitted, and the fault
/// is the plugin's. An intention that the worker has held for longer than ``window`` is not suspected.
///
/// A simpler rule, to quarantine the newest exposed intention after two deaths, does as well only if the bad intention is
/// the newest: two deaths with either. Each figure is of 400 simulated histories with 40 intentions:
///
/// | the bad intention | bisection: deaths, found | newest: deaths, innocent ones quarantined, found |
/// |---|---|---|
/// | is somewhere in one transaction | 7.4 (8 at most), always | 9.5, 4.6, in 13 % |
/// | kills 0.5 s after it was added, 3 were added meanwhile | 4, always | 8, 3, always |
/// | the same, 10 were added meanwhile | 5, always | 10, 5, never |
/// | is old and becomes deadly | 8.4 (9 at most), always | 10.5, 4.6, in 13 % |
/// | there is none: the plugin crashes after each start | 5 | 10, 5 |
///
/// Where the bad intention is not found, its plugin is quarantined, and all its intentions fail. The bisection
/// quarantines no innocent intention in any of these.
///
/// Times are those of the boot clock. Each call is one event; the caller carries out the returned actions, in order.
struct Suspicion {
  /// How long after an acknowledgement an intention may be the cause of a death. That covers the first ticks at 1 Hz,
  /// or 120 at 120 Hz, and is as long as a worker may be silent before it is fenced.
  static let window = Duration.seconds(1)
  /// The shortest bisection: five heartbeats fit into the longest, and one into this.
  static let shortestBisection = Duration.milliseconds(250)
  /// The ratio of a bisection's length to the longest time to a death before it.
  static let bisectionFactor = 4
  /// A worker that crashes on so many intentions within ``WorkerLife/deathWindow`` crashes on any intention.
  static let quarantinesAllowed = 5
  /// How many deaths on an intention quarantine it.
  static let deathsNeeded = 2

  /// The stage of the search.
  enum Stage: Equatable {
    /// No death points to any intention.
    case calm
    /// One death points to these.
    case suspecting([IntentionIdentity])
    /// Two or more deaths do, and the bisections determine which of them it is.
    case bisecting(Bisection)
    /// The worker died without any intention: none is suspected until it has lived for longer than ``window``.
    case blamingPlugin
  }

  /// A bisection in progress.
  struct Bisection: Equatable {
    /// The intentions that the worker is sent in this bisection and has not survived before; none in the first.
    var present: [IntentionIdentity] = []
    /// The intentions withheld from it, in the groups in which they will be tried, the last first.
    var remaining: [[IntentionIdentity]]
    /// Since when the worker has all intentions of this bisection; `nil` before.
    var since: Duration?
    /// How long it has to survive.
    var length: Duration
    /// When to check next whether its last message came late enough to prove that.
    var due: Duration?
  }

  /// An action for the caller.
  enum Action: Equatable {
    /// Withhold these, and those added meanwhile; `nil`: stop withholding.
    case withhold([IntentionIdentity]?)
    /// Give this up: the worker died so often on it.
    case quarantine(IntentionIdentity, deaths: Int)
    /// The worker dies on any intention: give the plugin up.
    case giveUp(quarantined: Int)
  }

  /// The consequences of a death.
  struct Verdict: Equatable {
    /// Whether the death counts against the plugin; those in a bisection do not.
    var counts = true
    var actions: [Action] = []
  }

  private(set) var stage = Stage.calm
  /// The last log lines and the reason of the worker's last death on the suspects.
  private(set) var evidence = ""
  private var exposures = Exposures()
  /// The number of deaths in which each suspect was exposed.
  private var deaths: [IntentionIdentity: Int] = [:]
  /// The longest time that the worker survived with the suspects before it died.
  private var slowest = Duration.zero
  private var readySince: Duration?
  private var quarantines: [Duration] = []

  // MARK: Intentions sent to the worker

  /// A life begins, also after one whose end was not judged here: earlier exposures are forgotten.
  mutating func begins() {
    exposures = Exposures()
    readySince = nil
  }

  /// The worker was sent an intention, by the command of this number or by a snapshot that includes it.
  mutating func handed(_ identity: IntentionIdentity, command: UInt64, at now: Duration) {
    exposures.add(identity, command: command, at: now)
  }

  /// The worker has acknowledged all commands up to this one, and serves.
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

  /// Handles the passing of time: ends a bisection that the worker has survived.
  mutating func deadline(
    at now: Duration, lastHeard: Duration, isLive: (IntentionIdentity) -> Bool
  ) -> [Action] {
    guard case .bisecting(var bisection) = stage, let due = bisection.due, now >= due, let since = bisection.since
    else { return [] }
    guard lastHeard >= since + bisection.length else {
      // Its next heartbeat, a second later at most, shows whether it is alive.
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

  /// Handles the death of the worker.
  ///
  /// - Parameters:
  ///   - time: when it died; for a worker that fell silent, when its last message came.
  ///   - evidence: the reason and the last log lines, if an intention may be the cause; `nil` if the worker was ended
  ///     from outside, or had not begun.
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

  /// Ends all suspicion and withholding: the worker is stopped, or its plugin is given up or restarted.
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
    // If it was ended from outside, the same bisection is repeated.
    stage = .bisecting(bisection)
    guard let evidence else { return Verdict() }
    guard !bisection.present.isEmpty else { return died(without: bisection.remaining, exposed, at: time, evidence) }
    let present = Set(bisection.present)
    let guilty = exposed.filter { present.contains($0.identity) }
    // It died for another reason before it received them.
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

  /// The worker died without the suspects: the others that it was sent become suspects, too.
  private mutating func died(
    without suspects: [[IntentionIdentity]], _ others: [Exposures.Exposure], at time: Duration, _ evidence: String
  ) -> Verdict {
    guard !others.isEmpty else {
      stage = .blamingPlugin
      deaths = [:]
      return Verdict(actions: [.withhold(nil)])
    }
    for exposure in others { deaths[exposure.identity, default: 0] += 1 }
    note(others, at: time, evidence)
    let all = suspects.flatMap { $0 } + others.map(\.identity)
    stage = .bisecting(Bisection(remaining: [all], length: length))
    return Verdict(actions: [.withhold(all)])
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

  /// Continues with the next group in which an intention has not ended; the bisection is over when there is none.
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

import MotionModel

/// Finds the intention on which a worker dies, so that it is given up and its plugin is not: the decision alone.
///
/// A death speaks against the intentions that the worker was given shortly before, or had not acknowledged. Two deaths
/// that speak against the same ones put those on trial, each trial a life, or a part of one, in which they are withheld
/// from the worker: first all of them, to see that it lives without; then they are given back in halves. What the worker
/// dies on alone is condemned; what it lives with is acquitted, and so is everything if it dies without them too: then the
/// fault is the plugin's. What the worker has held for longer than ``window`` is never accused.
///
/// Times are those of the boot clock. Each call is one event; what it returns is to be done, in order.
struct Suspicion {
  /// How long after an intention was taken up a death may be its doing: the first ticks at 1 Hz, or 120 at 120 Hz, and as
  /// long as a silence lasts before it counts as one.
  static let window = Duration.seconds(1)
  /// The shortest trial: five heartbeats fit into the longest, and one into this.
  static let shortestTrial = Duration.milliseconds(250)
  /// A trial lasts so many times as long as the slowest death before it took.
  static let trialFactor = 4
  /// A worker that dies on so many intentions within ``WorkerLife/deathWindow`` dies on whatever it is given.
  static let condemnationsAllowed = 5
  /// How often the worker has to die on an intention that is condemned.
  static let deathsNeeded = 2

  /// Where it is.
  enum Stage: Equatable {
    /// When no death speaks against any intention.
    case calm
    /// When one death speaks against these.
    case accusing([IntentionIdentity])
    /// When two or more do, and it is being tried which of them it is.
    case trying(Trial)
    /// When the worker died without any of the accused: nobody is accused until it has lived for longer than ``window``.
    case blamingPlugin
  }

  /// A trial that is under way.
  struct Trial: Equatable {
    /// What the worker is given in this trial and has not lived with before; nothing in the first.
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
    case condemn(IntentionIdentity, deaths: Int)
    /// The worker dies on whatever it is given: give the plugin up.
    case giveUp(condemned: Int)
  }

  /// What follows from a death.
  struct Verdict: Equatable {
    /// Whether the death counts against the plugin; those in a trial do not.
    var counts = true
    var actions: [Action] = []
  }

  private(set) var stage = Stage.calm
  /// What the worker printed and why it ended when it last died on what is accused.
  private(set) var evidence = ""
  private var exposures = Exposures()
  /// In how many deaths each of the accused was exposed.
  private var deaths: [IntentionIdentity: Int] = [:]
  /// The longest that the worker lived with the accused before it died.
  private var slowest = Duration.zero
  private var readySince: Duration?
  private var condemnations: [Duration] = []

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
    guard case .trying(var trial) = stage, trial.since == nil, !exposures.areOwed else { return }
    (trial.since, trial.due) = (now, now + trial.length)
    stage = .trying(trial)
  }

  // MARK: Time

  /// When ``deadline(at:lastHeard:isLive:)`` has to be called; `nil` when time changes nothing.
  var nextDeadline: Duration? { if case .trying(let trial) = stage { trial.due } else { nil } }

  /// Time has passed: a trial that the worker has lived through is over.
  mutating func deadline(
    at now: Duration, lastHeard: Duration, isLive: (IntentionIdentity) -> Bool
  ) -> [Action] {
    guard case .trying(var trial) = stage, let due = trial.due, now >= due, let since = trial.since else { return [] }
    guard lastHeard >= since + trial.length else {
      // Its next heartbeat, a second later at most, says whether it lives.
      trial.due = now + Self.shortestTrial
      stage = .trying(trial)
      return []
    }
    if trial.present.isEmpty, trial.remaining.count == 1, let accused = trial.remaining.first, accused.count == 1,
      deaths[accused[0], default: 0] >= Self.deathsNeeded
    {
      trial.remaining = []
      return condemn(accused[0], at: now, goingOnWith: trial, isLive)
    }
    if trial.present.isEmpty { trial.remaining = trial.remaining.flatMap(Self.halves) }
    return goOn(trial, isLive)
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
    if case .trying(let trial) = stage { return died(in: trial, at: time, evidence, exposed, isLive) }
    guard let evidence else {
      if wasLong { stage = .calm }
      return Verdict()
    }
    if stage == .blamingPlugin, !wasLong { return Verdict() }
    return accuse(exposed, at: time, evidence)
  }

  /// Nothing is accused any more, and nothing withheld: the worker is stopped, or its plugin given up or restarted.
  mutating func end() -> [Action] {
    defer { self = Suspicion() }
    return if case .trying = stage { [.withhold(nil)] } else { [] }
  }

  private mutating func accuse(_ exposed: [Exposures.Exposure], at time: Duration, _ evidence: String) -> Verdict {
    let identities = exposed.map(\.identity)
    var accused = identities
    if case .accusing(let earlier) = stage {
      let both = Set(earlier).intersection(identities)
      accused = both.isEmpty ? identities : identities.filter(both.contains)
    }
    let isNew = !accused.contains { deaths[$0] != nil }
    let before = isNew ? [:] : deaths
    deaths = [:]
    for identity in accused { deaths[identity] = before[identity, default: 0] + 1 }
    slowest = isNew ? .zero : slowest
    note(exposed, at: time, evidence)
    guard let first = accused.first else {
      stage = .calm
      return Verdict()
    }
    guard deaths[first, default: 0] >= Self.deathsNeeded else {
      stage = .accusing(accused)
      return Verdict()
    }
    stage = .trying(Trial(remaining: [accused], length: length))
    return Verdict(actions: [.withhold(accused)])
  }

  private mutating func died(
    in trial: Trial, at time: Duration, _ evidence: String?, _ exposed: [Exposures.Exposure],
    _ isLive: (IntentionIdentity) -> Bool
  ) -> Verdict {
    var trial = trial
    (trial.since, trial.due) = (nil, nil)
    // Ended by somebody else: the same again.
    stage = .trying(trial)
    guard let evidence else { return Verdict() }
    guard !trial.present.isEmpty else {
      stage = .blamingPlugin
      deaths = [:]
      return Verdict(actions: [.withhold(nil)])
    }
    let present = Set(trial.present)
    let guilty = exposed.filter { present.contains($0.identity) }
    // It died of something else before it was given them.
    guard !guilty.isEmpty else { return Verdict() }
    for exposure in guilty { deaths[exposure.identity, default: 0] += 1 }
    note(guilty, at: time, evidence)
    trial.length = length
    guard guilty.count == 1, let one = guilty.first?.identity else {
      trial.remaining += Self.halves(guilty.map(\.identity))
      return Verdict(counts: false, actions: goOn(trial, isLive))
    }
    guard deaths[one, default: 0] >= Self.deathsNeeded else {
      stage = .trying(trial)
      return Verdict(counts: false)
    }
    return Verdict(counts: false, actions: condemn(one, at: time, goingOnWith: trial, isLive))
  }

  // MARK: Helpers

  private var length: Duration { min(max(slowest * Self.trialFactor, Self.shortestTrial), Self.window) }

  private mutating func note(_ exposed: [Exposures.Exposure], at time: Duration, _ evidence: String) {
    self.evidence = evidence
    for exposure in exposed { slowest = max(slowest, time - (exposure.acknowledgedAt ?? exposure.handedAt)) }
  }

  private mutating func condemn(
    _ identity: IntentionIdentity, at now: Duration, goingOnWith trial: Trial, _ isLive: (IntentionIdentity) -> Bool
  ) -> [Action] {
    condemnations.append(now)
    condemnations.removeAll { now - $0 > WorkerLife.deathWindow }
    let condemned = Action.condemn(identity, deaths: deaths[identity, default: 0])
    guard condemnations.count >= Self.condemnationsAllowed else {
      return [condemned] + goOn(trial, { $0 != identity && isLive($0) })
    }
    (stage, deaths) = (.calm, [:])
    return [condemned, .withhold(nil), .giveUp(condemned: condemnations.count)]
  }

  /// Goes on to the next group of which something has not ended; the trial is over when there is none.
  private mutating func goOn(_ trial: Trial, _ isLive: (IntentionIdentity) -> Bool) -> [Action] {
    var trial = trial
    (trial.since, trial.due) = (nil, nil)
    while let group = trial.remaining.popLast() {
      trial.present = group.filter(isLive)
      guard !trial.present.isEmpty else { continue }
      stage = .trying(trial)
      return [.withhold(trial.remaining.flatMap { $0 })]
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

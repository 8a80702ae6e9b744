import MotionModel

@testable import MotionCoordinator

/// A worker that runs and dies by a virtual clock, with its `Suspicion` and its `WorkerLife`, and intentions some of
/// which are bad.
struct SuspicionWorld {
  /// The effect of an intention on its worker.
  private enum Effect {
    case none
    /// It kills the worker this long after the intention was acknowledged, or before the acknowledgement.
    case kills(after: Duration?)
    /// It makes the worker silent this long after the intention was acknowledged, or before the acknowledgement.
    case silences(after: Duration?)
  }

  private var random: SplitMix
  private var effects: [IntentionIdentity: Effect] = [:]
  private var suspicion = Suspicion()
  private var life = WorkerLife()
  private var now = Duration.seconds(100)
  private(set) var withheld: Set<IntentionIdentity>?
  private(set) var held: [IntentionIdentity] = []
  private(set) var quarantinedPlans: Set<IntentionIdentity> = []
  private(set) var deaths = 0
  /// The number of times that it is killed from outside, at random times.
  var killings = 0
  /// Whether it dies soon after each start, whatever intentions it is given.
  var diesByItself = false

  var all: Set<IntentionIdentity> { Set(effects.keys) }
  var isGivenUp: Bool { if case .quarantined = life.state { true } else { false } }

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// Adds intentions, of which so many are bad.
  @discardableResult
  mutating func populate(_ counts: ClosedRange<Int>, bad: Int) -> Set<IntentionIdentity> {
    let count = Int.random(in: counts, using: &random)
    let identities = (1...count).map { IntentionIdentity(sequence: UInt64($0), operation: 0) }
    for identity in identities { effects[identity] = Effect.none }
    let guilty = identities.shuffled(using: &random).prefix(bad)
    for identity in guilty { effects[identity] = effect() }
    return Set(guilty)
  }

  /// Adds so many intentions, of which the one with this number is bad; they are numbered from 1, the oldest first.
  mutating func populate(_ count: UInt64, badNumber: UInt64) -> IntentionIdentity {
    for number in 1...count { effects[IntentionIdentity(sequence: number, operation: 0)] = Effect.none }
    let bad = IntentionIdentity(sequence: badNumber, operation: 0)
    effects[bad] = effect()
    return bad
  }

  private mutating func effect() -> Effect {
    let delay = Bool.random(using: &random) ? nil : Duration.milliseconds(Int.random(in: 1...900, using: &random))
    return Bool.random(using: &random) ? .kills(after: delay) : .silences(after: delay)
  }

  /// Runs until nothing more happens by itself.
  mutating func run() {
    guard life.need(at: now) == .spawn else { return }
    while !isGivenUp {
      live()
      guard !isGivenUp else { return }
      if case .waiting(let until) = life.state {
        now = until
        _ = life.deadline(at: now, linger: .seconds(60))
        continue
      }
      // It has run for long.
      guard killings > 0 else { return }
    }
  }

  /// One life, until its death, or until nothing more can end it.
  private mutating func live() {
    held = []
    now += .milliseconds(Int.random(in: 5...50, using: &random))
    guard give(all.subtracting(withheld ?? []).subtracting(quarantinedPlans).sorted(), command: 0) else { return }
    let killing = killings > 0 ? now + .milliseconds(Int.random(in: 0...1500, using: &random)) : nil
    while true {
      let due = suspicion.nextDeadline
      if let killing, killing < due ?? .seconds(1_000_000) {
        now = killing
        killings -= 1
        // Some time apart, so that the plugin is not given up.
        return die(at: now, evidence: nil, pausing: .seconds(20))
      }
      if diesByItself { return die(at: now + .milliseconds(5), evidence: "by itself") }
      guard let due else { return }
      now = max(now, due)
      let before = withheld ?? []
      obey(suspicion.deadline(at: now, lastHeard: now, isLive: isLive))
      guard !isGivenUp else { return }
      let released = before.subtracting(withheld ?? []).subtracting(quarantinedPlans)
      guard released.isEmpty || give(released.sorted(), command: UInt64(held.count) + 1) else { return }
    }
  }

  /// Gives it these intentions; returns whether it survives.
  private mutating func give(_ identities: [IntentionIdentity], command: UInt64) -> Bool {
    for identity in identities { suspicion.handed(identity, command: command, at: now) }
    let start = now
    var end: (time: Duration, isSilent: Bool)?
    for identity in identities {
      let (delay, isSilent): (Duration?, Bool)
      switch effects[identity] {
      case .kills(let after): (delay, isSilent) = (after, false)
      case .silences(let after): (delay, isSilent) = (after, true)
      default: continue
      }
      guard let delay else {
        die(at: start, evidence: "in \(identity)", pausing: isSilent ? .seconds(1) : .zero)
        return false
      }
      if delay < (end?.time ?? .seconds(1000)) { end = (delay, isSilent) }
    }
    now += .milliseconds(3)
    suspicion.acknowledged(command, at: now)
    held += identities
    guard let end else { return true }
    die(at: now + end.time, evidence: "later", pausing: end.isSilent ? .seconds(1) : .zero)
    return false
  }

  private mutating func die(at time: Duration, evidence: String?, pausing pause: Duration = .zero) {
    deaths += 1
    now = max(now, time) + pause
    let verdict = suspicion.died(at: time, evidence: evidence, isLive: isLive)
    obey(verdict.actions)
    _ = life.died("it fell", counts: verdict.counts, at: now)
  }

  private var isLive: (IntentionIdentity) -> Bool { { [quarantinedPlans] in !quarantinedPlans.contains($0) } }

  private mutating func obey(_ actions: [Suspicion.Action]) {
    for action in actions {
      switch action {
      case .withhold(let identities): withheld = identities.map(Set.init)
      case .quarantine(let identity, let deaths):
        precondition(deaths >= Suspicion.deathsNeeded)
        life.forgive()
        quarantinedPlans.insert(identity)
      case .giveUp: _ = life.giveUp("it dies on everything")
      }
    }
  }
}

/// A small generator with a seed.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

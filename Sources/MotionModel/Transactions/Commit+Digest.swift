/// A digest of a commit's body, the same in every process. It detects an id that is reused with another body.
///
/// 128 bits of two independent ``StableHasher``s: it resists accidents, not adversaries.
public struct TransactionDigest: Hashable, Sendable, CustomStringConvertible {
  /// The first half.
  public let high: UInt64
  /// The second half.
  public let low: UInt64

  /// Creates the digest from its stored halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the digest from its 16 bytes, big-endian; `nil` for any other length.
  package init?(bytes: some Collection<UInt8>) {
    guard let halves = TransactionID(bytes: bytes) else { return nil }
    self.init(high: halves.high, low: halves.low)
  }

  /// The 16 bytes, big-endian.
  package var bytes: [UInt8] { TransactionID(high: high, low: low).bytes }

  /// The digest as 32 hexadecimal digits.
  public var description: String { TransactionID(high: high, low: low).description }
}

extension Commit {
  /// The digest of the body: log, `whileConnected` and comment; neither the id, the committer nor `at`, which differs
  /// whenever a relative time is resolved again. Linear in the size of the log.
  public var digest: TransactionDigest {
    var digester = Digester()
    digester.combine(self)
    return digester.finish()
  }
}

/// Feeds the parts of a commit to two hashers, each part with a tag, so that equal bytes of different parts differ.
///
/// The tags and the order are stored with journals and must never change.
private struct Digester {
  private var first = StableHasher(seed: 0)
  // Any other seed would do: this one is the fraction of π, a value that was not chosen for a purpose.
  private var second = StableHasher(seed: 0x243f_6a88_85a3_08d3)

  func finish() -> TransactionDigest { TransactionDigest(high: first.finish(), low: second.finish()) }

  mutating func combine(_ commit: Commit) {
    combine(tag: commit.whileConnected ? 1 : 0)
    // Where earlier versions had the time.
    combine(tag: 0)
    combine(commit.transaction)
    // No bytes for an empty comment, so that digests of versions without comments stay the same.
    if !commit.comment.isEmpty { combine(commit.comment, tag: 6) }
  }

  private mutating func combine(_ transaction: Transaction) {
    combine(UInt64(transaction.log.count))
    for operation in transaction.log { combine(operation) }
    // No bytes without selectors, likewise.
    for (operation, selector) in transaction.selectors.sorted(by: { $0.key < $1.key }) {
      combine(UInt64(operation), tag: 9)
      combine(selector.text)
    }
    for (operation, spread) in transaction.spreads.sorted(by: { $0.key < $1.key }) {
      combine(UInt64(operation), tag: 12)
      combine(spread)
    }
    for (operation, recall) in transaction.recalls.sorted(by: { $0.key < $1.key }) {
      combine(UInt64(operation), tag: 14)
      combine(recall)
    }
    for (operation, step) in transaction.cueSteps.sorted(by: { $0.key < $1.key }) {
      combine(UInt64(operation), tag: 16)
      combine(step)
    }
  }

  private mutating func combine(_ step: CueStep) {
    switch step {
    case .go: combine(tag: 0)
    case .back: combine(tag: 1)
    case .goto(let cue): combine(cue.text, tag: 2)
    case .stop: combine(tag: 3)
    case .due(let step): combine(step, tag: 4)
    case .fire(let step, let cue):
      combine(step, tag: 5)
      combine(UInt64(cue))
    case .jump(let step, let value):
      combine(step, tag: 6)
      combine(value.bitPattern)
    case .missing(let step, let reason):
      combine(reason, tag: 7)
      combine(step)
    }
  }

  private mutating func combine(_ list: CueList) {
    combine(list.timeline.map { "\($0)" } ?? "")
    combine(UInt64(list.cues.count))
    for cue in list.cues {
      combine(cue.name.text)
      for time in [cue.wait, cue.follow, cue.at] { combine((time ?? .nan).bitPattern) }
      combine(cue.content)
    }
  }

  private mutating func combine(_ position: CuePosition) {
    combine(position.step)
    combine(UInt64(position.next), tag: position.waits ? 1 : 0)
    for time in [position.went, position.due, position.passed] { combine((time ?? .nan).bitPattern) }
    if let reason = position.leftOut { combine(reason) }
  }

  private mutating func combine(_ recall: SceneRecall) {
    combine(recall.scene.text)
    switch recall.transition {
    case .spring: combine(tag: 0)
    case .fade(let seconds): combine(seconds.bitPattern, tag: 1)
    }
  }

  private mutating func combine(_ scene: Scene) {
    combine(UInt64(scene.targets.count))
    for target in scene.targets {
      combine(target.name.text)
      combine(UInt64(target.values.count))
      for value in target.values {
        combine(value.property.text)
        combine(FieldValue(value.value))
      }
      combine(UInt64(target.plans.count))
      for plan in target.plans { combine(.add(plan.intention, named: plan.name, to: target.name)) }
    }
  }

  private mutating func combine(_ spread: Spread) {
    combine(UInt64(spread.to.count))
    for field in spread.to {
      combine(field.name)
      combine(field.value)
    }
    combine(spread.stagger.bitPattern)
    combine(spread.by?.description ?? "")
  }

  private mutating func combine(_ operation: Transaction.Operation) {
    switch operation {
    case .add(let intention, let name, let target):
      combine(tag: name == nil ? 1 : 2)
      combine(target.text)
      if let name { combine(name.text) }
      combine(intention.type.text)
      combine(UInt64(intention.fields.count))
      for field in intention.fields {
        combine(field.name)
        combine(field.value)
      }
      // The digest of a plan without these is that of earlier versions.
      if intention.priority != 0 { combine(UInt64(bitPattern: Int64(intention.priority)), tag: 8) }
      if intention.after != 0 { combine(intention.after.bitPattern, tag: 11) }
    case .remove(let name, let target):
      combine(tag: 3)
      combine(target.text)
      combine(name.text)
    case .forget(let target):
      combine(tag: 4)
      combine(target.text)
    case .limit(let property, let target, let setting):
      combine(tag: 7)
      combine(target.text)
      combine(property.text)
      combine(setting)
    case .group(let name, let members):
      combine(tag: 10)
      combine(name.text)
      combine(UInt64(members.count))
      for member in members { combine(member.text) }
    case .scene(let name, let scene):
      combine(tag: 13)
      combine(name.text)
      combine(scene)
    case .cues(let name, let change):
      combine(tag: 15)
      combine(name.text)
      switch change {
      case .list(let list): combine(list)
      case .position(let position): combine(position)
      }
    case .removePlan(let identity, let target):
      combine(tag: 5)
      combine(target.text)
      combine(identity.sequence)
      combine(UInt64(identity.operation))
      combine(UInt64(identity.path.count))
      for ordinal in identity.path { combine(UInt64(ordinal)) }
    }
  }

  private mutating func combine(_ setting: LimitSetting) {
    guard case .limits(let limits) = setting else { return combine(tag: 0) }
    combine(tag: 1)
    for part in [limits.range?.lower, limits.range?.upper, limits.velocity, limits.acceleration, limits.jerk] {
      combine(UInt64(part?.count ?? 0))
      for lane in 0..<(part?.count ?? 0) { combine(part?[lane].bitPattern ?? 0) }
    }
    // The digest of limits without a rule is that of earlier versions.
    switch limits.onLost {
    case nil: break
    case .hold?: combine(tag: 2)
    case .ramp(let value, let seconds)?:
      combine(UInt64(value.count), tag: 3)
      for lane in 0..<value.count { combine(value[lane].bitPattern) }
      combine(seconds.bitPattern)
    }
  }

  private mutating func combine(_ value: FieldValue) {
    switch value {
    case .number(let number): combine(number.bitPattern, tag: 1)
    case .vector(let lanes):
      combine(UInt64(lanes.count), tag: 2)
      for lane in 0..<lanes.count { combine(lanes[lane].bitPattern) }
    case .text(let text): combine(text, tag: 3)
    case .flag(let flag): combine(flag ? 1 : 0, tag: 4)
    case .duration(let duration):
      combine(UInt64(truncatingIfNeeded: duration.attoseconds), tag: 5)
      combine(UInt64(truncatingIfNeeded: duration.attoseconds >> 64))
    case .property(let property): combine(property.text, tag: 6)
    case .choice(let word): combine(word, tag: 7)
    case .list(let values):
      combine(UInt64(values.count), tag: 8)
      for value in values { combine(value) }
    case .reference(let reference):
      combine(reference.target.text, tag: 9)
      combine(reference.property.text)
    }
  }

  private mutating func combine(tag: UInt8) {
    first.combine(byte: tag)
    second.combine(byte: tag)
  }

  private mutating func combine(_ word: UInt64, tag: UInt8? = nil) {
    if let tag { combine(tag: tag) }
    first.combine(word)
    second.combine(word)
  }

  private mutating func combine(_ text: String, tag: UInt8? = nil) {
    if let tag { combine(tag: tag) }
    first.combine(text)
    second.combine(text)
  }
}

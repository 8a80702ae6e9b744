import MotionModel
package import MotionWire

/// Follows one topic: notices by the sequence what was missed, and asks for complete values when something was.
///
/// It decides, and touches no socket: envelopes and the time go in, what to deliver and whether to subscribe anew come
/// out. Subscribing anew makes the daemon say names and complete values again, which is how a gap heals.
package struct TopicFollower {
  /// How long to wait for complete values before subscribing anew. It doubles each time, up to ``longestTimeout``.
  static let firstTimeout = Duration.seconds(1)
  /// The longest wait: somebody who watches an hour for a daemon to come back sees it at most this much later.
  static let longestTimeout = Duration.seconds(8)

  /// What came of a message.
  package struct Outcome: Hashable {
    /// What the subscriber is told, if anything.
    package var event: ValueSubscription.Event?
    /// Whether to say the subscription to the topic once more.
    package var resubscribes = false
  }

  /// Complete values of which more follow.
  private struct Gathered {
    var frame: FrameValues
    var handles: Int
    let sequence: UInt64
    var nextPart: UInt32 = 1
  }

  private enum State {
    /// Complete values are awaited for the first time: what comes before them cannot be interpreted.
    case joining
    /// Everything up to this sequence is known.
    case following(last: UInt64)
    /// Something was missed before this sequence; values are still delivered, and complete ones awaited.
    case healing(last: UInt64)
  }

  /// What the topic says.
  let interest: Interest
  private var state: State
  private var names: [PropertyHandle: PropertyReference] = [:]
  /// The beginning of a frame, and of complete values, that come in several messages.
  private var begun: FrameValues?
  private var begunComplete: Gathered?
  private var timeout = TopicFollower.firstTimeout
  private var askedAt: Duration

  /// Follows a topic that was subscribed to just now.
  package init(_ interest: Interest, now: Duration) {
    self.interest = interest
    state = .joining
    askedAt = now
  }

  /// Whether complete values were received and nothing was missed since. Topics of what happens have none to wait for.
  var isSynchronised: Bool {
    if case .following = state { return true }
    return !saysValues
  }

  /// Forgets everything: the daemon was started again, and says it all anew.
  mutating func restart(now: Duration) {
    self = TopicFollower(interest, now: now)
  }

  /// Takes a message of the topic.
  package mutating func receive(_ envelope: Envelope, now: Duration) -> Outcome {
    switch envelope.body {
    case .names(let named):
      for name in named { names[name.handle] = name.reference }
      return Outcome()
    case .values(let values) where saysValues && values.isWellFormed:
      return values.isComplete
        ? complete(values, envelope.sequence) : changes(values, envelope.sequence, now: now)
    case .ended(let ended) where !saysValues:
      return happened(envelope.sequence, isNothing: ended.isEmpty) { .ended(ended, missed: $0) }
    case .drivers(let changes) where !saysValues:
      return happened(envelope.sequence, isNothing: changes.isEmpty) { .handedOver(changes, missed: $0) }
    default:
      // Of a newer daemon, perhaps: what is not understood is not acted upon.
      return Outcome()
    }
  }

  /// When ``elapsed(now:)`` has something to do; `nil` when nothing is awaited.
  var nextDue: Duration? { isSynchronised ? nil : askedAt + timeout }

  /// Lets time pass: whether to subscribe anew, because complete values did not come.
  package mutating func elapsed(now: Duration) -> Bool {
    guard let due = nextDue, now >= due else { return false }
    timeout = min(timeout * 2, Self.longestTimeout)
    askedAt = now
    return true
  }

  // MARK: Steps

  /// Whether the topic says values, rather than what happens.
  private var saysValues: Bool {
    switch interest {
    case .values, .motion: true
    case .outcomes, .drivers: false
    }
  }

  private mutating func complete(_ values: Values, _ sequence: UInt64) -> Outcome {
    guard let whole = gather(values, sequence) else { return Outcome() }
    var frame = whole.frame
    let previous = state
    if frame.properties.count == whole.handles {
      state = .following(last: sequence)
      timeout = Self.firstTimeout
    } else {
      // The names got lost, though the values did not: ``elapsed(now:)`` asks for both again.
      state = .healing(last: sequence)
    }
    switch previous {
    case .joining:
      break
    case .following(let last) where sequence == last:
      // Said for somebody else who just subscribed.
      return Outcome()
    case .following(let last), .healing(let last):
      frame.missed = sequence > last ? sequence - last : 0
    }
    return Outcome(event: .values(frame))
  }

  /// Adds one message of complete values to those before it.
  ///
  /// - Returns: all, when this is the last; nothing if one in between was lost: ``elapsed(now:)`` asks for all again.
  private mutating func gather(_ values: Values, _ sequence: UInt64) -> Gathered? {
    let frame = resolve(values)
    if values.part == 0 {
      begunComplete = Gathered(frame: frame, handles: values.handles.count, sequence: sequence)
    } else if let begun = begunComplete, begun.nextPart == values.part, begun.sequence == sequence,
      begun.frame.frame == values.frame
    {
      begunComplete?.frame.properties += frame.properties
      begunComplete?.handles += values.handles.count
      begunComplete?.nextPart += 1
    } else {
      begunComplete = nil
    }
    if values.hasMore { return nil }
    defer { begunComplete = nil }
    return begunComplete
  }

  private mutating func changes(_ values: Values, _ sequence: UInt64, now: Duration) -> Outcome {
    let last: UInt64
    let isHealing: Bool
    switch state {
    case .joining: return Outcome()
    case .following(let number): (last, isHealing) = (number, false)
    case .healing(let number): (last, isHealing) = (number, true)
    }
    // The last values are sent again when a topic falls quiet, under the same number.
    guard sequence > last else { return Outcome() }
    var frame = resolve(values)
    frame.missed = sequence - last - 1
    let hasGap = frame.missed > 0 || frame.properties.count != values.handles.count
    state = isHealing || hasGap ? .healing(last: sequence) : .following(last: sequence)
    let whole = join(frame, values)
    // While healing, the next question is for ``elapsed(now:)``: a lossy topic is not asked anew with every message.
    guard hasGap, !isHealing else { return Outcome(event: whole) }
    askedAt = now
    return Outcome(event: whole, resubscribes: true)
  }

  /// Adds one message of a frame to those before it; gives the frame when this is the last.
  private mutating func join(_ frame: FrameValues, _ values: Values) -> ValueSubscription.Event? {
    if values.part == 0 || begun == nil {
      // Of a frame whose end was lost only the loss is told: complete values follow.
      let missed = begun?.missed ?? 0
      begun = frame
      begun?.missed += missed
    } else {
      begun?.properties += frame.properties
      begun?.forgotten += frame.forgotten
      begun?.missed += frame.missed
    }
    if values.hasMore { return nil }
    defer { begun = nil }
    return begun.map { .values($0) }
  }

  /// Takes something that happened once and is not sent again.
  private mutating func happened(
    _ sequence: UInt64, isNothing: Bool, _ event: (_ missed: UInt64) -> ValueSubscription.Event
  ) -> Outcome {
    var missed: UInt64 = 0
    if case .following(let last) = state {
      guard sequence > last else { return Outcome() }
      missed = sequence - last - 1
    }
    state = .following(last: sequence)
    return isNothing && missed == 0 ? Outcome() : Outcome(event: event(missed))
  }

  /// The values with their names; those whose names are not known are left out.
  private mutating func resolve(_ values: Values) -> FrameValues {
    let forgotten = values.forgotten.compactMap { names.removeValue(forKey: $0) }
    var properties: [PropertyValue] = []
    properties.reserveCapacity(values.handles.count)
    let late = Set(values.late)
    var first = 0
    for (handle, count) in zip(values.handles, values.counts) {
      let lanes = first..<first + Int(count)
      first = lanes.upperBound
      guard let reference = names[handle], let value = Lanes(values.lanes[lanes]) else { continue }
      let velocity = values.velocities.isEmpty ? nil : Lanes(values.velocities[lanes])
      properties.append(
        PropertyValue(reference: reference, value: value, velocity: velocity, isLate: late.contains(handle)))
    }
    return FrameValues(
      interest: interest, frame: values.frame, time: values.time, dt: values.dt, properties: properties,
      forgotten: forgotten, isComplete: values.isComplete)
  }
}

extension Values {
  /// Whether the parallel arrays fit each other.
  fileprivate var isWellFormed: Bool {
    let total = counts.reduce(0) { $0 + Int($1) }
    return handles.count == counts.count && lanes.count == total && (velocities.isEmpty || velocities.count == total)
      && counts.allSatisfy { (1...Limits.lanes).contains(Int($0)) }
  }
}

import MotionModel
package import MotionWire

/// Follows one topic: detects missed messages by the sequence numbers, and requests complete values after a gap.
///
/// It makes the decisions and uses no socket. Input: envelopes and the time; output: the events to deliver, and whether
/// to resubscribe. A resubscription makes the daemon send names and complete values again, which repairs a gap.
package struct TopicFollower {
  /// The timeout for complete values, after which the client resubscribes. It doubles each time, up to
  /// ``longestTimeout``.
  static let firstTimeout = Duration.seconds(1)
  /// The longest timeout: a subscriber that waits an hour for a daemon to come back receives values at most this much
  /// later.
  static let longestTimeout = Duration.seconds(8)

  /// The result of a message.
  package struct Outcome: Hashable {
    /// The event for the subscriber, if there is one.
    package var event: ValueSubscription.Event?
    /// Whether to resend the subscription to the topic.
    package var resubscribes = false
  }

  /// The first parts of complete values that come in several messages.
  private struct Gathered {
    var frame: FrameValues
    var handles: Int
    let sequence: UInt64
    var nextPart: UInt32 = 1
  }

  private enum State {
    /// The first complete values are awaited. Earlier messages cannot be interpreted.
    case joining
    /// All messages up to this sequence were received.
    case following(last: UInt64)
    /// Messages before this sequence were missed. Values are still delivered, and complete ones awaited.
    case healing(last: UInt64)
  }

  /// The interest of the topic.
  let interest: Interest
  private var state: State
  private var names: [PropertyHandle: PropertyReference] = [:]
  /// The first messages of a frame, and of complete values, that come in several messages.
  private var begun: FrameValues?
  private var begunComplete: Gathered?
  private var timeout = TopicFollower.firstTimeout
  private var askedAt: Duration

  /// Follows a topic directly after the subscription to it.
  package init(_ interest: Interest, now: Duration) {
    self.interest = interest
    state = .joining
    askedAt = now
  }

  /// Whether complete values were received and nothing was missed since. Topics of events have no complete values; they
  /// always count as synchronised.
  var isSynchronised: Bool {
    if case .following = state { return true }
    return !saysValues
  }

  /// Resets the follower: the daemon was restarted, and sends everything again.
  mutating func restart(now: Duration) {
    self = TopicFollower(interest, now: now)
  }

  /// Processes a message of the topic.
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
      // A body of a newer daemon, perhaps: unknown bodies are ignored.
      return Outcome()
    }
  }

  /// When ``elapsed(now:)`` has something to do; `nil` when no complete values are awaited.
  var nextDue: Duration? { isSynchronised ? nil : askedAt + timeout }

  /// Handles the timeout. Returns whether to resubscribe, because complete values did not arrive.
  package mutating func elapsed(now: Duration) -> Bool {
    guard let due = nextDue, now >= due else { return false }
    timeout = min(timeout * 2, Self.longestTimeout)
    askedAt = now
    return true
  }

  // MARK: Steps

  /// Whether the topic carries values, rather than events.
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
      // The names got lost, though the values did not: ``elapsed(now:)`` requests both again.
      state = .healing(last: sequence)
    }
    switch previous {
    case .joining:
      break
    case .following(let last) where sequence == last:
      // Sent for another client, which has just subscribed.
      return Outcome()
    case .following(let last), .healing(let last):
      frame.missed = sequence > last ? sequence - last : 0
    }
    return Outcome(event: .values(frame))
  }

  /// Adds one message of complete values to the previous ones.
  ///
  /// - Returns: all parts, when this is the last; `nil` if one in between was lost: ``elapsed(now:)`` then requests all
  ///   again.
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
    // A topic without new values resends its last message, with the same sequence number.
    guard sequence > last else { return Outcome() }
    var frame = resolve(values)
    frame.missed = sequence - last - 1
    let hasGap = frame.missed > 0 || frame.properties.count != values.handles.count
    state = isHealing || hasGap ? .healing(last: sequence) : .following(last: sequence)
    let whole = join(frame, values)
    // While healing, ``elapsed(now:)`` makes the next request: a lossy topic is not resubscribed with every message.
    guard hasGap, !isHealing else { return Outcome(event: whole) }
    askedAt = now
    return Outcome(event: whole, resubscribes: true)
  }

  /// Adds one message of a frame to the previous ones; returns the frame when this is the last.
  private mutating func join(_ frame: FrameValues, _ values: Values) -> ValueSubscription.Event? {
    if values.part == 0 || begun == nil {
      // Of a frame whose end was lost only the loss is reported: complete values follow.
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

  /// Processes events that happened once and are not resent.
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

  /// The values with their names. Values whose names are unknown are left out.
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
  /// Whether the lengths of the parallel arrays match.
  fileprivate var isWellFormed: Bool {
    let total = counts.reduce(0) { $0 + Int($1) }
    return handles.count == counts.count && lanes.count == total && (velocities.isEmpty || velocities.count == total)
      && counts.allSatisfy { (1...Limits.lanes).contains(Int($0)) }
  }
}

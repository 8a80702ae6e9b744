import LinuxSystem
public import MotionWire
import ZeroMQ

/// A stream of values and outcomes.
///
/// The first thing heard of a topic are the complete values; then what changes in each frame. A gap (a reader that was
/// slower than the frames) is told as a number of missed messages and healed with complete values. It belongs to the
/// thread that made it, and ends with it.
///
///     let subscription = try client.subscribe(to: [.motion(.target("ball"))])
///     while let event = try subscription.next(timeout: .seconds(1)) { … }
public final class ValueSubscription {
  /// Messages that wait to be read: four seconds of one topic at 1 kHz. Beyond that values are lost and healed.
  static let queueLength = 4096

  private let socket: ClientSocket<SubscribeKind>
  private var followers: [String: TopicFollower] = [:]
  private var epoch: UInt64 = 0
  private var waiting: [Event] = []

  /// Subscribes. The daemon learns of it a little later.
  init(_ door: Door, interests: [Interest], context: ZeroMQContext) throws(MotionClientError) {
    socket = try ClientSocket.subscriber(door, queueLength: Self.queueLength, context)
    for interest in interests { try add(interest) }
  }

  /// What is subscribed to, in order of topics.
  public var interests: [Interest] { followers.sorted { $0.key < $1.key }.map(\.value.interest) }

  /// Subscribes to more; to what is subscribed to already changes nothing.
  public func add(_ interest: Interest) throws(MotionClientError) {
    let topic = interest.topic
    guard followers[topic] == nil else { return }
    followers[topic] = TopicFollower(interest, now: BootClock.now)
    try socket.subscribe(to: Topic.subscription(topic))
  }

  /// Unsubscribes.
  public func remove(_ interest: Interest) throws(MotionClientError) {
    guard followers.removeValue(forKey: interest.topic) != nil else { return }
    try socket.unsubscribe(from: Topic.subscription(interest.topic))
  }

  /// The next thing that is heard; `nil` when that is nothing within `timeout`.
  public func next(timeout: Duration) throws(MotionClientError) -> Event? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    return try receive(deadline: BootClock.now + timeout)
  }

  /// Waits until the complete values of every topic were heard, so that nothing that happens from now on is missed
  /// unnoticed. What is heard meanwhile is kept for ``next(timeout:)``.
  ///
  /// - Throws: `timeout` when they are not heard in time.
  public func synchronise(timeout: Duration) throws(MotionClientError) {
    let deadline = BootClock.now + timeout
    while !isSynchronised {
      if let event = try receive(deadline: deadline) {
        waiting.append(event)
      } else if BootClock.now >= deadline {
        let missing = followers.filter { !$0.value.isSynchronised }.keys.sorted()
        throw MotionClientError(
          .timeout, "no values of \(missing.joined(separator: ", ")) were heard in time",
          remedy: """
            motiond may be stopped or very busy, or a gateway may not pass this on: see their logs, or wait longer
            """)
      }
    }
  }

  /// Whether the complete values of every topic were heard and nothing was missed since.
  public var isSynchronised: Bool { followers.values.allSatisfy(\.isSynchronised) }

  // MARK: Steps

  private func receive(deadline: Duration) throws(MotionClientError) -> Event? {
    while true {
      while let bytes = try socket.receive() {
        if let event = try take(bytes) { return event }
      }
      let now = BootClock.now
      for topic in followers.keys where followers[topic]?.elapsed(now: now) == true { try subscribeAnew(to: topic) }
      let due = followers.values.compactMap(\.nextDue).min() ?? deadline
      // Whoever does not wait at all waits for nothing, so that the connection is seen to all the same.
      try socket.wait(upTo: min(due, deadline) - now)
      guard now < deadline else { return nil }
    }
  }

  /// Takes one message; what cannot be read is as good as lost, and noticed by the next sequence.
  private func take(_ bytes: [UInt8]) throws(MotionClientError) -> Event? {
    guard let (topic, message) = try? Topic.split(bytes), followers[topic] != nil,
      let envelope = try? Envelope(decoding: Array(message))
    else { return nil }
    if envelope.epoch != epoch, let event = begin(epoch: envelope.epoch) { waiting.append(event) }
    let outcome = followers[topic]?.receive(envelope, now: BootClock.now)
    if outcome?.resubscribes == true { try subscribeAnew(to: topic) }
    if let event = outcome?.event { waiting.append(event) }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Takes up another epoch; everything that was known is of the one before.
  ///
  /// It need not be a higher one: a daemon whose state directory was wiped counts from 1 again. A message of the past
  /// it cannot be, because one socket hears one connection after the other, each in order.
  private func begin(epoch other: UInt64) -> Event? {
    let isFirst = epoch == 0
    epoch = other
    if isFirst { return nil }
    for topic in followers.keys { followers[topic]?.restart(now: BootClock.now) }
    return .restarted(epoch: other)
  }

  /// Makes the daemon say names and complete values again.
  private func subscribeAnew(to topic: String) throws(MotionClientError) {
    try socket.repeatSubscription(to: Topic.subscription(topic))
  }
}

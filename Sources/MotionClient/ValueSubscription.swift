import LinuxSystem
public import MotionWire
import ZeroMQ

/// A stream of values, outcomes and changes of drivers.
///
/// The first event of a topic of values contains the complete values; the following ones contain the changes of each
/// frame. After a gap (the reader was slower than the frames), the number of missed messages is reported, and complete
/// values follow. A subscription belongs to the thread that made it, and ends when it is released.
///
///     let subscription = try client.subscribe(to: [.motion(.target("ball"))])
///     while let event = try subscription.next(timeout: .seconds(1)) { … }
public final class ValueSubscription {
  /// The limit of messages that wait to be read: four seconds of one topic at 1 kHz. Values beyond it are lost, and the
  /// gap is repaired.
  static let queueLength = 4096

  private let socket: ClientSocket<SubscribeKind>
  private let interruption: Interruptor?
  /// Descriptors that end a wait early, besides the interruption.
  private var wakers: [Interruptor] = []
  private var followers: [String: TopicFollower] = [:]
  private var epoch: UInt64 = 0
  private var waiting: [Event] = []

  /// Subscribes. The daemon receives the subscription a little later.
  init(
    _ door: Door, interests: [Interest], context: ZeroMQContext, interruptedBy interruption: Interruptor?
  ) throws(MotionClientError) {
    socket = try ClientSocket.subscriber(door, queueLength: Self.queueLength, context)
    self.interruption = interruption
    if let interruption { socket.wakes(for: interruption.descriptor) }
    for interest in interests { try add(interest) }
  }

  /// The current interests, in order of topics.
  public var interests: [Interest] { followers.sorted { $0.key < $1.key }.map(\.value.interest) }

  /// Subscribes to another interest. One that is already subscribed to changes nothing.
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

  /// Makes ``next(timeout:)`` end early, without an event, while no event has arrived and the descriptor is readable:
  /// for threads that have something else to wait for. Keep the descriptor open as long as the subscription.
  public func wakes(for descriptor: Int32) {
    wakers.append(Interruptor(descriptor: descriptor))
    socket.wakes(for: descriptor)
  }

  /// The next event; `nil` when none arrives within `timeout`, or while the client's waits are interrupted: then events
  /// wait for a later call.
  public func next(timeout: Duration) throws(MotionClientError) -> Event? {
    // First, so that a stream of events cannot delay it.
    if interruption?.isSignalled == true { return nil }
    if !waiting.isEmpty { return waiting.removeFirst() }
    return try receive(deadline: BootClock.now + timeout)
  }

  /// Waits until the complete values of every topic were received, so that later losses are detected. Events that
  /// arrive meanwhile are kept for ``next(timeout:)``.
  ///
  /// - Throws: `timeout` when they do not arrive in time, `interrupted`.
  public func synchronise(timeout: Duration) throws(MotionClientError) {
    let deadline = BootClock.now + timeout
    while !isSynchronised {
      if interruption?.isSignalled == true { throw .interrupted }
      if let event = try receive(deadline: deadline) {
        waiting.append(event)
      } else if BootClock.now >= deadline {
        let missing = followers.filter { !$0.value.isSynchronised }.sorted { $0.key < $1.key }.map(\.value.interest)
        throw MotionClientError(
          .timeout, "\(missing.map(\.description).joined(separator: ", ")) were not received in time",
          remedy: """
            motiond may be stopped or very busy, or a gateway may not forward them: see their logs, or wait longer
            """)
      }
    }
  }

  /// Whether the complete values of every topic were received and nothing was missed since.
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
      // Even with a wait of zero the socket is polled, so that the connection is serviced.
      try socket.wait(upTo: min(due, deadline) - now)
      guard now < deadline, interruption?.isSignalled != true, !wakers.contains(where: \.isSignalled) else {
        return nil
      }
    }
  }

  /// Processes one message. An unreadable one counts as lost, and the next sequence number reveals the loss.
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

  /// Adopts another epoch, and discards all state of the previous one.
  ///
  /// The epoch need not be higher: a daemon whose state directory was wiped counts from 1 again. It cannot be a delayed
  /// message of the previous daemon, because one socket receives from one connection after the other, each in order.
  private func begin(epoch other: UInt64) -> Event? {
    let isFirst = epoch == 0
    epoch = other
    if isFirst { return nil }
    for topic in followers.keys { followers[topic]?.restart(now: BootClock.now) }
    return .restarted(epoch: other)
  }

  /// Makes the daemon send names and complete values again.
  private func subscribeAnew(to topic: String) throws(MotionClientError) {
    try socket.repeatSubscription(to: Topic.subscription(topic))
  }
}

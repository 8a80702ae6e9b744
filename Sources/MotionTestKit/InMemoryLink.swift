/// One direction of a connection, in memory, that can lose, delay, repeat and reorder messages as networks do. The seed
/// determines everything.
public struct InMemoryLink<Message> {
  /// The faults of a link.
  public struct Faults: Hashable, Sendable {
    /// The probability that a message is lost.
    public var drop: Double
    /// The probability that a message arrives twice.
    public var `repeat`: Double
    /// The time a message takes. If this is a range, later messages may overtake earlier ones.
    public var delay: ClosedRange<Duration>
    /// How many messages may be in flight or wait to be received. Further ones are lost, as at a socket's high-water
    /// mark.
    public var limit = Int.max

    /// Faults of these probabilities.
    public init(drop: Double = 0, repeat: Double = 0, delay: ClosedRange<Duration> = .zero ... .zero) {
      self.drop = drop
      self.repeat = `repeat`
      self.delay = delay
    }

    /// No faults: every message arrives at once, in order.
    public static var none: Faults { Faults() }
  }

  /// The faults that apply from now on.
  public var faults: Faults
  /// Whether the link is cut: every message sent is lost, and those in flight wait.
  public var isCut = false
  /// How many messages were lost, for any reason.
  public private(set) var lost = 0
  private var random: SeededRandom
  /// The messages in flight; `arrivals` holds their times of arrival.
  private var messages: [Message] = []
  private var arrivals = Arrivals()

  /// A connection with these faults.
  public init(_ faults: Faults = .none, seed: UInt64 = 0) {
    self.faults = faults
    random = SeededRandom(seed: seed)
  }

  /// Sends a message.
  public mutating func send(_ message: Message, at now: Duration) {
    // Random numbers are drawn in any case, so that a cut does not change the sequence after it.
    let isDropped = random.chance(faults.drop)
    let isRepeated = random.chance(faults.repeat)
    if isDropped || isCut { lost += 1 } else { enqueue(message, at: now) }
    if isRepeated && !isCut { enqueue(message, at: now) }
  }

  /// The next message that has arrived by `now`: of several, the one that arrived first. Linear in the messages in
  /// flight.
  public mutating func receive(at now: Duration) -> Message? {
    guard !isCut, let index = arrivals.takeFirst(by: now) else { return nil }
    return messages.remove(at: index)
  }

  /// The time at which the next message arrives. Constant cost: a simulation reads it before each of its steps.
  public var nextArrival: Duration? { arrivals.next }

  /// Loses all messages in flight: the connection broke.
  public mutating func lose() {
    lost += messages.count
    messages.removeAll()
    arrivals = Arrivals()
  }

  private mutating func enqueue(_ message: Message, at now: Duration) {
    let nanoseconds = Int64.random(
      in: faults.delay.lowerBound.nanoseconds...faults.delay.upperBound.nanoseconds, using: &random)
    guard messages.count < faults.limit else {
      lost += 1
      return
    }
    messages.append(message)
    arrivals.append(now + .nanoseconds(nanoseconds))
  }
}

/// The arrival times of messages, in the order in which they were sent. Separate from the messages, so that it is
/// compiled once for all kinds of them.
private struct Arrivals {
  private var times: [Duration] = []
  /// The earliest arrival time.
  private(set) var next: Duration?

  mutating func append(_ time: Duration) {
    times.append(time)
    next = min(next ?? time, time)
  }

  /// Removes the earliest time, and of several equal ones that of the message sent first, if it is no later than `now`.
  ///
  /// - Returns: its position in the order of sending.
  mutating func takeFirst(by now: Duration) -> Int? {
    guard let next, next <= now, let index = times.firstIndex(of: next) else { return nil }
    times.remove(at: index)
    self.next = times.min()
    return index
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// One direction of a connection, in memory, that can do to messages what networks do: lose, delay, repeat and reorder
/// them. Everything follows from the seed.
public struct InMemoryLink<Message> {
  /// What it does to messages.
  public struct Faults: Hashable, Sendable {
    /// The probability that a message is lost.
    public var drop: Double
    /// The probability that a message comes twice.
    public var `repeat`: Double
    /// How long a message takes. If this is a range, later messages may overtake earlier ones.
    public var delay: ClosedRange<Duration>
    /// How many messages may be under way or wait to be received; what comes then is lost, as at a socket's high-water
    /// mark.
    public var limit = Int.max

    /// Faults of these probabilities.
    public init(drop: Double = 0, repeat: Double = 0, delay: ClosedRange<Duration> = .zero ... .zero) {
      self.drop = drop
      self.repeat = `repeat`
      self.delay = delay
    }

    /// Every message arrives at once, in order.
    public static var none: Faults { Faults() }
  }

  /// What is done to messages from now on.
  public var faults: Faults
  /// Whether the cable is out: whatever is sent is lost, and what is under way waits.
  public var isCut = false
  /// How many messages were lost, whatever the reason.
  public private(set) var lost = 0
  private var random: SeededRandom
  /// What is under way, and when each of it arrives.
  private var messages: [Message] = []
  private var arrivals = Arrivals()

  /// A connection with these faults.
  public init(_ faults: Faults = .none, seed: UInt64 = 0) {
    self.faults = faults
    random = SeededRandom(seed: seed)
  }

  /// Sends a message.
  public mutating func send(_ message: Message, at now: Duration) {
    // Chance is asked in any case, so that a cut changes nothing of what comes after it.
    let isDropped = random.chance(faults.drop)
    let isRepeated = random.chance(faults.repeat)
    if isDropped || isCut { lost += 1 } else { enqueue(message, at: now) }
    if isRepeated && !isCut { enqueue(message, at: now) }
  }

  /// The next message that has arrived by `now`: of several the one that arrived first. Linear in what is under way.
  public mutating func receive(at now: Duration) -> Message? {
    guard !isCut, let index = arrivals.takeFirst(by: now) else { return nil }
    return messages.remove(at: index)
  }

  /// When the next message arrives. Takes no time to speak of: a simulation asks before each of its steps.
  public var nextArrival: Duration? { arrivals.next }

  /// What is under way is lost: the connection broke.
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

/// When messages arrive, in the order in which they were sent: apart from the messages, so that it is compiled once and for
/// all kinds of them.
private struct Arrivals {
  private var times: [Duration] = []
  /// The earliest of them.
  private(set) var next: Duration?

  mutating func append(_ time: Duration) {
    times.append(time)
    next = min(next ?? time, time)
  }

  /// Takes the earliest away, and of several the one that was sent first, if it is no later than `now`.
  ///
  /// - Returns: its place in the order in which they were sent.
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

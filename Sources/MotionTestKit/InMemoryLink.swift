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
  private var random: SeededRandom
  private var underway: [(arrival: Duration, order: UInt64, message: Message)] = []
  private var sent: UInt64 = 0

  /// A connection with these faults.
  public init(_ faults: Faults = .none, seed: UInt64 = 0) {
    self.faults = faults
    random = SeededRandom(seed: seed)
  }

  /// Sends a message.
  public mutating func send(_ message: Message, at now: Duration) {
    if !random.chance(faults.drop) { enqueue(message, at: now) }
    if random.chance(faults.repeat) { enqueue(message, at: now) }
  }

  /// The next message that has arrived by `now`: of several the one that arrived first. Linear in what is under way.
  public mutating func receive(at now: Duration) -> Message? {
    let next = underway.indices.min {
      (underway[$0].arrival, underway[$0].order) < (underway[$1].arrival, underway[$1].order)
    }
    guard let next, underway[next].arrival <= now else { return nil }
    return underway.remove(at: next).message
  }

  /// When the next message arrives.
  public var nextArrival: Duration? { underway.lazy.map(\.arrival).min() }

  /// What is under way is lost: the connection broke.
  public mutating func lose() { underway.removeAll() }

  private mutating func enqueue(_ message: Message, at now: Duration) {
    let nanoseconds = Int64.random(
      in: faults.delay.lowerBound.nanoseconds...faults.delay.upperBound.nanoseconds, using: &random)
    sent += 1
    underway.append((now + .nanoseconds(nanoseconds), sent, message))
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

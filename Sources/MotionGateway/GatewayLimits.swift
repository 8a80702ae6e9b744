import MotionWire
import ZeroMQ

/// Every bound of a gateway, each with its reason: what a stranger can cost before he is refused, and after that before
/// the gateway dies of it.
public struct GatewayLimits: Hashable, Sendable {
  /// Memory beyond what the gateway has when it starts, in bytes: 100 clients that do not read take 8 MiB each at worst,
  /// and a machine that runs motiond can spare half a gigabyte. It is the address space that is limited
  /// (`RLIMIT_AS`), because that is what an allocation fails for: libzmq and Swift end the process then.
  public var memory = 512 << 20
  /// Connections at a time: each program has two or three, so this is some hundred programs.
  public var connections = 256
  /// One request, in bytes: a transaction of some 10,000 operations.
  public var requestBytes = 1 << 20
  /// Requests of one connection in a second: a pointer that reports 120 times a second, and the rest besides.
  public var requestsPerSecond = 200.0
  /// Operations of one connection's transactions in a second: one large transaction, or a cue of 40 operations for each of
  /// 120 frames. A transaction may have twice as many.
  public var operationsPerSecond = 5000.0
  /// Requests of one connection that wait for their answers: a client has one, and repeats it a few times.
  public var requestsWaiting = 16
  /// Requests of all connections that wait: half of what motiond keeps for one client, which the gateway is.
  public var allRequestsWaiting = 500
  /// Topics of one connection: a wall of screens has a gateway of its own with another number here.
  public var topics = 256
  /// Topics of all connections: a sixteenth of what motiond has for everybody.
  public var allTopics = 4096
  /// Subscriptions passed on in a second, since motiond answers each with all that is on the topic.
  public var subscriptionsPerSecond = 100.0
  /// Targets and intentions that the whole runtime may have before strangers may not add any more: a tenth of what fits
  /// in 100 MB.
  public var targets = 10_000
  /// Likewise.
  public var intentions = 100_000
  /// Rows of one answer, and properties on one topic: what a page or a terminal can show of a runtime, several times.
  public var rows = 10_000
  /// Rows of one connection's answers in a second: a list of everything that is looked at twice a second. As much again may be
  /// asked for at once.
  public var rowsPerSecond = 20_000.0
  /// Rows of all connections' answers and topics in a second: at some 0.4 µs each a fiftieth of motiond's loop, and a tenth of the
  /// thread that encodes them.
  public var allRowsPerSecond = 50_000.0

  /// The usual limits.
  public init() {}

  // MARK: What nobody sets

  /// Refusals that one connection is told in a second; whoever needs more is hung up on.
  static let refusalsPerSecond = 20.0
  /// How long an answer is awaited: as long as the longest step of time takes, within reason.
  static let answerTimeout = Duration.seconds(60)
  /// Topics of a worker behind a gateway: one on each socket, and those of lives before.
  static let topicsOfWorker = 16

  /// What a connection may subscribe to: so many topics, of which libzmq keeps 35 bytes for each byte.
  static func subscriptions(topics: Int) -> SubscriptionLimit {
    SubscriptionLimit(
      topics: topics, bytes: topics * Topic.longestSubscription, longest: Topic.longestSubscription,
      // Some topics more or less in each second.
      bytesPerSecond: 16_384)
  }

  /// Messages for one subscriber: a second at 120 Hz of a topic that fits in one, and 8 MiB at worst.
  static let valuesQueue = 128
  /// Answers for one client; the long ones are bounded in bytes besides.
  static let answersQueue = 64
}

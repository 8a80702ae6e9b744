import MotionWire
import ZeroMQ

/// The limits of a gateway, each with its reason: what an untrusted client can cost before it is refused, and what all
/// can cost before the gateway exits.
public struct GatewayLimits: Hashable, Sendable {
  /// Memory beyond what the gateway has when it starts, in bytes: 100 clients that do not read take 8 MiB each at most,
  /// and a machine that runs motiond can spare half a gigabyte. The limit is on the address space (`RLIMIT_AS`),
  /// because only that makes an allocation fail. libzmq and Swift then end the process.
  public var memory = 512 << 20
  /// Connections at a time: each program has two or three, so this is about a hundred programs.
  public var connections = 256
  /// One request, in bytes: a transaction of some 10,000 operations.
  public var requestBytes = 1 << 20
  /// Requests of one connection in a second: a pointer that reports 120 times a second, and some other requests.
  public var requestsPerSecond = 200.0
  /// Operations of one connection's transactions in a second: one large transaction, or a cue of 40 operations for each
  /// of 120 frames. A transaction may have twice as many.
  public var operationsPerSecond = 5000.0
  /// Requests of one connection that wait for their answers: a client has one, and resends it a few times.
  public var requestsWaiting = 16
  /// Requests of all connections that wait: half of motiond's queue for one client, which the gateway is.
  public var allRequestsWaiting = 500
  /// Topics of one connection. A wall of screens needs a gateway of its own with a higher number.
  public var topics = 256
  /// Topics of all connections: a sixteenth of motiond's limit for all its clients.
  public var allTopics = 4096
  /// Subscriptions forwarded in a second: motiond answers each with all current values of the topic.
  public var subscriptionsPerSecond = 100.0
  /// The number of targets in the whole runtime above which untrusted clients cannot add any: a tenth of what fits in
  /// 100 MB.
  public var targets = 10_000
  /// Likewise for intentions.
  public var intentions = 100_000
  /// Rows of one answer, and properties on one topic: several times what a page or a terminal can show.
  public var rows = 10_000
  /// Rows of one connection's answers in a second: a list of everything, twice a second. A burst may have twice as
  /// many.
  public var rowsPerSecond = 20_000.0
  /// Rows of all connections' answers and topics in a second. At about 0.4 µs each they take a fiftieth of motiond's
  /// loop, and a tenth of the thread that encodes them.
  public var allRowsPerSecond = 50_000.0

  /// The default limits.
  public init() {}

  // MARK: Limits without an option

  /// Refusals sent to one connection in a second. A connection that exceeds them is closed.
  static let refusalsPerSecond = 20.0
  /// How long the gateway waits for an answer: as long as the longest step of time takes, within reason.
  static let answerTimeout = Duration.seconds(60)
  /// Topics of a worker behind a gateway: one on each socket, and those of earlier lives.
  static let topicsOfWorker = 16

  /// The subscriptions of one connection: this many topics, of which libzmq keeps 35 bytes for each byte.
  static func subscriptions(topics: Int) -> SubscriptionLimit {
    SubscriptionLimit(
      topics: topics, bytes: topics * Topic.longestSubscription, longest: Topic.longestSubscription,
      // Changes of some topics in each second.
      bytesPerSecond: 16_384)
  }

  /// Messages queued for one subscriber: a second at 120 Hz of a topic that fits in one message, and 8 MiB at most.
  static let valuesQueue = 128
  /// Answers queued for one client. Long answers are also limited in bytes.
  static let answersQueue = 64
}

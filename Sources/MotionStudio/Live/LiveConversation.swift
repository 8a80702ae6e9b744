import MotionFiles
package import MotionModel
package import MotionWire

/// The server's side of a viewer's connection to `/live`. It decides and uses no socket: messages of the viewer, events
/// and answers of motiond and the time in, actions out.
///
/// - Values are sent at most each ``StudioLimits/sampleInterval``, the newest of each channel, and only while the viewer
///   reads. What is left out is counted in the next message.
/// - Drivers and lines of the log are queued meanwhile, up to a limit.
/// - While motiond is gone, the viewer has a status, and keeps its channels and subscriptions.
package struct LiveConversation {
  /// What the caller has to do, in order.
  package enum Action: Hashable, Sendable {
    /// Send this message to the viewer.
    case send(SocketMessage)
    /// Subscribe to this at motiond.
    case follow(Interest)
    /// Unsubscribe.
    case unfollow(Interest)
    /// Do this at motiond, and pass on the answer.
    case request(Request)
  }

  /// What is requested of motiond.
  package enum Request: Hashable, Sendable {
    /// ``LiveConversation/take(status:at:)``
    case status
    /// ``LiveConversation/take(properties:counts:)``
    case properties
    /// The present drivers: ``LiveConversation/take(drivers:at:)``
    case drivers
    /// ``LiveConversation/take(graph:)``
    case graph
    /// ``LiveConversation/take(parameters:for:id:)``
    case parameters([String], id: String?)
    /// ``LiveConversation/take(watched:)``
    case watched([String])
    /// As `parameters`, after these are set.
    case set([Parameter], id: String?)
    /// Send the response, or the failure, of this call.
    case call(ViewerMessage.Call, Service)
  }

  /// A moment by two clocks.
  package struct Instant: Hashable, Sendable {
    /// The clock of deadlines.
    package var now: Duration
    /// Nanoseconds since 1970.
    package var wallTime: UInt64

    /// A moment.
    package init(now: Duration, wallTime: UInt64) { (self.now, self.wallTime) = (now, wallTime) }
  }

  /// The interval between looks at motiond's clock and counts. With the timeout of a status it is less than a second, in
  /// which a person sees that motiond is gone.
  static let statusInterval = Duration.milliseconds(300)
  /// The interval between graphs, while the viewer shows them.
  static let graphInterval = Duration.seconds(2)
  /// How long a new property may wait for its channel, so that many of them make one query.
  static let channelDelay = Duration.milliseconds(100)

  /// When what is due; `nil` for never.
  struct Deadlines {
    var status = Duration.zero
    var graph: Duration?
    var channels: Duration?
    var flush = Duration.zero
  }

  /// Whether the viewer may change motion.
  package let mayChange: Bool
  /// The targets with channels.
  package internal(set) var pattern: TargetSelector?
  /// Why motiond cannot be reached; `nil` while it can.
  package internal(set) var absence: String?

  var table = ChannelTable()
  var pending = PendingMessages()
  private var stall = Stall()
  var graph = GraphUpdate()
  var deadlines = Deadlines()
  var watchedParameters: Set<String> = []
  var lastParameters: [String: Parameter] = [:]
  var lastCounts = Status.Counts()
  var toldHidden = 0

  /// A connection of a viewer.
  package init(mayChange: Bool, pattern: TargetSelector? = nil) {
    (self.mayChange, self.pattern) = (mayChange, pattern)
  }

  /// The services that this viewer may call.
  var services: [Service] { Service.allCases.filter { mayChange || !$0.changes } }

  /// The first messages.
  ///
  /// - Parameters:
  ///   - session: identifies the run of this server.
  package mutating func begin(session: String) -> [Action] {
    [
      .send(
        ServerMessage.info(
          name: "motiond", session: session,
          metadata: ["version": .text(Release.version), "access": .text(mayChange ? "write" : "read")])),
      .send(ServerMessage.advertise(ChannelTable.Fixed.advertised)),
      .send(ServerMessage.advertise(services)),
      // Also while nobody watches drivers: a new property is known by its first driver.
      .follow(.drivers(.everything)),
    ]
  }

  // MARK: Time

  /// When ``elapsed(at:hasRoom:)`` is due.
  package var nextDue: Duration {
    var due = min(deadlines.status, deadlines.graph ?? .seconds(Int64.max / 4))
    if let channels = deadlines.channels { due = min(due, channels) }
    if !pending.isEmpty { due = min(due, deadlines.flush) }
    return due
  }

  /// Whether the viewer has left no room for so long that its connection is to be closed.
  package func isStalled(at now: Duration) -> Bool { stall.isOver(at: now) }

  /// Does what is due.
  ///
  /// - Parameter hasRoom: whether the viewer reads fast enough to get values.
  package mutating func elapsed(at instant: Instant, hasRoom: Bool) -> [Action] {
    let now = instant.now
    var actions: [Action] = []
    if now >= deadlines.status {
      deadlines.status = now + Self.statusInterval
      actions.append(.request(.status))
    }
    if absence == nil, let due = deadlines.channels, now >= due {
      deadlines.channels = nil
      actions.append(.request(.properties))
    }
    if let due = deadlines.graph, now >= due {
      deadlines.graph = now + Self.graphInterval
      if absence == nil { actions.append(.request(.graph)) }
    }
    stall.note(hasRoom: hasRoom, at: now)
    guard now >= deadlines.flush, !pending.isEmpty else { return actions }
    deadlines.flush = now + StudioLimits.sampleInterval
    return hasRoom ? actions + pending.takeAll(at: instant.wallTime).map { .send($0) } : actions
  }
}

/// The limits of what others make motion-studio keep or do. Each is a constant: an operator has no reason to change them.
package enum StudioLimits {
  /// Connections at a time, of viewers and of browsers that load the page: a browser has six, so these are some eighty.
  package static let connections = 500
  /// Viewers at a time. Each has a thread, and a session of motiond.
  package static let viewers = 64
  /// The bytes of a request's head and body. Those of browsers have one or two kilobytes.
  package static let requestBytes = 16_384
  /// The longest message of a viewer: a transaction of some ten thousand operations.
  package static let messageBytes = 1 << 20
  /// The most fragments of a message; libraries send fragments of some kilobytes.
  package static let fragments = 256
  /// How long the head of a request may take, from the connection on. On a slow tunnel it takes a second.
  package static let requestTime = Duration.seconds(5)
  /// How long an answer may take until the viewer has read it.
  package static let answerTime = Duration.seconds(60)
  /// The interval of pings. Tunnels drop connections that are silent for a minute.
  package static let pingInterval = Duration.seconds(20)
  /// The interval of the server's time, by which a page detects within a second that its connection is gone: three of them.
  package static let heartbeat = Duration.milliseconds(250)
  /// The time without any frame of a viewer after which it counts as gone: three pings.
  package static let silence = Duration.seconds(60)
  /// Messages of a viewer that wait for its session; then its connection is no longer read.
  package static let waitingMessages = 128
  /// The kernel's buffer for a connection: it would otherwise keep some megabytes for each viewer that does not read.
  package static let sendBuffer = 256 << 10
  /// Bytes that wait for a viewer to read, above which it gets no more values: it reads too slowly for them.
  package static let roomBytes = 256 << 10
  /// Bytes that wait for a viewer to read, above which it is disconnected.
  package static let waitingBytes = 32 << 20
  /// How long a viewer may leave no room before it is disconnected. It connects anew when it continues.
  package static let stall = Duration.seconds(10)
  /// The interval of values on a channel: Lichtblick warns above 60 a second.
  package static let sampleInterval = Duration.nanoseconds(16_666_667)
  /// The targets with channels unless the viewer asks for others.
  package static let targets = 1000
  /// The most channels of a viewer: each repeats its schema, half a kilobyte.
  package static let channels = 20_000
  /// The most subscriptions of a viewer.
  package static let subscriptions = 20_000
  /// Messages about drivers and of the log that wait for room; more are dropped and counted.
  package static let queuedMessages = 4096
  /// The most parameters of limits, and of plans, each.
  package static let parameters = 1000
  /// The most curves of the past in a request, and the most points of each, approximately.
  package static let curves = 32
  package static let curvePoints = 4000
  /// The most rows of the hierarchy in an answer, and the longest text that they are searched for.
  package static let rows = 500
  package static let searchBytes = 256
  /// Requests about the past, and about all targets, that wait for their answers.
  package static let waitingLongRequests = 16
  /// Seconds of a recording that a viewer may have played in a second.
  package static let playbackSpeed: ClosedRange<Float> = 0.01...100
  /// Browsers with a cookie. The oldest one is dropped.
  package static let cookies = 64
}

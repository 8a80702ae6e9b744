/// Counts what a worker says, so that one that floods is ended before it costs the others a frame.
///
/// Sockets between processes give no way to slow down one sender: what it has sent lies in a queue before what others say,
/// and has to be taken out. So a worker that says far more than it can have to say is fenced.
struct FloodGate {
  /// Messages in a second: five times an update in each of 1000 frames, with heartbeats and lines of a log besides. Hearing
  /// them takes motiond a twentieth of a processor.
  static let messagesPerSecond = 5_000
  /// Bytes in a second: a tenth of what a socket carries, and the values of 10,000 properties in each of 1000 frames.
  static let bytesPerSecond = 256 << 20

  private var second = Duration.zero
  private var messages = 0
  private var bytes = 0

  /// Counts a message.
  ///
  /// - Returns: in what the sender has gone too far, if it has; from then on until the second is over.
  mutating func take(_ count: Int, at now: Duration) -> String? {
    if now - second >= .seconds(1) { (second, messages, bytes) = (now, 0, 0) }
    messages += 1
    bytes += count
    if messages > Self.messagesPerSecond { return "more than \(Self.messagesPerSecond) messages in a second" }
    if bytes > Self.bytesPerSecond { return "more than \(Self.bytesPerSecond >> 20) MiB in a second" }
    return nil
  }
}

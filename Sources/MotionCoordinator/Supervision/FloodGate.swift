/// Counts what a worker says, so that one that floods is ended before it costs the others a frame.
///
/// Sockets between processes give no way to slow down one sender: what it has sent lies in a queue before what others say,
/// and has to be taken out. So a worker that says far more than it can have to say is fenced.
struct FloodGate {
  /// Messages in a second: five times an update in each of 1000 frames, with heartbeats and lines of a log besides. Hearing
  /// them takes motiond a twentieth of a processor.
  static let messagesPerSecond = 5_000
  /// Bytes in a second: a tenth of what a socket carries, and the values of 10,000 properties in each of 1000 frames.
  static let bytesPerSecond = 256_000 << 10

  private var second = Duration.zero
  private var messages = 0
  private var bytes = 0
  /// Frames of this second that the worker was asked for.
  private var frames = 0

  /// The worker is asked for a frame. While time is stepped there may be far more of them than 1000 in a second, and what it
  /// is asked for it may answer.
  mutating func asked(at now: Duration) {
    renew(at: now)
    frames += 1
  }

  /// Counts a message.
  ///
  /// - Returns: in what the sender has gone too far, if it has; from then on until the second is over.
  mutating func take(_ count: Int, at now: Duration) -> String? {
    renew(at: now)
    messages += 1
    bytes += count
    let frames = max(frames, 1000)
    let (mostMessages, mostBytes) = (Self.messagesPerSecond / 1000 * frames, Self.bytesPerSecond / 1000 * frames)
    if messages > mostMessages { return "more than \(mostMessages) messages in a second" }
    if bytes > mostBytes { return "more than \(mostBytes >> 20) MiB in a second" }
    return nil
  }

  private mutating func renew(at now: Duration) {
    if now - second >= .seconds(1) { (second, messages, bytes, frames) = (now, 0, 0, 0) }
  }
}

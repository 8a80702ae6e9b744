/// Counts a worker's messages, so that one that floods is fenced before it costs the others a frame.
///
/// Sockets between processes have no backpressure for a single sender: its messages lie in a queue before those of the
/// others, and have to be taken out. So a worker that sends far more than it can need is fenced.
struct FloodGate {
  /// Messages in a second: five times an update in each of 1000 frames, with heartbeats and lines of a log besides.
  /// Receiving them takes motiond a twentieth of a processor.
  static let messagesPerSecond = 5_000
  /// Bytes in a second: a tenth of what a socket carries, and the values of 10,000 properties in each of 1000 frames.
  static let bytesPerSecond = 256_000 << 10

  private var second = Duration.zero
  private var messages = 0
  private var bytes = 0
  /// The frames requested from the worker in this second.
  private var frames = 0

  /// A frame is requested from the worker. While time is stepped there may be far more than 1000 in a second, and the
  /// worker may answer each.
  mutating func asked(at now: Duration) {
    renew(at: now)
    frames += 1
  }

  /// Counts a message.
  ///
  /// - Returns: the limit that the sender has exceeded, if any; from then on until the second is over.
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

import MotionWire
import ZeroMQ

/// Numbers the replies to untrusted clients, and limits those that wait in send queues.
struct GatewayReplies {
  private var lastSequence: UInt64 = 0
  private let bytes = WaitingBytes()

  /// How many bytes wait.
  var waiting: Int { bytes.count }

  /// Numbers and encodes a reply; `nil` if more than `limit` bytes would wait.
  mutating func message(of envelope: inout Envelope, limit: Int) -> Message? {
    lastSequence += 1
    envelope.sequence = lastSequence
    return bytes.message(of: envelope.encoded(), limit: limit)
  }
}

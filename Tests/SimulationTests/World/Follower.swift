import MotionModel
import MotionWire
import ZeroMQ

/// A subscriber to all motion and all outcomes, which notices if a message is missing or makes no sense.
final class Follower {
  /// Who it is to the authenticator.
  static let name = PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: 2_000_000)), serial: 2_000_000)

  private let socket: SubscribeSocket
  private var last: [String: UInt64] = [:]
  private(set) var messages = 0

  init(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    socket = try SubscribeSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    for interest in [Interest.motion(.everything), .outcomes(nil)] {
      try socket.subscribe(Topic.subscription(interest.topic))
    }
  }

  /// Reads what there is.
  ///
  /// - Returns: what is wrong with it, if anything.
  func follow() throws -> String? {
    while let message = try socket.receiveOne().message {
      messages += 1
      let bytes = message.withUnsafeBytes(Array.init)
      let (topic, body) = try Topic.split(bytes)
      let envelope = try Envelope(decoding: Array(body), limit: Limits.workerMessageBytes)
      // Names, complete values and last words that are said again have the number of the last change.
      let before = last.updateValue(envelope.sequence, forKey: topic) ?? envelope.sequence
      guard before...before + 1 ~= envelope.sequence else { return "\(topic): \(envelope.sequence) follows \(before)" }
    }
    return nil
  }
}

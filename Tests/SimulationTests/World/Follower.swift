import MotionModel
import MotionWire
import ZeroMQ

@testable import MotionClient
@testable import MotionCore

/// A subscriber to all motion and all outcomes. It detects messages that are missing or invalid, and derives the state
/// of every property from the messages, as `MotionClient` does.
final class Follower {
  /// Its name for the authenticator.
  static let name = PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: 2_000_000)), serial: 2_000_000)

  private let socket: SubscribeSocket
  private var last: [String: UInt64] = [:]
  private var motion = TopicFollower(.motion(.everything), now: .zero)
  /// The state of every property according to the received messages.
  private var states: [PropertyReference: PropertyState] = [:]
  /// The plans that have ended according to the messages since the last call of ``takeEnded()``.
  private var ended: [IntentionIdentity] = []
  /// The kinds of messages that it received.
  private(set) var census = Census()

  init(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    socket = try SubscribeSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    for interest in [motion.interest, .outcomes(nil), .drivers(.everything)] {
      try socket.subscribe(Topic.subscription(interest.topic))
    }
  }

  /// Reads all messages.
  ///
  /// - Returns: a problem with them, if any.
  func follow() throws -> String? {
    while let message = try socket.receiveOne().message {
      let bytes = message.withUnsafeBytes(Array.init)
      let (topic, body) = try Topic.split(bytes)
      let envelope = try Envelope(decoding: Array(body), limit: Limits.workerMessageBytes)
      census.note(envelope.body)
      if case .ended(let plans) = envelope.body { ended += plans.map(\.identity) }
      // Names, complete values and resent last messages have the number of the last change.
      let before = last.updateValue(envelope.sequence, forKey: topic) ?? envelope.sequence
      guard before...before + 1 ~= envelope.sequence else { return "\(topic): \(envelope.sequence) follows \(before)" }
      if topic == motion.interest.topic, case .values(let values)? = motion.receive(envelope, now: .zero).event {
        hear(values)
      }
    }
    return nil
  }

  /// The plans that were reported to have ended since the last call.
  func takeEnded() -> [IntentionIdentity] {
    defer { ended = [] }
    return ended
  }

  private func hear(_ values: FrameValues) {
    if values.isComplete { states = [:] }
    for reference in values.forgotten { states[reference] = nil }
    for property in values.properties { states[property.reference] = property.state }
  }

  /// The first property of a runtime whose value or velocity differs from the received state; `nil` if there is none.
  func difference(from runtime: Runtime) -> String? {
    let slots = Array(runtime.movement.properties.occupied)
    for slot in slots {
      let (reference, state) = (
        runtime.movement.properties[slot].reference, runtime.movement.properties.state(at: slot)
      )
      guard states[reference] == state else {
        return "\(reference) is \(state), and a subscriber has heard \(states[reference].map { "\($0)" } ?? "nothing")"
      }
    }
    return states.count == slots.count ? nil : "a subscriber has heard of \(states.keys.map(\.description).sorted())"
  }
}

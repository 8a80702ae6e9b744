import MotionModel
import MotionWire
import ZeroMQ

@testable import MotionClient
@testable import MotionCore

/// A subscriber to all motion and all outcomes, which notices if a message is missing or makes no sense, and knows where
/// everything is by what it has heard, as `MotionClient` does.
final class Follower {
  /// Who it is to the authenticator.
  static let name = PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: 2_000_000)), serial: 2_000_000)

  private let socket: SubscribeSocket
  private var last: [String: UInt64] = [:]
  private var motion = TopicFollower(.motion(.everything), now: .zero)
  /// Where everything is by what it has heard.
  private var states: [PropertyReference: PropertyState] = [:]
  /// The plans that have ended, by what it has heard since somebody asked.
  private var ended: [IntentionIdentity] = []
  /// What it was sent.
  private(set) var census = Census()

  init(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    socket = try SubscribeSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    for interest in [motion.interest, .outcomes(nil), .drivers(.everything)] {
      try socket.subscribe(Topic.subscription(interest.topic))
    }
  }

  /// Reads what there is.
  ///
  /// - Returns: what is wrong with it, if anything.
  func follow() throws -> String? {
    while let message = try socket.receiveOne().message {
      let bytes = message.withUnsafeBytes(Array.init)
      let (topic, body) = try Topic.split(bytes)
      let envelope = try Envelope(decoding: Array(body), limit: Limits.workerMessageBytes)
      census.note(envelope.body)
      if case .ended(let plans) = envelope.body { ended += plans.map(\.identity) }
      // Names, complete values and last words that are sent again have the number of the last change.
      let before = last.updateValue(envelope.sequence, forKey: topic) ?? envelope.sequence
      guard before...before + 1 ~= envelope.sequence else { return "\(topic): \(envelope.sequence) follows \(before)" }
      if topic == motion.interest.topic, case .values(let values)? = motion.receive(envelope, now: .zero).event {
        hear(values)
      }
    }
    return nil
  }

  /// The plans that it has heard have ended since this was asked.
  func takeEnded() -> [IntentionIdentity] {
    defer { ended = [] }
    return ended
  }

  private func hear(_ values: FrameValues) {
    if values.isComplete { states = [:] }
    for reference in values.forgotten { states[reference] = nil }
    for property in values.properties { states[property.reference] = property.state }
  }

  /// What of a runtime is not where, or not as fast, as it has heard; `nil` if everything is.
  func difference(from runtime: Runtime) -> String? {
    let slots = Array(runtime.properties.occupied)
    for slot in slots {
      let (reference, state) = (runtime.properties[slot].reference, runtime.properties.state(at: slot))
      guard states[reference] == state else {
        return "\(reference) is \(state), and a subscriber has heard \(states[reference].map { "\($0)" } ?? "nothing")"
      }
    }
    return states.count == slots.count ? nil : "a subscriber has heard of \(states.keys.map(\.description).sorted())"
  }
}

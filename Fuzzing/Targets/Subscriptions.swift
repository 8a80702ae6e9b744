import MotionClient
import MotionModel
import MotionWire

/// What a daemon publishes, one message after the other, and what a subscriber makes of it.
enum Subscriptions {
  static func run(_ bytes: [UInt8]) throws {
    let interests: [Interest] = [.values(.everything), .motion(.target("ball")), .outcomes(nil), .drivers(.everything)]
    var followers = interests.map { TopicFollower($0, now: .zero) }
    var now = Duration.zero
    for piece in Pieces(bytes) {
      now += .milliseconds(300)
      guard let envelope = try? Envelope(decoding: piece) else { continue }
      for index in followers.indices {
        let outcome = followers[index].receive(envelope, now: now)
        if case .values(let frame) = outcome.event { try check(frame) }
        _ = followers[index].elapsed(now: now)
      }
    }
  }

  private static func check(_ frame: FrameValues) throws {
    try require(
      frame.properties.allSatisfy { $0.value.isFinite && $0.velocity?.isFinite != false },
      "a subscriber is told \(frame.properties)")
  }
}

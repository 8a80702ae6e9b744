public import MotionModel
import MotionWire

/// The topics of one worker and incarnation, so that no message for one incarnation reaches the next.
public struct LinkTopics: Hashable, Sendable {
  /// Of its commands and the coordinator's heartbeats.
  public let commands: String
  /// Of its ticks.
  public let ticks: String
  /// Of its updates, heartbeats and log lines.
  public let events: String

  /// The topics of `address` in its start number `incarnation`: `c/tween.0/3`, …
  public init(_ address: WorkerAddress, incarnation: UInt64) {
    commands = WorkerTopic(.commands, of: address, incarnation: incarnation).topic
    ticks = WorkerTopic(.ticks, of: address, incarnation: incarnation).topic
    events = WorkerTopic(.events, of: address, incarnation: incarnation).topic
  }
}

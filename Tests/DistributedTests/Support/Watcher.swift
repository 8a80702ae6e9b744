import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories
import ZeroMQ

/// Subscribes in the test's own process, which is not the daemon's, and keeps the messages that it receives.
final class Watcher {
  private let subscription: ValueSubscription
  /// Frames with changes, in order; without the complete values of the beginning.
  private(set) var frames: [FrameValues] = []
  /// The complete values of the beginning, and of later subscriptions after a gap.
  private(set) var complete: [FrameValues] = []
  /// The intentions that ended.
  private(set) var ended: [EndedIntention] = []
  /// The changes of drivers.
  private(set) var handedOver: [DriverChange] = []
  /// The number of messages that were missed.
  private(set) var missed: UInt64 = 0

  /// Subscribes, and waits until no message can be missed any more.
  init(_ client: MotionClient, _ interests: Interest...) throws {
    subscription = try client.subscribe(to: interests)
    try subscription.synchronise(timeout: factTimeout)
    // Outcomes have no initial message that confirms a subscription; a request that is answered after it confirms it.
    _ = try client.status()
    try take(upTo: .zero)
  }

  /// Receives until `isEnough` returns true.
  func listen(_ fact: String, within limit: Duration = factTimeout, until isEnough: () throws -> Bool) throws {
    let deadline = BootClock.now + limit
    while try !isEnough() {
      guard BootClock.now < deadline else { throw WaitTimeout(fact, after: limit, last: summary) }
      try take(upTo: .milliseconds(50))
    }
  }

  /// Receives until the client reports that nothing moves any more, and all messages sent so far have arrived.
  func listenUntilIdle(_ client: MotionClient, within limit: Duration = factTimeout) throws {
    try listen("nothing moves", within: limit) { try !client.status().isActive }
    let last = try client.status().frame.number
    // A last frame need not have changed anything watched: a message sent by now arrives at once or was not sent.
    while try take(upTo: .milliseconds(100)) && (frames.last?.frame ?? 0) <= last {}
  }

  /// Receives until a property has this value.
  func listen(
    for value: Lanes, of property: PropertyName, of target: TargetName, within limit: Duration = factTimeout
  ) throws {
    try listen("\(target)/\(property) at \(value)", within: limit) {
      track(property, of: target).last?.value == value
    }
  }

  /// One property in one frame.
  struct Point: Equatable {
    let frame: UInt64
    let time: Double
    let value: Lanes
    let velocity: Lanes?
    let isLate: Bool
  }

  /// The values of a property over time.
  func track(_ property: PropertyName, of target: TargetName) -> [Point] {
    let reference = PropertyReference(target, property)
    return frames.compactMap { frame in
      frame[reference].map {
        Point(frame: frame.frame, time: frame.time, value: $0.value, velocity: $0.velocity, isLate: $0.isLate)
      }
    }
  }

  /// Whether the numbers of these points follow each other without a gap.
  static func isGapless(_ track: [Point]) -> Bool {
    zip(track, track.dropFirst()).allSatisfy { $1.frame == $0.frame + 1 }
  }

  /// Likewise for a property that a worker moves, which on a busy machine may be late: after some frames it stays in
  /// place until its worker's next sample, and no values are published; but its lateness is published before.
  static func isGaplessUnlessLate(_ track: [Point]) -> Bool {
    zip(track, track.dropFirst()).allSatisfy { $1.frame == $0.frame + 1 || $0.isLate }
  }

  /// The largest steps of these points that no velocity explains.
  ///
  /// In skipped frames no values were published, because the property was at rest: it moves again in the last of them.
  static func jump(of track: [Point]) -> Jump {
    var jump = Jump()
    var last: Point?
    for point in track {
      var time = point.time - (last ?? point).time
      if let last, point.frame > last.frame + 1 {
        let frame = time / Double(point.frame - last.frame)
        jump.see(PropertyState(last.value), after: time - frame)
        time = frame
      }
      jump.see(PropertyState(point.value, velocity: point.velocity), after: time)
      last = point
    }
    return jump
  }

  /// Receives the messages that arrive within a time.
  ///
  /// - Returns: whether any message arrived.
  @discardableResult
  func take(upTo limit: Duration) throws -> Bool {
    guard let event = try subscription.next(timeout: limit) else { return false }
    keep(event)
    while let event = try subscription.next(timeout: .zero) { keep(event) }
    return true
  }

  private func keep(_ event: ValueSubscription.Event) {
    switch event {
    case .values(let values):
      missed += values.missed
      if values.isComplete { complete.append(values) } else { frames.append(values) }
    case .ended(let ended, let missed):
      self.missed += missed
      self.ended += ended
    case .handedOver(let changes, let missed):
      self.missed += missed
      handedOver += changes
    case .restarted: break
    }
  }

  private var summary: String {
    "\(frames.count) frames, missed \(missed), last \(frames.last.map { "\($0.frame): \($0.properties.prefix(4))" } ?? "none")"
  }
}

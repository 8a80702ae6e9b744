import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories
import ZeroMQ

/// Subscribes in the test's own process, which is another one than the daemon's, and keeps what it hears.
final class Watcher {
  private let subscription: ValueSubscription
  /// Frames in which something changed, in order; the complete values of the beginning are not among them.
  private(set) var frames: [FrameValues] = []
  /// The complete values of the beginning, and of later subscriptions after a gap.
  private(set) var complete: [FrameValues] = []
  /// What ended.
  private(set) var ended: [EndedIntention] = []
  /// Who took which property over.
  private(set) var handedOver: [DriverChange] = []
  /// Messages that were missed.
  private(set) var missed: UInt64 = 0

  /// Subscribes, and waits until nothing can be missed any more.
  init(_ client: MotionClient, _ interests: Interest...) throws {
    subscription = try client.subscribe(to: interests)
    try subscription.synchronise(timeout: factTimeout)
    // Outcomes have no last word by which a subscription is known to hold; a question that is answered behind it has.
    _ = try client.status()
    try take(upTo: .zero)
  }

  /// Listens until `isEnough` says so.
  func listen(_ fact: String, within limit: Duration = factTimeout, until isEnough: () throws -> Bool) throws {
    let deadline = BootClock.now + limit
    while try !isEnough() {
      guard BootClock.now < deadline else { throw WaitTimeout(fact, after: limit, last: summary) }
      try take(upTo: .milliseconds(50))
    }
  }

  /// Listens until the client says that nothing moves any more, and all that was said is heard.
  func listenUntilIdle(_ client: MotionClient, within limit: Duration = factTimeout) throws {
    try listen("nothing moves", within: limit) { try !client.status().isActive }
    let last = try client.status().frame.number
    // A last frame need not have changed anything watched: what was said by now is here at once or was not said.
    while try take(upTo: .milliseconds(100)) && (frames.last?.frame ?? 0) <= last {}
  }

  /// Listens until a property has this value.
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

  /// The course of a property.
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

  /// Likewise of what a worker moves, which on a busy machine may be late: after some frames it stands until its worker's next
  /// word, and nothing is said; but that it is late is said before.
  static func isGaplessUnlessLate(_ track: [Point]) -> Bool {
    zip(track, track.dropFirst()).allSatisfy { $1.frame == $0.frame + 1 || $0.isLate }
  }

  /// The largest steps of these points that no velocity explains.
  ///
  /// In frames that are left out nothing was said, because it stood: it moves again in the last of them.
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

  /// Hears what comes within a time.
  ///
  /// - Returns: whether anything came.
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

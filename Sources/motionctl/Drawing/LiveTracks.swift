import MotionClient
import MotionDrawing
import MotionModel
import MotionWire

/// Follows the values of properties of a running daemon, and their drivers, for a limited time.
struct LiveTracks {
  /// The longest wait for an event before the end is checked. It is also the longest reaction time to Ctrl-C.
  private static let turn = Duration.milliseconds(50)

  private let client: MotionClient
  private let scopes: [Interest.Scope]
  private let subscription: ValueSubscription
  private var tracks: MotionTracks
  /// How many messages were missed.
  private(set) var missed: UInt64 = 0

  /// Subscribes to these places, and waits until no later event can be missed.
  init(_ scopes: [Interest.Scope], of client: MotionClient, timeout: Duration) throws(MotionClientError) {
    self.client = client
    self.scopes = scopes
    // Drivers first: once complete values of the last topic were received, the earlier subscriptions are in effect,
    // too.
    let interests = scopes.map { Interest.drivers($0) } + scopes.map { Interest.motion($0) }
    subscription = try client.subscribe(to: interests)
    try subscription.synchronise(timeout: timeout)
    tracks = MotionTracks(from: try client.status().clock.time)
    for change in try presentDrivers() { tracks.take(change) }
  }

  /// Follows events until the limit or the interruption, and returns the tracks.
  mutating func follow(for limit: Duration, until interruption: Interruption) throws(Failure) -> MotionTracks {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while !interruption.hasCome, !tracks.isFull {
      let left = end - clock.now
      guard left > .zero else { break }
      let event = try failing { () throws(MotionClientError) in try subscription.next(timeout: min(left, Self.turn)) }
      if let event { try take(event) }
    }
    let status = try failing { () throws(MotionClientError) in try client.status() }
    tracks.end(at: status.clock.time)
    return tracks
  }

  private mutating func take(_ event: ValueSubscription.Event) throws(Failure) {
    switch event {
    case .values(let values):
      missed += values.missed
      let frame = Frame(number: values.frame, time: values.time, dt: values.dt)
      for property in values.properties { tracks.take(property.state, of: property.reference, in: frame) }
    case .handedOver(let changes, let missed):
      self.missed += missed
      for change in changes { tracks.take(change) }
    case .ended: break
    case .restarted:
      throw Failure(
        .failure, "motiond was restarted meanwhile, and simulated time with it",
        remedy: "draw again; motiond's log states why it restarted")
    }
  }

  /// The present drivers of the properties to draw. Properties beyond the most tracks are not queried.
  private func presentDrivers() throws(MotionClientError) -> [DriverChange] {
    var changes: [DriverChange] = []
    var plans: [TargetName: [IntentionRow]] = [:]
    for scope in scopes {
      for row in try rows(of: scope).prefix(MotionTracks.mostTracks) where scope.contains(row.reference) {
        guard let identity = row.because.last, let executor = row.driver else { continue }
        let target = row.reference.target
        if plans[target] == nil { plans[target] = try client.intentions(of: target) }
        guard let plan = plans[target]?.first(where: { $0.identity == identity }) else { continue }
        let driver = DriverChange.Driver(
          executor: executor, identity: identity, type: plan.intention.type, name: plan.name)
        changes.append(DriverChange(row.reference, frame: row.changedFrame, time: tracks.origin, driver: driver))
      }
    }
    return changes
  }

  private func rows(of scope: Interest.Scope) throws(MotionClientError) -> [PropertyRow] {
    guard let target = scope.target else { return try client.properties() }
    return try client.absence(of: target) == nil ? client.properties(of: target) : []
  }
}

import MotionClient
import MotionDrawing
import MotionModel
import MotionWire

/// Hears where properties of a running daemon are, and who drives them, for a while.
struct LiveTracks {
  /// How long it waits for something to happen before it looks whether it should end: so long Ctrl-C takes at the most.
  private static let turn = Duration.milliseconds(50)

  private let client: MotionClient
  private let places: [WatchedPlace]
  private let subscription: ValueSubscription
  private var tracks: MotionTracks
  /// How many messages were missed.
  private(set) var missed: UInt64 = 0

  /// Subscribes to these places, and waits until nothing can be missed any more.
  init(_ places: [WatchedPlace], of client: MotionClient, timeout: Duration) throws(MotionClientError) {
    self.client = client
    self.places = places
    // Drivers first: once complete values have come on the last topic, the ones before it are heard, too.
    let interests = places.map { Interest.drivers($0.scope) } + places.map { Interest.motion($0.scope) }
    subscription = try client.subscribe(to: interests)
    try subscription.synchronise(timeout: timeout)
    tracks = MotionTracks(from: try client.status().clock.time)
    for change in try presentDrivers() { tracks.take(change) }
  }

  /// Hears what happens for so long, or until the interruption comes; gives the tracks.
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
        .failure, "motiond was restarted meanwhile, and time with it", remedy: "draw again; motiond's log says why")
    }
  }

  /// Who drives now what is about to be drawn. More properties than are drawn need not be asked for.
  private func presentDrivers() throws(MotionClientError) -> [DriverChange] {
    var changes: [DriverChange] = []
    var plans: [TargetName: [IntentionRow]] = [:]
    for place in places {
      for row in try rows(of: place).prefix(MotionTracks.mostTracks) where place.scope.contains(row.reference) {
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

  private func rows(of place: WatchedPlace) throws(MotionClientError) -> [PropertyRow] {
    guard let target = place.target else { return try client.properties() }
    return try client.absence(of: target) == nil ? client.properties(of: target) : []
  }
}

import MotionModel

/// One gesture in flight: a track, laid over a property from where the hand took hold of it.
struct GestureReplay {
  /// How the hand's movement acts on the property.
  private enum Action {
    /// Adds to it, held back by a band if there is one; a lane may be locked.
    case drag(DraggableIntention.Axis, RubberBand?)
    /// Multiplies it.
    case pinch
    /// Adds to its one lane.
    case rotate
  }

  let identity: IntentionIdentity
  let name: IntentionName?
  let property: PropertyName
  let token: TokenName
  /// Whether another writer has the property.
  var isDisplaced = false
  /// Whether the hand has the property.
  private(set) var holds = false
  private let action: Action
  private let track: GestureTrack
  private let startTime: Double
  /// What the track is laid over: the property's value less what the track had done when the hand took hold.
  private var base: Lanes

  /// Plans the replay of a gesture; `nil` if the touch has no such movement: too few fingers, or within the slop.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or the property has not the lanes of the gesture.
  init?(_ planned: PlannedIntention, named name: IntentionName?, _ tracks: GestureTracks) throws(Refusal) {
    let (property, action, track): (PropertyName, Action, GestureTrack?)
    let verb: String
    let lanes: ClosedRange<Int>
    switch planned.intention.type {
    case DraggableIntention.description.type:
      let draggable = try DraggableIntention(planned.intention)
      property = draggable.property
      action = .drag(draggable.axis, Self.band(of: draggable))
      let isMoving = planned.start(of: property).map { $0.velocity.storage != .zero } ?? false
      // A property in motion is caught at once.
      track = tracks.translation?.leaving(distance: isMoving ? 0 : draggable.slop)
      (verb, lanes) = (property == "position" ? "drag" : "drag.\(property)", 2...2)
    case PinchableIntention.description.type:
      property = try PinchableIntention(planned.intention).property
      (action, track) = (.pinch, tracks.scale)
      (verb, lanes) = (property == "scale" ? "pinch" : "pinch.\(property)", 1...Limits.lanes)
    default:
      property = try RotatableIntention(planned.intention).property
      (action, track) = (.rotate, tracks.rotation)
      (verb, lanes) = (property == "rotation" ? "rotate" : "rotate.\(property)", 1...1)
    }
    guard let start = planned.start(of: property), lanes.contains(start.value.count) else {
      throw Refusal(
        .lanes, field: "property", "\(property) cannot follow \(planned.intention.type)",
        remedy: "Name a property of \(lanes.lowerBound) \(lanes.lowerBound == 1 ? "lane" : "lanes").")
    }
    guard let track else { return nil }
    (identity, self.name, self.property, self.action, self.track) = (
      planned.identity, name, property, action, track
    )
    // A property's name and the verb together are shorter than a token's name may be.
    token = TokenName(stringLiteral: verb)
    startTime = planned.startTime
    base = start.value
  }

  /// Whether the touch was over before `frame` began: what is left of a replay that ran in an earlier worker.
  func isOver(before frame: Frame) -> Bool { !holds && startTime + track.end <= frame.start }

  /// Whether the hand takes hold before `time`.
  func begins(before time: Double) -> Bool { startTime + track.start < time }

  /// Whether the hand lets go before or at `time`.
  func ends(before time: Double) -> Bool { startTime + track.end <= time }

  /// Takes hold of the property where it is, or, if that is not known, where it was when the touch began.
  mutating func takeHold(of state: PropertyState?) {
    holds = true
    isDisplaced = false
    if let value = state?.value, value.count == base.count { base = value }
  }

  /// Lays the rest of the track over `state`, so that the property goes on from there.
  mutating func goOn(from state: PropertyState, at time: Double) {
    guard state.value.count == base.count else { return }
    base = state.value
    guard holds else { return }
    let done = movement(at: time).value
    switch action {
    case .drag, .rotate: base.storage -= Self.lanes(done, of: base.count)
    // Squeezed to nothing it keeps its base: there is no factor that leads back.
    case .pinch: if done.x > 0 { base.storage /= done.x }
    }
  }

  /// Where the property is at `time`, and how fast.
  func state(at time: Double) -> PropertyState {
    var movement = movement(at: time)
    var state = PropertyState(base)
    switch action {
    case .drag(_, let band):
      movement.value += SIMD2(base[0], base[1])
      if let band { movement = band.apply(to: movement) }
      state.value.storage = Self.lanes(movement.value, of: base.count)
      state.velocity.storage = Self.lanes(movement.velocity, of: base.count)
    case .pinch:
      state.value.storage = base.storage * movement.value.x
      state.velocity.storage = base.storage * movement.velocity.x
    case .rotate:
      state.value[0] = base[0] + movement.value.x
      state.velocity[0] = movement.velocity.x
    }
    return state
  }

  /// What the hand has done to the property at `time`, without what the axis locks.
  private func movement(at time: Double) -> GestureTrack.Sample {
    var sample = track.sample(at: time - startTime)
    if case .drag(.x, _) = action { (sample.value.y, sample.velocity.y) = (0, 0) }
    if case .drag(.y, _) = action { (sample.value.x, sample.velocity.x) = (0, 0) }
    return sample
  }

  private static func band(of draggable: DraggableIntention) -> RubberBand? {
    guard let perimeter = draggable.perimeter else { return nil }
    let corner = SIMD2(perimeter[0], perimeter[1])
    return RubberBand(
      lower: corner, upper: corner + SIMD2(perimeter[2], perimeter[3]), maxLength: draggable.maxLength)
  }

  private static func lanes(_ value: SIMD2<Double>, of count: Int) -> SIMD4<Double> {
    SIMD4(value.x, count > 1 ? value.y : 0, 0, 0)
  }
}

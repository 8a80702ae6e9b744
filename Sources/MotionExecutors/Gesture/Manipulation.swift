import MotionModel
import MotionPhysics
import MotionStreams

/// The effect of a gesture on a property, by one plan: a recogniser, and how its movement is applied.
struct Manipulation {
  /// The recogniser of the plan's type.
  private enum Recognizer {
    case drag(TranslationGestureRecognizer, DraggableIntention)
    case pinch(ScaleGestureRecognizer)
    case rotate(RotationGestureRecognizer)
    case tap(TapGestureRecognizer)
  }

  let identity: IntentionIdentity
  let name: IntentionName?
  let property: PropertyName
  let token: TokenName
  /// Whether the gesture holds the property.
  var isHolding = false
  /// The position and velocity at the release; written with the next frame.
  var release: PropertyState?
  /// Whether another writer drives the property.
  var isDisplaced = false
  private var recognizer: Recognizer
  /// The base that the movement is added to: the property's value when the gesture began.
  private var base: Lanes
  /// The movement that the recogniser had measured at that time.
  private var offset = SIMD2<Double>.zero

  /// Reads a plan.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or if the number of the property's lanes does not suit the gesture.
  init(_ planned: PlannedIntention, named name: IntentionName?) throws(Refusal) {
    let (property, verb, own): (PropertyName, String, PropertyName)
    let lanes: ClosedRange<Int>
    switch planned.intention.type {
    case DraggableIntention.description.type:
      let draggable = try DraggableIntention(planned.intention)
      (property, verb, own, lanes) = (draggable.property, "drag", "position", 2...2)
      recognizer = .drag(TranslationGestureRecognizer(slop: draggable.slop), draggable)
    case PinchableIntention.description.type:
      property = try PinchableIntention(planned.intention).property
      (verb, own, lanes) = ("pinch", "scale", 1...Limits.lanes)
      recognizer = .pinch(ScaleGestureRecognizer())
    case RotatableIntention.description.type:
      property = try RotatableIntention(planned.intention).property
      (verb, own, lanes) = ("rotate", "rotation", 1...1)
      recognizer = .rotate(RotationGestureRecognizer())
    default:
      property = try SetPositionOnTapIntention(planned.intention).property
      (verb, own, lanes) = ("tap", "position", 2...2)
      recognizer = .tap(TapGestureRecognizer())
    }
    guard let start = planned.start(of: property), lanes.contains(start.value.count) else {
      throw Refusal(
        .lanes, field: "property", "\(property) cannot follow \(planned.intention.type)",
        remedy: "Name a property of \(lanes.lowerBound) \(lanes.lowerBound == 1 ? "lane" : "lanes").")
    }
    (identity, self.name, self.property, base) = (planned.identity, name, property, start.value)
    // A property's name and the verb together are shorter than the limit of a token's name.
    token = TokenName(stringLiteral: property == own ? verb : "\(verb).\(property)")
  }

  /// The values that the movement is relative to; none for a tap.
  var bases: [Lanes] {
    if case .tap = recognizer { [] } else { [base] }
  }

  /// Handles an event; returns the state that the event led to, if any.
  ///
  /// - Parameter state: the state of the property; a drag catches one in motion at once, whatever the slop.
  mutating func handle(_ event: PointerEvent, over state: PropertyState?) -> GestureState? {
    switch recognizer {
    case .drag(var drag, let plan):
      drag.catchesAtOnce = state.map { $0.velocity.storage != .zero } ?? false
      defer { recognizer = .drag(drag, plan) }
      return drag.handle(event)
    case .pinch(var pinch):
      defer { recognizer = .pinch(pinch) }
      return pinch.handle(event)
    case .rotate(var rotate):
      defer { recognizer = .rotate(rotate) }
      return rotate.handle(event)
    case .tap(var tap):
      defer { recognizer = .tap(tap) }
      return tap.handle(event)
    }
  }

  /// Takes the property's value as the base, or, if it is unknown, its value at the plan's start time.
  mutating func takeHold(of state: PropertyState?) {
    if let value = state?.value, value.count == base.count { base = value }
    offset = origin
    (isHolding, isDisplaced) = (true, false)
  }

  /// Continues from `state`, wherever the pointers have moved meanwhile.
  mutating func goOn(from state: PropertyState) {
    guard isDisplaced else { return }
    isDisplaced = false
    guard isHolding, state.value.count == base.count else { return }
    (base, offset) = (state.value, movement(at: 0).value)
  }

  /// The property's value at `time`, and the velocity that the gesture gives it.
  func state(at time: Double) -> PropertyState {
    let (value, velocity) = movement(at: time)
    var state = PropertyState(base)
    switch recognizer {
    case .drag(_, let plan): return drag(by: value - offset, velocity, plan)
    case .pinch where offset.x > 0:
      state.value.storage = base.storage * (value.x / offset.x)
      state.velocity.storage = base.storage * (velocity.x / offset.x)
    // A pinch that resumed at a factor of 0 keeps its base: no factor leads back from there.
    case .pinch: break
    case .rotate:
      state.value[0] = base[0] + value.x - offset.x
      state.velocity[0] = velocity.x
    case .tap(let tap): state.value = Lanes(SIMD4(lowHalf: tap.centroid, highHalf: .zero), count: 2)
    }
    return state
  }

  private func drag(
    by way: SIMD2<Double>, _ velocity: SIMD2<Double>, _ plan: DraggableIntention
  ) -> PropertyState {
    let axis = SIMD2(plan.axis == .y ? 0.0 : 1, plan.axis == .x ? 0.0 : 1)
    var (point, velocity) = (base.storage.lowHalf + way * axis, velocity * axis)
    if let perimeter = plan.perimeter {
      for lane in 0..<2 where axis[lane] != 0 {
        let range = perimeter[lane]...(perimeter[lane] + perimeter[lane + 2])
        let (free, length) = RubberBand.grasp(base[lane], within: range, maxLength: plan.maxLength)
        let held = RubberBand.hold(free + way[lane], within: range, maxLength: length)
        point[lane] = way[lane] == 0 ? base[lane] : held.value
        velocity[lane] *= held.slope
      }
    }
    return PropertyState(
      Lanes(SIMD4(lowHalf: point, highHalf: .zero), count: 2),
      velocity: Lanes(SIMD4(lowHalf: velocity, highHalf: .zero), count: 2))
  }

  /// The measurement of a recogniser whose pointers have not moved.
  private var origin: SIMD2<Double> {
    if case .pinch = recognizer { [1, 0] } else { .zero }
  }

  /// The movement since the gesture began, and its velocity at `time`.
  private func movement(at time: Double) -> (value: SIMD2<Double>, velocity: SIMD2<Double>) {
    switch recognizer {
    case .drag(let drag, _): (drag.translation, drag.velocity(at: time))
    case .pinch(let pinch): ([pinch.scale, 0], [pinch.velocity(at: time), 0])
    case .rotate(let rotate): ([rotate.rotation, 0], [rotate.velocity(at: time), 0])
    case .tap: (.zero, .zero)
    }
  }
}

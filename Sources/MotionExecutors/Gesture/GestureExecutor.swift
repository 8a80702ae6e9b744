public import MotionCore
public import MotionModel
import MotionStreams

/// Fulfils `Draggable`, `Pinchable`, `Rotatable` and `SetPositionOnTap`: properties follow the pointers of a gesture.
///
/// While a gesture is active, the plan holds a token (`drag`, `pinch`, `rotate`; for a property other than the
/// gesture's own, `drag.offset`). It moves the property relative to its position at the start of the gesture, with the
/// velocity of the pointers. On release it writes the last position and velocity and ends the token; the plan that
/// drives the property next continues from that state. A cancelled gesture leaves the property at rest. Between
/// gestures the plan stays, idle.
///
/// On each property the latest plan of a gesture acts. When another writer takes the property, the gesture is still
/// tracked but writes nothing. When the property is given back, the gesture moves it on from its position at that time.
public enum GestureExecutor: StreamExecutorDeclaring {
  /// `Gesture`
  public static let type: ExecutorType = "Gesture"
  /// The types of intentions that the executor fulfils.
  public static let descriptions = [
    DraggableIntention.description, PinchableIntention.description, RotatableIntention.description,
    SetPositionOnTapIntention.description,
  ]

  /// Lets a gesture hold the property of a plan.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or if the number of the property's lanes does not suit the gesture.
  public static func connect(_ plan: StreamPlan) throws {
    switch plan.intention.type {
    case DraggableIntention.description.type: try drag(try DraggableIntention(plan.intention), plan)
    case PinchableIntention.description.type:
      let property = try PinchableIntention(plan.intention).property
      switch try plan.start(of: property).value.count {
      case 1: try pinch(property, of: Double.self, plan)
      case 2: try pinch(property, of: SIMD2<Double>.self, plan)
      case 3: try pinch(property, of: SIMD3<Double>.self, plan)
      default: try pinch(property, of: SIMD4<Double>.self, plan)
      }
    case RotatableIntention.description.type: try rotate(try RotatableIntention(plan.intention).property, plan)
    default: try tap(try SetPositionOnTapIntention(plan.intention).property, plan)
    }
  }

  private static func drag(_ draggable: DraggableIntention, _ plan: StreamPlan) throws {
    let property = draggable.property
    let place: ReactiveProperty<Point> = try plan.place(of: property)
    let drag = Gesture(TranslationGestureRecognizer(slop: draggable.slop), named: "pointers")
    plan.onPointers { [unowned plan] event in
      let velocity = plan.state(of: property)?.velocity.storage ?? .zero
      drag.recognizer.catchesAtOnce = velocity != .zero
      drag.handle(event)
    }
    let axes = Point(draggable.axis == .y ? 0 : 1, draggable.axis == .x ? 0 : 1)
    let perimeter = draggable.perimeter.map {
      Rect(lower: Point($0[0], $0[1]), upper: Point($0[0] + $0[2], $0[1] + $0[3]))
    }
    let dragged = gestureSource(drag).translated(
      from: place, along: axes, within: perimeter, maxLength: draggable.maxLength, each: plan.clock)
    try plan.hold(property, by: dragged, as: token("drag", property, of: "position"))
  }

  private static func pinch<Value: MotionValue>(
    _ property: PropertyName, of _: Value.Type, _ plan: StreamPlan
  ) throws {
    let place: ReactiveProperty<Value> = try plan.place(of: property)
    let scaled = source(of: ScaleGestureRecognizer(), plan).scaled(from: place, each: plan.clock)
    try plan.hold(property, by: scaled, as: token("pinch", property, of: "scale"))
  }

  private static func rotate(_ property: PropertyName, _ plan: StreamPlan) throws {
    let place: ReactiveProperty<Double> = try plan.place(of: property)
    let rotated = source(of: RotationGestureRecognizer(), plan).rotated(from: place, each: plan.clock)
    try plan.hold(property, by: rotated, as: token("rotate", property, of: "rotation"))
  }

  private static func tap(_ property: PropertyName, _ plan: StreamPlan) throws {
    let places = source(of: TapGestureRecognizer(), plan).centroid(each: plan.clock)
    try plan.hold(property, by: places, as: token("tap", property, of: "position"), isRelative: false)
  }

  private static func source<Recognizer>(
    of recognizer: Recognizer, _ plan: StreamPlan
  ) -> MotionObservable<Gesture<Recognizer>> {
    let gesture = Gesture(recognizer, named: "pointers")
    plan.onPointers(gesture.handle)
    return gestureSource(gesture)
  }

  /// A property's name and the verb together are shorter than the limit of a token's name.
  private static func token(_ verb: String, _ property: PropertyName, of own: PropertyName) -> TokenName {
    TokenName(stringLiteral: property == own ? verb : "\(verb).\(property)")
  }
}

import MotionModel

/// Something with a position.
public protocol PositionableElement: AnyObject {
  /// Where it is.
  var position: Point { get set }
}

/// Something that can be moved, turned and scaled.
public protocol TransformableElement: PositionableElement {
  /// How far it is turned, in radians.
  var rotation: Double { get set }
  /// How large it is; 1 is its natural size.
  var scale: Double { get set }
}

/// A thing with properties that are made when they are first asked for.
///
/// Properties known by their names begin as ``/MotionModel/KnownProperty`` says, all others at zero.
public final class MotionTarget: TransformableElement, Inspectable {
  /// What it is called in metadata.
  public let name: String
  private var numbers: [String: ReactiveProperty<Double>] = [:]
  private var points: [String: ReactiveProperty<Point>] = [:]
  private var lanes: [String: ReactiveProperty<Double>] = [:]
  private var colors: [String: ReactiveProperty<SIMD4<Double>>] = [:]

  /// A target without properties yet.
  public init(_ name: String) { self.name = name }

  /// `ball`
  public var inspected: String { name }

  /// The property of one lane. If it is new it begins at `value`, or as its name says.
  public func number(_ name: String, initially value: Double? = nil) -> ReactiveProperty<Double> {
    if let known = numbers[name] { return known }
    let start = value ?? KnownProperty.known[name]?.initialLane ?? 0
    let property = ReactiveProperty(start, named: name, of: self.name)
    numbers[name] = property
    return property
  }

  /// The property of two lanes.
  public func point(_ name: String) -> ReactiveProperty<Point> {
    if let known = points[name] { return known }
    let property = ReactiveProperty(Point.zero, named: name, of: self.name)
    points[name] = property
    return property
  }

  /// A lane of the property of two lanes, under a name of its own.
  func lane(_ lane: Int, _ name: String, of point: String) -> ReactiveProperty<Double> {
    if let known = lanes[name] { return known }
    let property = self.point(point).lane(lane, name)
    lanes[name] = property
    return property
  }

  /// The property of four lanes: red, green, blue and alpha.
  public func color(_ name: String) -> ReactiveProperty<SIMD4<Double>> {
    if let known = colors[name] { return known }
    let property = ReactiveProperty(SIMD4<Double>.zero, named: name, of: self.name)
    colors[name] = property
    return property
  }

  /// Where it is.
  public var position: Point {
    get { point("position").read() }
    set { point("position").write(newValue) }
  }

  /// How far it is turned, in radians.
  public var rotation: Double {
    get { number("rotation").read() }
    set { number("rotation").write(newValue) }
  }

  /// How large it is.
  public var scale: Double {
    get { number("scale").read() }
    set { number("scale").write(newValue) }
  }
}

import MotionModel

/// An object with a position.
public protocol PositionableElement: AnyObject {
  /// The position.
  var position: Point { get set }
}

/// An object that can be moved, turned and scaled.
public protocol TransformableElement: PositionableElement {
  /// The rotation, in radians.
  var rotation: Double { get set }
  /// The scale; 1 is the natural size.
  var scale: Double { get set }
}

/// An object whose properties are created when they are first read or requested.
///
/// Properties with a known name start as ``/MotionModel/KnownProperty`` defines, all others at zero.
public final class MotionTarget: TransformableElement, Inspectable {
  /// The name in metadata.
  public let name: String
  private var numbers: [String: ReactiveProperty<Double>] = [:]
  private var points: [String: ReactiveProperty<Point>] = [:]
  private var lanes: [String: ReactiveProperty<Double>] = [:]
  private var colors: [String: ReactiveProperty<SIMD4<Double>>] = [:]

  /// Creates a target without properties yet.
  public init(_ name: String) { self.name = name }

  /// `ball`
  public var inspected: String { name }

  /// The property of one lane. A new one starts at `value`, or as its name defines.
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

  /// The position.
  public var position: Point {
    get { point("position").read() }
    set { point("position").write(newValue) }
  }

  /// The rotation, in radians.
  public var rotation: Double {
    get { number("rotation").read() }
    set { number("rotation").write(newValue) }
  }

  /// The scale.
  public var scale: Double {
    get { number("scale").read() }
    set { number("scale").write(newValue) }
  }
}

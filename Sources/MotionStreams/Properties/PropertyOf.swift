/// The properties of a target, by name.
public func propertyOf(_ target: MotionTarget) -> PropertiesOfTarget { PropertiesOfTarget(target: target) }

/// The properties of a target, by name.
public struct PropertiesOfTarget {
  let target: MotionTarget

  /// The position.
  public var position: ReactiveProperty<Point> { target.point("position") }
  /// The position; another name of ``position``.
  public var center: ReactiveProperty<Point> { position }
  /// The first lane of ``position``.
  public var positionX: ReactiveProperty<Double> { target.lane(0, "positionX", of: "position") }
  /// The second lane of ``position``.
  public var positionY: ReactiveProperty<Double> { target.lane(1, "positionY", of: "position") }
  /// The displacement from where the target is laid out.
  public var translation: ReactiveProperty<Point> { target.point("translation") }
  /// The rotation, in radians.
  public var rotation: ReactiveProperty<Double> { target.number("rotation") }
  /// The scale; 1 is the natural size.
  public var scale: ReactiveProperty<Double> { target.number("scale") }
  /// The opacity, 0 to 1.
  public var opacity: ReactiveProperty<Double> { target.number("opacity") }
  /// The width.
  public var width: ReactiveProperty<Double> { target.number("width") }
  /// The height.
  public var height: ReactiveProperty<Double> { target.number("height") }
  /// The radius of the corners.
  public var cornerRadius: ReactiveProperty<Double> { target.number("cornerRadius") }
  /// The background color: linear red, green, blue, alpha.
  public var backgroundColor: ReactiveProperty<SIMD4<Double>> { target.color("backgroundColor") }
}

extension ReactiveProperty where Value == Point {
  /// A view of one lane: it reads and writes that lane, and observes every change made through this property.
  func lane(_ lane: Int, _ name: String) -> ReactiveProperty<Double> {
    let metadata = Metadata(owner.map { "\(name) of \($0)" } ?? name)
    return ReactiveProperty<Double>(
      name, of: owner, read: { self.read()[lane] },
      write: { value in
        var point = self.read()
        point[lane] = value
        self.write(point)
      },
      viewing: asStream()._map(metadata) { $0[lane] }.dedupe())
  }
}

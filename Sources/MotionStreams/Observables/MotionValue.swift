/// A point in the plane: x and y.
public typealias Point = SIMD2<Double>

/// A value that can move: one to four lanes of numbers.
public protocol MotionValue: Equatable, Sendable {
  /// The number of lanes.
  static var laneCount: Int { get }
  /// All lanes zero.
  static var zero: Self { get }

  /// The lanes, and zero beyond them.
  var lanes: SIMD4<Double> { get }

  /// Creates a value of these lanes; those beyond ``laneCount`` are ignored.
  init(lanes: SIMD4<Double>)

  /// The sum, lane by lane.
  static func + (a: Self, b: Self) -> Self
  /// The difference, lane by lane.
  static func - (a: Self, b: Self) -> Self
  /// The product of every lane and the same number.
  static func * (value: Self, factor: Double) -> Self
}

extension MotionValue {
  /// The product, lane by lane.
  @inlinable static func multiplied(_ a: Self, _ b: Self) -> Self { Self(lanes: a.lanes * b.lanes) }

  /// The quotient, lane by lane; division by zero gives infinity or not a number, as IEEE 754 defines.
  @inlinable static func divided(_ a: Self, _ b: Self) -> Self {
    var quotient = a.lanes
    for lane in 0..<laneCount { quotient[lane] /= b.lanes[lane] }
    return Self(lanes: quotient)
  }

  /// The distance from another value: Euclidean, of all lanes.
  @inlinable func distance(from other: Self) -> Double {
    let way = lanes - other.lanes
    return (way * way).sum().squareRoot()
  }
}

extension Double: MotionValue {
  /// One.
  @inlinable public static var laneCount: Int { 1 }
  /// The number, then zeros.
  @inlinable public var lanes: SIMD4<Double> { SIMD4(self, 0, 0, 0) }
  /// The first lane.
  @inlinable public init(lanes: SIMD4<Double>) { self = lanes[0] }
}

extension SIMD2<Double>: MotionValue {
  /// Two.
  @inlinable public static var laneCount: Int { 2 }
  /// Both lanes, then zeros.
  @inlinable public var lanes: SIMD4<Double> { SIMD4(lowHalf: self, highHalf: .zero) }
  /// The first two lanes.
  @inlinable public init(lanes: SIMD4<Double>) { self = lanes.lowHalf }
}

extension SIMD3<Double>: MotionValue {
  /// Three.
  @inlinable public static var laneCount: Int { 3 }
  /// Three lanes, then zero.
  @inlinable public var lanes: SIMD4<Double> { SIMD4(self, 0) }
  /// The first three lanes.
  @inlinable public init(lanes: SIMD4<Double>) { self = SIMD3(lanes[0], lanes[1], lanes[2]) }
}

extension SIMD4<Double>: MotionValue {
  /// Four.
  @inlinable public static var laneCount: Int { 4 }
  /// All lanes.
  @inlinable public var lanes: SIMD4<Double> { self }
  /// All lanes.
  @inlinable public init(lanes: SIMD4<Double>) { self = lanes }
}

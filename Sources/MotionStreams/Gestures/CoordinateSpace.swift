import Glibc

/// The frame of reference for places and displacements of a gesture: the surface that the pointers are on, or an object
/// that lies on it.
///
/// The object's placement is read each time that a gesture is read, so that it may move.
public struct CoordinateSpace {
  /// The name in printed streams.
  public let name: String
  private let origin: () -> Point
  private let rotation: () -> Double
  private let scale: () -> Double

  /// The surface itself: the units of the pointers' locations.
  public static var surface: CoordinateSpace { CoordinateSpace(".surface") }

  /// Creates a space with its origin at `origin` of the surface, turned by `rotation` radians and `scale` times as
  /// large.
  ///
  /// A scale of 0 has no places: the results are infinite or not a number, as IEEE divides.
  public init(
    _ name: String, origin: @escaping () -> Point = { .zero }, rotation: @escaping () -> Double = { 0 },
    scale: @escaping () -> Double = { 1 }
  ) {
    self.name = name
    self.origin = origin
    self.rotation = rotation
    self.scale = scale
  }

  /// A place of the surface, in this space.
  public func place(of location: Point) -> Point { way(of: location - origin()) }

  /// A displacement or a velocity on the surface, in this space.
  public func way(of way: Point) -> Point {
    let angle = rotation()
    guard angle != 0 else { return way / scale() }
    let (sine, cosine) = (sin(angle), cos(angle))
    return Point(cosine * way.x + sine * way.y, cosine * way.y - sine * way.x) / scale()
  }
}

extension CoordinateSpace: Inspectable {
  /// Its name.
  public var inspected: String { name }
}

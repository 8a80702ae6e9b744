import Glibc

/// What places and ways of a gesture are relative to: the surface that the pointers are on, or something that lies on it.
///
/// What it lies on is asked each time that a gesture is read, so that it may move.
public struct CoordinateSpace {
  /// What it is called where streams are printed.
  public let name: String
  private let origin: () -> Point
  private let rotation: () -> Double
  private let scale: () -> Double

  /// The surface itself: the units of the pointers' locations.
  public static var surface: CoordinateSpace { CoordinateSpace(".surface") }

  /// A space with its origin at `origin` of the surface, turned by `rotation` radians and `scale` times as large.
  ///
  /// A scale of 0 has no places: they come out infinite or not a number, as IEEE divides.
  public init(
    _ name: String, origin: @escaping () -> Point = { .zero }, rotation: @escaping () -> Double = { 0 },
    scale: @escaping () -> Double = { 1 }
  ) {
    self.name = name
    self.origin = origin
    self.rotation = rotation
    self.scale = scale
  }

  /// Where a place of the surface lies.
  public func place(of location: Point) -> Point { way(of: location - origin()) }

  /// What a way, or a velocity, on the surface is.
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

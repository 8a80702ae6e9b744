public import MotionModel
import MotionPhysics

/// Recognises a rotation of two or more pointers around their centre, and measures the angle.
///
/// The gesture begins when one of at least two pointers moves, and ends when fewer than two are left.
public struct RotationGestureRecognizer: ContinuousGesture {
  /// `rotate`
  public static var sourceName: String { "rotate" }

  static let pointersNeeded = 2

  /// The angle by which the pointers turned, in radians, positive from the x axis towards the y axis. It is that of the
  /// current gesture, or else of the last one. It continues beyond half a turn, taking the shorter way round from event
  /// to event. Coincident pointers keep the angle, and a pointer that comes or goes does not change it.
  public private(set) var rotation = 0.0
  /// The state of the gesture.
  public internal(set) var state = GestureState.possible
  /// The pointers that are down.
  public internal(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last.
  public internal(set) var centroid = SIMD2<Double>.zero

  /// The angle at the time of the last change of the pointers.
  private var base = 0.0
  /// The layout of the pointers at that time.
  private var reference = PointerSpread()
  private var spread = PointerSpread()
  private var estimator = VelocityEstimator()

  /// Creates a recogniser of rotations.
  public init() {}

  /// Handles an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? { advance(event) }

  /// Removes all pointers; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? { cancelAll() }

  /// The velocity of the angle at `time`, in radians per second; zero after 100 ms without movement.
  public func velocity(at time: Double) -> Double { estimator.velocity(at: time).x }

  mutating func regroup() {
    guard pointers.count >= Self.pointersNeeded else { return }
    reference.measure(pointers)
    base = rotation
    guard !state.isActive else { return }
    (base, rotation) = (0, 0)
    estimator.reset()
    estimator.add(.zero, at: pointers.time)
  }

  mutating func follow(_ movement: SIMD2<Double>) {
    guard pointers.count >= Self.pointersNeeded else { return }
    spread.measure(pointers)
    if reference.size == 0 {
      // They were coincident, which has no direction: the first layout with a direction becomes the reference.
      reference = spread
    } else if let angle = reference.rotation(to: spread) {
      let turned = rotation - base
      let turn = 2 * Double.pi
      rotation = base + angle + turn * ((turned - angle) / turn).rounded()
    }
    estimator.add(SIMD4(rotation, 0, 0, 0), at: pointers.time)
  }

  func begins(after placement: PointerSet.Placement) -> Bool { placement.isMovement }

  mutating func begin() {}
}

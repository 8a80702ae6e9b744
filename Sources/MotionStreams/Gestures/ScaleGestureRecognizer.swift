public import MotionModel
import MotionPhysics

/// Recognises a pinch of two or more pointers, and measures the factor by which they spread.
///
/// The pinch begins when one of at least two pointers moves, and ends when fewer than two are left.
public struct ScaleGestureRecognizer: ContinuousGesture {
  /// `pinch`
  public static var sourceName: String { "pinch" }

  static let pointersNeeded = 2
  /// The largest factor: beyond it, products with it might not be finite.
  public static let largest = 1e9
  /// The factor from which a pinch continues when pointers come or go while all are coincident: no factor leads back
  /// from 0.
  static let smallestToGoOnFrom = 1e-6

  /// The factor by which the pointers' distance from their centre grew (the root of its mean square), of the current
  /// pinch, or else of the last one. It is never below 0, and 1 until pointers that began coincident are apart. A
  /// pointer that comes or goes does not change it.
  public private(set) var scale = 1.0
  /// The state of the pinch.
  public internal(set) var state = GestureState.possible
  /// The pointers that are down.
  public internal(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last.
  public internal(set) var centroid = SIMD2<Double>.zero

  /// The factor at the time of the last change of the pointers.
  private var base = 1.0
  /// The layout of the pointers at that time.
  private var reference = PointerSpread()
  private var spread = PointerSpread()
  private var estimator = VelocityEstimator()

  /// Creates a recogniser of pinches.
  public init() {}

  /// Handles an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? { advance(event) }

  /// Removes all pointers; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? { cancelAll() }

  /// The velocity of the factor at `time`, per second; zero after 100 ms without movement.
  public func velocity(at time: Double) -> Double { estimator.velocity(at: time).x }

  mutating func regroup() {
    guard pointers.count >= Self.pointersNeeded else { return }
    reference.measure(pointers)
    base = max(scale, Self.smallestToGoOnFrom)
    guard !state.isActive else { return }
    (base, scale) = (1, 1)
    estimator.reset()
    estimator.add(SIMD4(1, 0, 0, 0), at: pointers.time)
  }

  mutating func follow(_ movement: SIMD2<Double>) {
    guard pointers.count >= Self.pointersNeeded else { return }
    spread.measure(pointers)
    if let factor = reference.scale(to: spread) {
      scale = min(base * factor, Self.largest)
    } else {
      // They were coincident, which has no ratio to any layout: the first layout with a size becomes the reference.
      reference = spread
    }
    estimator.add(SIMD4(scale, 0, 0, 0), at: pointers.time)
  }

  func begins(after placement: PointerSet.Placement) -> Bool { placement.isMovement }

  mutating func begin() {}
}

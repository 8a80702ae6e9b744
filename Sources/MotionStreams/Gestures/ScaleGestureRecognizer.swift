public import MotionModel
import MotionPhysics

/// Recognises a pinch of two or more pointers, and measures by what factor they spread.
///
/// The pinch begins when one of at least two pointers moves, and ends when less than two are left.
public struct ScaleGestureRecognizer: ContinuousGesture {
  /// `pinch`
  public static var sourceName: String { "pinch" }

  static let pointersNeeded = 2
  /// The largest factor: beyond, products with it might not be finite.
  public static let largest = 1e9
  /// From what factor a pinch goes on when pointers come or go while all are on one point: nothing leads back from 0.
  static let smallestToGoOnFrom = 1e-6

  /// The factor by which the pointers' distance from their centre grew (the root of its mean square), of the pinch under
  /// way, or else of the last one: never below 0, and 1 until pointers that began on one point are apart. A pointer that
  /// comes or goes does not change it.
  public private(set) var scale = 1.0
  /// Where the pinch is.
  public internal(set) var state = GestureState.possible
  /// The pointers that are down.
  public internal(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last.
  public internal(set) var centroid = SIMD2<Double>.zero

  /// The factor when the present pointers came together.
  private var base = 1.0
  /// How they lay then.
  private var reference = PointerSpread()
  private var spread = PointerSpread()
  private var estimator = VelocityEstimator()

  /// A recogniser of pinches.
  public init() {}

  /// Takes an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? { advance(event) }

  /// Takes all pointers away; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? { cancelAll() }

  /// How fast the factor changes at `time`, per second; zero after 100 ms without movement.
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
      // They were on one point, which has no ratio to anything: the first distance stands for it.
      reference = spread
    }
    estimator.add(SIMD4(scale, 0, 0, 0), at: pointers.time)
  }

  func begins(after placement: PointerSet.Placement) -> Bool { placement.isMovement }

  mutating func begin() {}
}

public import MotionModel
import MotionPhysics

/// Recognises the turning of two or more pointers around their centre, and measures the angle.
///
/// The gesture begins when one of at least two pointers moves, and ends when less than two are left.
public struct RotationGestureRecognizer: ContinuousGesture {
  /// `rotate`
  public static var sourceName: String { "rotate" }

  static let pointersNeeded = 2

  /// The angle by which the pointers turned, in radians, positive from the x axis towards the y axis, of the gesture under
  /// way, or else of the last one. It goes on beyond half a turn, as the shorter way round from event to event. Pointers
  /// on one point keep the angle, and one that comes or goes does not change it.
  public private(set) var rotation = 0.0
  /// Where the gesture is.
  public internal(set) var state = GestureState.possible
  /// The pointers that are down.
  public internal(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last.
  public internal(set) var centroid = SIMD2<Double>.zero

  /// The angle when the present pointers came together.
  private var base = 0.0
  /// How they lay then.
  private var reference = PointerSpread()
  private var spread = PointerSpread()
  private var estimator = VelocityEstimator()

  /// A recogniser of turns.
  public init() {}

  /// Takes an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? { advance(event) }

  /// Takes all pointers away; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? { cancelAll() }

  /// How fast the angle changes at `time`, in radians per second; zero after 100 ms without movement.
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
      // They were on one point, which has no direction: the first one stands for it.
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

public import MotionModel
import MotionPhysics

/// Recognises a drag by any number of pointers, and measures the displacement of their centre.
///
/// The drag begins when the centre has moved further than ``slop`` from where it was; with a slop of 0, as soon as a
/// pointer is down. It ends when the last pointer goes up.
public struct TranslationGestureRecognizer: ContinuousGesture {
  /// `drag`
  public static var sourceName: String { "drag" }

  static let pointersNeeded = 1

  /// How far the centre moves before the drag begins, in units of location: 16 by default, about the radius of a
  /// fingertip's contact. With 0 or less it begins at once.
  public var slop: Double
  /// Whether the first pointer that comes down begins a drag at once, whatever the slop: set this while the dragged
  /// object moves.
  public var catchesAtOnce = false
  /// The displacement of the centre, with every step divided among the pointers, counted from where it left the slop;
  /// of the current drag, or else of the last one. A pointer that comes or goes does not change it.
  public private(set) var translation = SIMD2<Double>.zero
  /// The state of the drag.
  public internal(set) var state = GestureState.possible
  /// The pointers that are down.
  public internal(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last.
  public internal(set) var centroid = SIMD2<Double>.zero

  /// The displacement of the centre from where the first pointer went down.
  private var way = SIMD2<Double>.zero
  /// The displacement before the last step.
  private var wayBefore = SIMD2<Double>.zero
  /// The displacement at which the slop was left.
  private var exit = SIMD2<Double>.zero
  /// Whether the drag caught an object in motion.
  private var isCaught = false
  /// Whether the next pointer is the first.
  private var isFresh = true
  private var estimator = VelocityEstimator()

  /// Creates a recogniser whose drag begins when the centre has moved `slop` units.
  public init(slop: Double = 16) { self.slop = slop }

  /// Handles an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? { advance(event) }

  /// Removes all pointers; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? { cancelAll() }

  /// The velocity of the centre at `time`, in units per second; zero after 100 ms without movement.
  public func velocity(at time: Double) -> SIMD2<Double> { estimator.velocity(at: time).lowHalf }

  mutating func regroup() {
    guard !pointers.isEmpty else {
      isFresh = true
      return
    }
    guard isFresh else { return }
    (isFresh, isCaught) = (false, catchesAtOnce)
    (way, wayBefore, exit) = (.zero, .zero, .zero)
    estimator.reset()
    estimator.add(.zero, at: pointers.time)
  }

  mutating func follow(_ movement: SIMD2<Double>) {
    wayBefore = way
    // One of n pointers moves the centre by an n-th of its own movement.
    way += movement / Double(pointers.count)
    if state.isActive { translation = way - exit }
    estimator.add(SIMD4(lowHalf: way, highHalf: .zero), at: pointers.time)
  }

  /// The slop of the pointers that are down.
  private var reach: Double { isCaught ? 0 : max(slop, 0) }

  func begins(after placement: PointerSet.Placement) -> Bool { reach == 0 || (way * way).sum() > reach * reach }

  mutating func begin() {
    exit = Self.crossing(from: wayBefore, to: way, radius: reach)
    translation = way - exit
  }

  /// The point at which the line from a point within the circle around zero to one outside crosses it: the drag begins
  /// there, however far apart two events are. A starting point outside is the crossing itself.
  private static func crossing(
    from start: SIMD2<Double>, to end: SIMD2<Double>, radius: Double
  ) -> SIMD2<Double> {
    let step = end - start
    let (a, b, c) = ((step * step).sum(), (start * step).sum(), (start * start).sum() - radius * radius)
    guard c < 0, a > 0 else { return start }
    let root = (b * b - a * c).squareRoot()
    // Of the two forms of the solution, the one without cancellation.
    let part = b > 0 ? -c / (b + root) : (root - b) / a
    return start + step * min(max(part, 0), 1)
  }
}

/// Maps progress in time to progress in value: the timing functions of CSS, each with its exact derivative.
///
/// Progress runs from 0 to 1 and is clamped to that range. The value is exactly 0 at 0 and 1 at 1, except for functions
/// defined otherwise: `steps` that jump at the start, and `linear()` with other ends. Values may leave 0…1 in between.
///
/// Source: CSS Easing Functions Level 2.
public enum TimingFunction: Hashable, Sendable {
  /// Uniform motion.
  case linear

  /// A cubic Bézier curve from (0, 0) to (1, 1).
  case cubicBezier(CubicBezier)

  /// A step function.
  case steps(StepTiming)

  /// Linear interpolation between points: CSS's `linear(…)`.
  case piecewiseLinear(PiecewiseLinear)

  /// Creates a cubic Bézier curve with these control points; throws unless x1 and x2 are in 0…1.
  public static func cubicBezier(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
  ) throws(TimingFunctionError) -> TimingFunction {
    .cubicBezier(try CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2))
  }

  /// Creates a function of this many equal steps; throws if there are none, or only one with `jump-none`.
  public static func steps(
    _ count: Int, _ position: StepTiming.Position = .end
  ) throws(TimingFunctionError) -> TimingFunction {
    .steps(try StepTiming(count: count, position: position))
  }

  /// Creates a linear interpolation between points of rising input; throws unless there are two or more.
  public static func piecewiseLinear(
    _ points: [PiecewiseLinear.Point]
  ) throws(TimingFunctionError) -> TimingFunction {
    .piecewiseLinear(try PiecewiseLinear(points))
  }

  /// CSS's `ease`: starts fast, ends slowly.
  public static let ease = TimingFunction.cubicBezier(CubicBezier(validX1: 0.25, y1: 0.1, validX2: 0.25, y2: 1))

  /// CSS's `ease-in`: starts slowly.
  public static let easeIn = TimingFunction.cubicBezier(CubicBezier(validX1: 0.42, y1: 0, validX2: 1, y2: 1))

  /// CSS's `ease-out`: ends slowly.
  public static let easeOut = TimingFunction.cubicBezier(CubicBezier(validX1: 0, y1: 0, validX2: 0.58, y2: 1))

  /// CSS's `ease-in-out`: starts and ends slowly.
  public static let easeInOut = TimingFunction.cubicBezier(CubicBezier(validX1: 0.42, y1: 0, validX2: 0.58, y2: 1))

  /// The steepest derivative, up or down.
  ///
  /// A curve may be vertical, but a velocity may not be infinite. 1000 means the whole way in a thousandth of the time:
  /// in a tween of one second, less than a frame.
  public static let steepestSlope = 1000.0

  /// Returns the progress in value at a progress in time.
  public func value(at progress: Double) -> Double {
    let progress = Self.clamp(progress)
    switch self {
    case .linear: return progress
    case .cubicBezier(let curve): return curve.value(at: progress)
    case .steps(let steps): return steps.value(at: progress)
    case .piecewiseLinear(let lines): return lines.value(at: progress)
    }
  }

  /// Returns the derivative at a progress in time: d value / d progress, analytic, within ±``steepestSlope``.
  ///
  /// At corners and jumps it is the slope of the following part, at 1 that of the preceding part. The derivative of
  /// `steps` is 0.
  public func derivative(at progress: Double) -> Double {
    let progress = Self.clamp(progress)
    let slope: Double
    switch self {
    case .linear: slope = 1
    case .cubicBezier(let curve): slope = curve.derivative(at: progress)
    case .steps: slope = 0
    case .piecewiseLinear(let lines): slope = lines.derivative(at: progress)
    }
    return min(max(slope, -Self.steepestSlope), Self.steepestSlope)
  }

  /// Returns the second derivative at a progress in time: d² value / d progress², analytic; 0 where it is infinite.
  public func secondDerivative(at progress: Double) -> Double {
    guard case .cubicBezier(let curve) = self else { return 0 }
    let bend = curve.secondDerivative(at: Self.clamp(progress))
    return bend.isFinite ? bend : 0
  }

  private static func clamp(_ progress: Double) -> Double {
    min(max(progress, 0), 1)
  }
}

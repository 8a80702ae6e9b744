/// Estimates the velocity of something whose position is sampled at irregular times: a hand, a sensor.
///
/// It holds the samples of the last 100 ms and fits a parabola through them by least squares. The velocity is the
/// parabola's slope at the newest sample. A line would not do: a hand that flings is accelerating, and the slope of a
/// line lies half the window behind. The estimate is exact for constant velocity and constant acceleration, however
/// irregular the samples are. Independent noise of standard deviation σ in n samples gives the velocity a deviation of
/// about σ · √(192 / n) / 0.1 s: at 120 samples per second 40 σ per second.
///
/// Unused lanes are 0. A sample costs a move of at most ``sampleLimit`` others, an estimate a pass over them. Neither
/// allocates after the first sample.
public struct VelocityEstimator: Sendable {
  /// The age up to which samples count, in seconds. A hand can change its motion in less than that, and a screen that
  /// reports 60 times a second gives six samples.
  public static let window = 0.1
  /// The most samples that are kept.
  public static let sampleLimit = 20
  /// The least distance in time of two samples, so that the most samples of the fastest device still cover the window.
  static let spacing = window / Double(sampleLimit)
  /// Times closer than this count as equal: event devices stamp in microseconds.
  static let sameTime = 1e-6
  /// Samples that span less time than this give no velocity: one unit in it would be a thousand a second.
  static let shortestSpan = 1e-3

  package struct Sample: Hashable, Sendable {
    package var time: Double
    package var value: SIMD4<Double>

    package init(time: Double, value: SIMD4<Double>) { (self.time, self.value) = (time, value) }
  }

  /// The samples, in order of their times, which rise.
  package private(set) var samples: [Sample] = []

  /// Creates an estimator without samples: its velocity is 0.
  public init() {}

  /// Continues from the samples of another one, oldest first.
  package init(_ samples: [Sample]) { self.samples = Array(samples.suffix(Self.sampleLimit)) }

  /// Removes all samples.
  public mutating func reset() { samples.removeAll(keepingCapacity: true) }

  /// Records the value at `time`, in seconds.
  ///
  /// At the same time as the last sample, or before it, the value replaces that sample's. Values and times that are not
  /// finite are ignored.
  public mutating func add(_ value: SIMD4<Double>, at time: Double) {
    guard time.isFinite, value.sum().isFinite else { return }
    guard let last = samples.last else {
      samples.reserveCapacity(Self.sampleLimit)
      samples.append(Sample(time: time, value: value))
      return
    }
    let count = samples.count
    if time - last.time < Self.sameTime {
      samples[count - 1].value = value
    } else if count > 1, last.time - samples[count - 2].time < Self.spacing {
      samples[count - 1] = Sample(time: time, value: value)
    } else {
      if count == Self.sampleLimit { samples.removeFirst() }
      samples.append(Sample(time: time, value: value))
    }
  }

  /// Returns the velocity at `time`, per second: that of the newest sample, but 0 once 100 ms have passed without one.
  /// Samples at an unchanged position count as samples: they give 0 as soon as they fill the window.
  public func velocity(at time: Double) -> SIMD4<Double> {
    guard let newest = samples.last, time - newest.time < Self.window else { return .zero }
    let first = samples.firstIndex { newest.time - $0.time < Self.window } ?? samples.startIndex
    let recent = samples[first...]
    guard newest.time - samples[first].time >= Self.shortestSpan else { return .zero }
    let fit = LeastSquares(recent, from: newest)
    // A parabola through an abrupt stop swings back, although nothing moved that way. So the estimate is clamped to the
    // velocities that were observed, the last of them extrapolated at its rate of change.
    let slope = fit.slope.clamped(lowerBound: fit.slowest, upperBound: fit.fastest)
    return slope.sum().isFinite ? slope : .zero
  }
}

/// The reason why values, offsets and timings do not make keyframes, or numbers do not make a tween, with the remedy.
public struct TweenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, with the index of the value where there is one.
  public let problem: String

  /// The remedy.
  public let remedy: String

  /// Creates an error with a problem and a remedy.
  public init(_ problem: String, remedy: String) {
    self.problem = problem
    self.remedy = remedy
  }

  /// The whole message in one line.
  public var description: String { problem + "; " + remedy }
}

/// The values to pass through, the time of each, and the timing from each to the next.
///
/// Every segment between two values has a timing function of its own. Sampling costs a binary search and one call of a
/// timing function, and allocates nothing.
public struct Keyframes: Hashable, Sendable {
  /// The values, two or more; lanes that a value does not have are zero.
  public let values: [SIMD4<Double>]

  /// The progress at which each value is reached: from 0 to 1, rising.
  public let offsets: [Double]

  /// The timing function of each segment; one fewer than values.
  public let timings: [TimingFunction]

  /// Creates keyframes; throws a ``TweenError`` unless the parts fit.
  ///
  /// - Parameters:
  ///   - values: Two or more, finite.
  ///   - offsets: As many, from exactly 0 to exactly 1, each greater than the one before; nil spreads them evenly.
  ///   - timings: One for each segment, or one for all of them.
  public init(
    values: [SIMD4<Double>], offsets: [Double]? = nil, timings: [TimingFunction] = [.linear]
  ) throws(TweenError) {
    guard values.count >= 2 else {
      throw TweenError("\(values.count) keyframe values", remedy: "give two or more")
    }
    for (index, value) in values.enumerated() where !value.isFinite {
      throw TweenError("keyframe value \(index) is not finite", remedy: "give finite numbers")
    }
    guard timings.count == 1 || timings.count == values.count - 1 else {
      throw TweenError(
        "\(timings.count) timing functions for \(values.count - 1) segments",
        remedy: "give one for all, or \(values.count - 1)")
    }
    if let offsets { try Self.check(offsets, count: values.count) }
    self.values = values
    self.offsets = offsets ?? values.indices.map { Double($0) / Double(values.count - 1) }
    self.timings = timings.count == values.count - 1 ? timings : values.dropLast().map { _ in timings[0] }
  }

  private static func check(_ offsets: [Double], count: Int) throws(TweenError) {
    guard offsets.count == count else {
      throw TweenError("\(offsets.count) offsets for \(count) keyframe values", remedy: "give one for each value")
    }
    guard offsets.first == 0, offsets.last == 1 else {
      throw TweenError("offsets that do not run from 0 to 1", remedy: "let the first be 0 and the last 1")
    }
    for index in 1..<count where !(offsets[index] > offsets[index - 1]) {
      throw TweenError(
        "offset \(index), \(offsets[index]), does not follow \(offsets[index - 1])",
        remedy: "let offsets rise; for a jump use steps(1)")
    }
  }

  /// Returns the value at a progress from 0 to 1, clamped to that, and its slope: d value / d progress, analytic.
  ///
  /// The slope at a keyframe is that of the segment that follows it; at the last one, that of the segment before.
  public func sample(at progress: Double) -> (value: SIMD4<Double>, slope: SIMD4<Double>) {
    let progress = min(max(progress, 0), 1)
    let segment = self.segment(at: progress)
    let start = offsets[segment]
    let length = offsets[segment + 1] - start
    let local = progress >= offsets[segment + 1] ? 1 : (progress - start) / length
    let way = values[segment + 1] - values[segment]
    let timing = timings[segment]
    let eased = timing.value(at: local)
    // A completed segment ends at the value itself, which start + way may miss by a rounding.
    let value = eased == 1 ? values[segment + 1] : values[segment] + eased * way
    return (value, (timing.derivative(at: local) / length) * way)
  }

  /// Returns d² value / d progress² at a progress from 0 to 1: at a keyframe as ``sample(at:)`` the slope.
  public func bend(at progress: Double) -> SIMD4<Double> {
    let progress = min(max(progress, 0), 1)
    let segment = self.segment(at: progress)
    let length = offsets[segment + 1] - offsets[segment]
    let local = progress >= offsets[segment + 1] ? 1 : (progress - offsets[segment]) / length
    let bend = timings[segment].secondDerivative(at: local) / (length * length)
    return bend * (values[segment + 1] - values[segment])
  }

  private func segment(at progress: Double) -> Int {
    var low = 0
    var high = timings.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if offsets[middle] <= progress { low = middle } else { high = middle }
    }
    return low
  }
}

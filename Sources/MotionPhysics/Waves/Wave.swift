/// A value that repeats itself: offset + amplitude · shape(rate · time + phase), each lane by itself.
///
/// The time is absolute, so waves of one rate keep their phases to each other, whenever they begin.
public struct Wave: Hashable, Sendable {
  /// The course of a cycle, between −1 and 1.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// Begins at 0, and is 1 after a quarter of the cycle.
    case sine
    /// Like the sine, in straight lines.
    case triangle
    /// Rises from −1 to 1, and falls at once.
    case saw
    /// Is 1 for a share of the cycle, its ``Wave/width``, and −1 for the rest.
    case pulse
  }

  /// The value, its velocity and its acceleration at a time.
  public struct Sample: Hashable, Sendable {
    /// The value.
    public var value: SIMD4<Double>
    /// The first derivative, in value/s; of a step 0.
    public var velocity: SIMD4<Double>
    /// The second derivative, in value/s²; of a step, and where straight lines meet, 0.
    public var acceleration: SIMD4<Double>

    /// Creates a sample.
    public init(value: SIMD4<Double>, velocity: SIMD4<Double>, acceleration: SIMD4<Double>) {
      self.value = value
      self.velocity = velocity
      self.acceleration = acceleration
    }
  }

  /// The course of a cycle.
  public var shape: Shape
  /// The cycles per second, below 0 backwards.
  public var rate: SIMD4<Double>
  /// The part of a cycle by which it is ahead.
  public var phase: SIMD4<Double>
  /// The value in the middle.
  public var offset: SIMD4<Double>
  /// The greatest distance from the middle.
  public var amplitude: SIMD4<Double>
  /// The share of a cycle for which a pulse is high, from 0 to 1.
  public var width: Double

  /// Creates a wave.
  public init(
    _ shape: Shape, rate: SIMD4<Double>, phase: SIMD4<Double> = .zero, offset: SIMD4<Double> = .zero,
    amplitude: SIMD4<Double>, width: Double = 0.5
  ) {
    self.shape = shape
    self.rate = rate
    self.phase = phase
    self.offset = offset
    self.amplitude = amplitude
    self.width = width
  }

  /// Whether it has one value for ever.
  public var isConstant: Bool {
    for lane in 0..<4 where rate[lane] != 0 && amplitude[lane] != 0 { return false }
    return true
  }

  /// Returns the wave at a time, in seconds. The same bits on every machine.
  public func sample(at time: Double) -> Sample {
    var sample = Sample(value: offset, velocity: .zero, acceleration: .zero)
    for lane in 0..<4 where amplitude[lane] != 0 {
      let cycles = rate[lane] * time + phase[lane]
      let place = cycles - cycles.rounded(.down)
      // Just below a whole number, the difference may be rounded to 1.
      let (value, slope, curvature) = course(at: place < 1 ? place : 0)
      sample.value[lane] += amplitude[lane] * value
      sample.velocity[lane] = amplitude[lane] * slope * rate[lane]
      sample.acceleration[lane] = amplitude[lane] * curvature * rate[lane] * rate[lane]
    }
    return sample
  }

  /// The shape at a place in the cycle, from 0 to below 1, with its first and second derivative.
  private func course(at place: Double) -> (value: Double, slope: Double, curvature: Double) {
    switch shape {
    case .sine:
      let (sine, cosine) = ElementaryFunctions.sineAndCosine(of: 2 * .pi * place)
      return (sine, 2 * .pi * cosine, -4 * .pi * .pi * sine)
    case .triangle:
      if place < 0.25 { return (4 * place, 4, 0) }
      return place < 0.75 ? (2 - 4 * place, -4, 0) : (4 * place - 4, 4, 0)
    case .saw: return (2 * place - 1, 2, 0)
    case .pulse: return (place < width ? 1 : -1, 0, 0)
    }
  }
}

/// The output of a tween at one time.
public struct TweenSample: Hashable, Sendable {
  /// The property's value.
  public var value: SIMD4<Double>

  /// The property's velocity: the analytic derivative of the value, in value/s.
  public var velocity: SIMD4<Double>

  /// Whether the tween is over; the value is then final and the velocity 0.
  public var isFinished: Bool

  /// Creates a sample of these parts.
  public init(value: SIMD4<Double>, velocity: SIMD4<Double>, isFinished: Bool) {
    self.value = value
    self.velocity = velocity
    self.isFinished = isFinished
  }
}

/// A tween as a function of time: keyframes with duration, delay, repeats, and an initial velocity.
///
/// It reads no clock: time is the seconds since the tween began, delay included. Sampling allocates nothing.
public struct TweenCurve: Hashable, Sendable {
  /// The values to pass through in each pass.
  public let keyframes: Keyframes

  /// The duration of one pass, in seconds; 0 jumps to the end.
  public let duration: Double

  /// The time for which the first value is held before the first pass, in seconds.
  public let delay: Double

  /// The number of passes, 1 or more; a fraction ends within a pass, infinity never.
  public let repeatCount: Double

  /// Whether every second pass goes backwards.
  public let autoreverses: Bool

  /// The velocity to be blended out, as an offset that begins with the tween; nil if there is none.
  ///
  /// At the tween's first moment the property has the inherited velocity and the curve its own (0 while delayed). The
  /// difference Δv is added to the curve as a ``VanishingOffset`` of Δx = 0 over
  ///
  ///     T = min(duration, max(1/60 s, min(150 ms, A / (2 ‖Δv‖))))
  ///
  /// where A is the distance from the first keyframe to the farthest, Euclidean over the lanes, and one T applies to
  /// all lanes. Value and velocity are continuous at the start, and after T the curve alone is left. The offset reaches
  /// at most 4/27·T·‖Δv‖, at T/3: no more than max(7.5 % of A, 2.5 ms·‖Δv‖). T counts from the tween's start, also
  /// within a delay, and is a constant of the tween. It does not depend on frames, whose length changes with the speed.
  public let carry: VanishingOffset?

  /// Creates a tween; throws a ``TweenError`` unless the numbers make one.
  ///
  /// - Parameters:
  ///   - keyframes: The values to pass through in each pass.
  ///   - duration: Seconds for one pass, finite, not negative.
  ///   - delay: Seconds before the first pass, finite, not negative.
  ///   - repeatCount: 1 or more, or infinity.
  ///   - autoreverses: Whether every second pass goes backwards.
  ///   - inheritedVelocity: The property's velocity at the start, in value/s, to be blended out; nil starts with the
  ///     curve's own velocity.
  public init(
    keyframes: Keyframes, duration: Double, delay: Double = 0, repeatCount: Double = 1, autoreverses: Bool = false,
    inheritedVelocity: SIMD4<Double>? = nil
  ) throws(TweenError) {
    for (name, seconds) in [("duration", duration), ("delay", delay)] where !(seconds.isFinite && seconds >= 0) {
      throw TweenError("a \(name) of \(seconds) s", remedy: "give a finite number of seconds, 0 or more")
    }
    guard repeatCount >= 1 else {
      throw TweenError("a repeat count of \(repeatCount)", remedy: "give 1 or more, or infinity")
    }
    if let inheritedVelocity, !inheritedVelocity.isFinite {
      throw TweenError("an inherited velocity that is not finite", remedy: "give finite numbers")
    }
    self.keyframes = keyframes
    self.duration = duration
    self.delay = delay
    self.repeatCount = repeatCount
    self.autoreverses = autoreverses
    if let inheritedVelocity, duration > 0 {
      let ownVelocity = delay > 0 ? .zero : keyframes.sample(at: 0).slope / duration
      carry = Self.carry(inheritedVelocity - ownVelocity, through: keyframes, within: duration)
    } else {
      carry = nil
    }
  }

  /// The longest time in which a velocity is blended out, in seconds: that of a ``HandoverFade``.
  static let longestCarry = HandoverFade.longestDuration

  /// The shortest such time, in seconds, unless the tween is shorter: a frame of the usual display, so that one frame
  /// at least shows the blend. In it the offset reaches 2.47 ms of the velocity.
  static let shortestCarry = 1.0 / 60

  /// Returns the offset that blends out a difference in velocity; nil if there is no difference.
  private static func carry(
    _ velocity: SIMD4<Double>, through keyframes: Keyframes, within duration: Double
  ) -> VanishingOffset? {
    guard velocity != .zero else { return nil }
    let reach = keyframes.values.map { ($0 - keyframes.values[0]).length }.max() ?? 0
    // Two infinities give NaN here; then only the bounds apply.
    let time = max(shortestCarry, min(longestCarry, reach / (2 * velocity.length)))
    return VanishingOffset(value: .zero, velocity: velocity, duration: min(duration, time))
  }

  /// The duration of delay and all passes together, in seconds; infinite if the repeats are.
  public var totalDuration: Double {
    duration == 0 ? delay : delay + duration * repeatCount
  }

  /// Returns the number of seconds that are left; 0 when the tween is over.
  public func remaining(at elapsed: Double) -> Double {
    max(0, totalDuration - max(0, elapsed))
  }

  /// Returns the tween's output, so many seconds after it began.
  ///
  /// During the delay it stays at the first value with velocity 0, apart from the offset of ``carry``. At the end and
  /// after it the value is exactly the last one (of a backward pass the first one) and the velocity 0. Between two
  /// passes it is at the beginning of the second one.
  public func sample(at elapsed: Double) -> TweenSample {
    if elapsed >= totalDuration {
      return TweenSample(value: keyframes.sample(at: finalProgress).value, velocity: .zero, isFinished: true)
    }
    var sample = TweenSample(value: keyframes.values[0], velocity: .zero, isFinished: false)
    if elapsed >= delay {
      let (progress, direction) = progress(passes: (elapsed - delay) / duration)
      let own = keyframes.sample(at: progress)
      sample.value = own.value
      sample.velocity = own.slope * (direction / duration)
    }
    if let carry {
      let offset = carry.sample(at: elapsed)
      sample.value += offset.value
      sample.velocity += offset.velocity
    }
    return sample
  }

  /// Returns the second derivative of the tween's value, so many seconds after it began; 0 when it is over.
  public func acceleration(at elapsed: Double) -> SIMD4<Double> {
    guard elapsed < totalDuration else { return .zero }
    var acceleration = carry?.acceleration(at: elapsed) ?? .zero
    if elapsed >= delay {
      let (progress, _) = progress(passes: (elapsed - delay) / duration)
      acceleration += keyframes.bend(at: progress) / (duration * duration)
    }
    return acceleration
  }

  /// Returns the progress within a pass, and 1 or −1 for its direction, after so many passes.
  private func progress(passes: Double) -> (progress: Double, direction: Double) {
    let pass = passes.rounded(.down)
    let within = passes - pass
    let isBackwards = autoreverses && pass.truncatingRemainder(dividingBy: 2) == 1
    return isBackwards ? (1 - within, -1) : (within, 1)
  }

  /// The progress at which the last pass ends.
  private var finalProgress: Double {
    guard repeatCount.isFinite else { return 1 }
    let whole = repeatCount.rounded(.down)
    // A whole number of passes ends with the last one, not with the beginning of another.
    if repeatCount == whole {
      return autoreverses && whole.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 1
    }
    return progress(passes: repeatCount).progress
  }
}

extension SIMD4<Double> {
  /// The Euclidean length, scaled by the greatest lane so that no square overflows or underflows.
  fileprivate var length: Double {
    let greatest = replacing(with: -self, where: self .< 0).max()
    guard greatest > 0, greatest.isFinite else { return greatest }
    let scaled = self / greatest
    return greatest * (scaled * scaled).sum().squareRoot()
  }
}

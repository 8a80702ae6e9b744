/// The course of a tween in a drama: 600 ms by `ease-in-out` from its start, with or without its initial velocity.
///
/// Like ``Forces``, an independent account: the curve is computed by bisection.
struct TweenCourse: Sendable {
  static let duration = 0.6
  /// A difference in value that remains when a worker takes over fades within this time, and one in velocity unless the
  /// tween carries one.
  static let fade = 0.15

  /// Its place and velocity at the beginning.
  let start: Motion
  let destination: Double
  let carries: Bool

  /// Its state so many seconds after its beginning.
  func at(_ elapsed: Double) -> Motion {
    guard elapsed < Self.duration else { return Motion(destination) }
    let (progress, slope) = Self.ease(elapsed / Self.duration)
    let way = destination - start.value
    let own = Motion(start.value + way * progress, way * slope / Self.duration)
    guard carries else { return own }
    return own + Self.vanishing(Motion(0, start.velocity), elapsed, of: carryTime)
  }

  /// The time in which its initial velocity is blended out; its own is 0 there. A and ‖Δv‖ grow with the slant alike,
  /// so that the first lane gives their quotient.
  var carryTime: Double {
    guard start.velocity != 0 else { return 0 }
    return max(1.0 / 60, min(0.15, abs(destination - start.value) / (2 * abs(start.velocity))))
  }

  /// The same without its initial velocity.
  var easing: TweenCourse { TweenCourse(start: start, destination: destination, carries: false) }

  /// The farthest that its initial velocity may lead it beyond its easing.
  var farthestExcursion: Double { max(0.075 * abs(destination - start.value), 0.0025 * abs(start.velocity)) }

  /// The remainder of a difference: the cubic from it to nothing.
  static func vanishing(_ difference: Motion, _ elapsed: Double, of duration: Double) -> Motion {
    guard elapsed < duration else { return Motion() }
    let s = elapsed / duration
    let left = 1 - s
    return Motion(
      difference.value * (1 + 2 * s) * left * left + difference.velocity * duration * s * left * left,
      -difference.value * 6 * s * left / duration + difference.velocity * left * (1 - 3 * s))
  }

  /// `ease-in-out` is cubic-bezier(0.42, 0, 0.58, 1): progress and slope at a share of the time.
  private static func ease(_ time: Double) -> (progress: Double, slope: Double) {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if bezier(0.42, 0.58, middle) < time { low = middle } else { high = middle }
    }
    let parameter = (low + high) / 2
    return (bezier(0, 1, parameter), slope(0, 1, parameter) / slope(0.42, 0.58, parameter))
  }

  private static func bezier(_ first: Double, _ second: Double, _ u: Double) -> Double {
    3 * first * u * (1 - u) * (1 - u) + 3 * second * u * u * (1 - u) + u * u * u
  }

  private static func slope(_ first: Double, _ second: Double, _ u: Double) -> Double {
    3 * first * (1 - u) * (1 - u) + 6 * (second - first) * u * (1 - u) + 3 * (1 - second) * u * u
  }
}

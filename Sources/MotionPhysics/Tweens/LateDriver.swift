/// How a property goes on while its driver is late or dead: its velocity fades to zero over 4 frames.
///
/// The velocity falls linearly, to ¾, ½, ¼ and 0 of what it was, and the value is its exact integral: in frame i it
/// moves by velocity·dt·(1 − (2i − 1)/8), twice velocity·dt in all. A driver that is one frame late has lost an eighth
/// of a frame's way.
public struct LateDriver: Hashable, Sendable {
  /// How many frames the velocity takes to vanish.
  public static let frames = 4

  private let startVelocity: SIMD4<Double>
  private var framesDone = 0

  /// Where the property is now.
  public private(set) var value: SIMD4<Double>

  /// How fast it moves now, in value/s.
  public private(set) var velocity: SIMD4<Double>

  /// A driver that was last heard of with this value and velocity (value/s).
  public init(value: SIMD4<Double>, velocity: SIMD4<Double>) {
    self.value = value
    self.velocity = velocity
    self.startVelocity = velocity
  }

  /// Whether the velocity is gone, so that further frames change nothing.
  public var isDone: Bool { framesDone >= Self.frames }

  /// Goes on by one frame of `dt` seconds, in which nothing was heard of the driver.
  @discardableResult
  public mutating func advance(dt: Double) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    guard !isDone else { return (value, velocity) }
    framesDone += 1
    let left = 1 - Double(framesDone) / Double(Self.frames)
    let average = left + 0.5 / Double(Self.frames)
    value += startVelocity * (dt * average)
    velocity = startVelocity * left
    return (value, velocity)
  }
}

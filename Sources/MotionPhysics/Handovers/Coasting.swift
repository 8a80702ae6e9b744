/// Continues a property whose driver is late or has failed: its velocity fades to zero over 4 frames.
///
/// The velocity falls linearly, to ¾, ½, ¼ and 0 of its initial value, and the value is its exact integral: in frame i
/// it moves by velocity·dt·(1 − (2i − 1)/8), twice velocity·dt in all. A driver that is one frame late has lost an
/// eighth of a frame's way.
public struct Coasting: Hashable, Sendable {
  /// The number of frames until the velocity is zero.
  public static let frames = 4

  /// The time until the velocity is zero, with frames of `dt` seconds.
  public static func seconds(_ dt: Double) -> Double { Double(frames) * dt }

  /// The velocity at the beginning, and how many frames have passed.
  package let startVelocity: SIMD4<Double>
  package private(set) var framesDone = 0

  /// The property's present value.
  public private(set) var value: SIMD4<Double>

  /// The property's present velocity, in value/s.
  public private(set) var velocity: SIMD4<Double>

  /// Creates the fade of a driver whose last update had this value and velocity (value/s).
  public init(value: SIMD4<Double>, velocity: SIMD4<Double>) {
    self.value = value
    self.velocity = velocity
    self.startVelocity = velocity
  }

  /// Continues a fade after some of its frames.
  package init(
    from startVelocity: SIMD4<Double>, after framesDone: Int, value: SIMD4<Double>, velocity: SIMD4<Double>
  ) {
    (self.startVelocity, self.framesDone, self.value, self.velocity) = (startVelocity, framesDone, value, velocity)
  }

  /// Whether the velocity is zero, so that further frames change nothing.
  public var isDone: Bool { framesDone >= Self.frames }

  /// Advances by one frame of `dt` seconds in which no update from the driver arrived.
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

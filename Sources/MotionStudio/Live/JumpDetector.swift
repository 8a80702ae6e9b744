import MotionModel

/// Finds jumps of a property while one plan drives it: the value changes by much more than its velocities and its last changes
/// explain. A plan that reports no velocities, and so moves by changes alone, does not jump in each frame.
struct JumpDetector {
  /// A jump, by its frame.
  struct Jump {
    let frame: Frame
    var value: Lanes
    var velocity: Lanes
    /// How far the lane that jumps farthest does.
    var size: Double { (0..<value.count).reduce(0) { max($0, abs(value[$1])) } }
  }

  /// How many times as large as what explains it a change of the value is at least.
  private static let explained = 4.0
  /// What part of all values in the part of the history a jump is at least.
  private static let largePart = 0.02
  /// The simulated seconds in which a property has one jump at most, the largest: input without smoothing would have one in
  /// each frame.
  private static let interval = 1.0

  /// What a frame brings.
  enum Find { case nothing, jump, largerJump }

  private var jumps: [Jump] = []
  /// The last change of the value in a frame, by lane.
  private var lastChange = SIMD4<Double>.zero
  private var (lowest, highest) = (SIMD4<Double>(repeating: .infinity), SIMD4<Double>(repeating: -.infinity))

  /// Takes the next state of a property.
  ///
  /// - Parameters:
  ///   - was: the state in the frame before; `nil` if there was none.
  ///   - isHandover: whether another plan begins to drive it with this frame.
  /// - Returns: whether it may have jumped, also in place of the last jump, which was smaller and a moment ago; ``found()``
  ///   has those that are large.
  mutating func take(_ now: PropertyState, after was: PropertyState?, at frame: Frame, isHandover: Bool) -> Find {
    lowest.replace(with: now.value.storage, where: now.value.storage .< lowest)
    highest.replace(with: now.value.storage, where: now.value.storage .> highest)
    guard let was, was.value.count == now.value.count else {
      lastChange = .zero
      return .nothing
    }
    let change = now.value.storage - was.value.storage
    defer { lastChange = change }
    guard !isHandover else { return .nothing }
    let dt = frame.dt
    var step = SIMD4<Double>.zero
    for lane in 0..<now.value.count {
      let velocities = max(abs(was.velocity[lane]), abs(now.velocity[lane]))
      let usual = max(abs(lastChange[lane]), velocities * dt)
      if abs(change[lane]) > Self.explained * usual { step[lane] = change[lane] - was.velocity[lane] * dt }
    }
    guard step != .zero else { return .nothing }
    let jump = Jump(
      frame: frame, value: Lanes(step, count: now.value.count),
      velocity: Lanes(now.velocity.storage - was.velocity.storage, count: now.value.count))
    guard let last = jumps.last, frame.time - last.frame.time < Self.interval else {
      jumps.append(jump)
      return .jump
    }
    guard jump.size > last.size else { return .nothing }
    jumps[jumps.count - 1] = jump
    return .largerJump
  }

  /// The jumps, with `nil` in place of those that are small beside the whole.
  func found() -> [Jump?] {
    let least = (highest - lowest) * Self.largePart
    return jumps.map { jump in
      (0..<jump.value.count).contains { abs(jump.value[$0]) > max(least[$0], .leastNormalMagnitude) } ? jump : nil
    }
  }
}

/// Jumps put into a course, to see that they are found: in the very frame in which the property changes hands.
public struct Injection: Sendable {
  /// What is put in: 2 % of the way of 100 units.
  public static let step = 2.0
  /// A velocity that is worth throwing away, per second: less than a tenth of what moves here at its fastest.
  public static let substantial = 20.0

  /// How many steps were put in, and how many velocities were thrown away.
  public private(set) var steps = 0
  /// How many velocities were thrown away.
  public private(set) var losses = 0
  /// What was not found.
  public private(set) var missed: [String] = []

  /// None yet.
  public init() {}

  /// Puts a step of either sign, and a velocity thrown away where it is to be kept, into each change of hands.
  public mutating func injectAll(into course: Course, of pair: Pair) {
    let handOvers = Judge.judge(course).handOvers
    var judge = course.judge
    for (frame, state) in course.states.enumerated() {
      for handOver in handOvers where handOver.frame == frame {
        steps += 2
        var changes = [Motion(Self.step), Motion(-Self.step)]
        if handOver.keepsVelocity, abs(handOver.velocity) > Self.substantial {
          losses += 1
          changes.append(handOver.loss(course.judge.dt))
        }
        for change in changes {
          var other = judge
          other.see(state + change)
          if !other.hasJumped { missed.append("\(pair): \(change) in frame \(frame)") }
        }
      }
      judge.see(state)
    }
  }
}

/// A change of hands.
public struct HandOver: Sendable {
  /// The frame in which it was, from 0.
  public let frame: Int
  /// Whether who takes over goes on with the velocity that there is.
  public let keepsVelocity: Bool
  /// That velocity, per second.
  public let velocity: Double

  /// What it would have changed to lose that velocity.
  func loss(_ dt: Double) -> Motion { Motion(-velocity * dt, -velocity) }
}

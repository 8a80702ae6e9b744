/// Jumps that are injected into a course, to check that they are found: in the very frame in which the property's
/// driver changes.
public struct Injection: Sendable {
  /// The injected step: 2 % of the distance of 100 units.
  public static let step = 2.0
  /// A velocity that is worth throwing away, per second: less than a tenth of what moves here at its fastest.
  public static let substantial = 20.0

  /// The number of injected steps.
  public private(set) var steps = 0
  /// The number of velocities that were thrown away.
  public private(set) var losses = 0
  /// The injected jumps that were not found.
  public private(set) var missed: [String] = []

  /// None yet.
  public init() {}

  /// Injects a step of either sign, and a velocity thrown away where it has to be kept, into each hand-over.
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

/// A hand-over.
public struct HandOver: Sendable {
  /// Its frame, from 0.
  public let frame: Int
  /// Whether the new driver continues with the present velocity.
  public let keepsVelocity: Bool
  /// That velocity, per second.
  public let velocity: Double

  /// The change that a loss of that velocity would have caused.
  func loss(_ dt: Double) -> Motion { Motion(-velocity * dt, -velocity) }
}

public import MotionModel

/// A way to move a property, as the first promise lists them.
public enum Way: String, CaseIterable, CustomStringConvertible, Sendable {
  case anchoredSpring = "AnchoredSpring"
  case springTo = "SpringTo"
  case friction = "Friction"
  case tweenWithoutCarry = "Tween without carry"
  case tweenWithCarry = "Tween with carry"
  case draggable = "Draggable"
  case tossable = "Tossable"

  /// As the tables name it.
  public var description: String { rawValue }
  /// Whether it moves nothing without pointers.
  public var needsHand: Bool { self == .draggable || self == .tossable }
  /// Whether it changes the velocity by definition: a tween without carry, and a hand.
  public var setsVelocity: Bool { needsHand || self == .tweenWithoutCarry }

  /// The plan for `position`.
  public func intention(to destination: Lanes) -> Intention {
    switch self {
    case .anchoredSpring: .anchoredSpring("position", destination)
    case .springTo: .springTo("position", destination)
    case .friction: .friction("position", coefficient: 3)
    case .tweenWithoutCarry:
      .tween("position", to: destination, easing: "ease-in-out", duration: .milliseconds(600), carries: false)
    case .tweenWithCarry: .tween("position", to: destination, easing: "ease-in-out", duration: .milliseconds(600))
    case .draggable: .draggable(slop: 0)
    case .tossable: .tossable(destination: destination, slop: 0)
    }
  }
}

/// An ordered pair of ways to move: the second interrupts the first.
public struct Pair: Hashable, Sendable {
  /// The one that is interrupted.
  public let first: Way
  /// The one that interrupts.
  public let second: Way

  /// Every ordered pair, in the order of the published tables.
  public static let all = Way.allCases.flatMap { first in Way.allCases.map { Pair(first, $0) } }

  /// A pair.
  public init(_ first: Way, _ second: Way) { (self.first, self.second) = (first, second) }

  /// The step of the value beyond what its velocity explains that is still taken for none, at so many frames a second.
  ///
  /// A hand, or a tween without carry, that takes what a spring moves gives it its own velocity at the end of a frame
  /// through which the spring has accelerated it: that way, half of a spring's acceleration by the square of the frame,
  /// is not in the velocities.
  public func tolerance(atRate rate: Double) -> Double {
    let caught = first == .tossable || second.setsVelocity
    return Jump.tolerance + (caught ? Jump.strongestPull / (2 * rate * rate) : 0)
  }

  /// Whether the velocity may change by more than an acceleration explains.
  public var isFree: Bool { first.setsVelocity || second.setsVelocity }
}

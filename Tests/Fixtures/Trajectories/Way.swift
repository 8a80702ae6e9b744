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

  /// Its name in the tables.
  public var description: String { rawValue }
  /// Whether it moves nothing without pointers.
  public var needsHand: Bool { self == .draggable || self == .tossable }
  /// The share of its velocity that friction takes away, per second.
  static let frictionPerSecond = 3.0

  /// The plan for `position`.
  public func intention(to destination: Lanes) -> Intention {
    switch self {
    case .anchoredSpring: .anchoredSpring("position", destination)
    case .springTo: .springTo("position", destination)
    case .friction: .friction("position", coefficient: Self.frictionPerSecond)
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

  /// Whether any part of it takes over a velocity: neither a hand nor a tween without carry does. After a hand that
  /// takes a property without a plan beneath, the property rests.
  public var keepsVelocity: Bool {
    switch second {
    case .tweenWithoutCarry: first == .tossable
    case .draggable: [.anchoredSpring, .friction, .tossable].contains(first)
    default: true
    }
  }
}

extension Pair: CustomStringConvertible {
  /// Their names in the tables.
  public var description: String { "\(first), \(second)" }
}

import MotionModel
import MotionPhysics

/// A plan of a force, read from an intention.
struct ForceLaw {
  /// The kind of force.
  enum Action {
    case spring(SpringCoefficients, anchor: Place)
    case friction(perSecond: Double)
    case acceleration(Place)

    /// Moves the anchor of a spring.
    ///
    /// - Returns: whether it was somewhere else.
    @discardableResult
    mutating func moveAnchor(to place: SIMD4<Double>) -> Bool {
      guard case .spring(let coefficients, let anchor) = self, anchor.lanes != place else { return false }
      self = .spring(coefficients, anchor: Place(place))
      return true
    }

    /// Adds the force to a sum.
    func act(on sum: inout ForceSum) {
      switch self {
      case .spring(let coefficients, let anchor): sum.add(spring: coefficients, anchor: anchor.lanes)
      case .friction(let perSecond): sum.add(frictionPerSecond: perSecond)
      case .acceleration(let acceleration): sum.add(acceleration: acceleration.lanes)
      }
    }
  }

  /// Four lanes one by one, which need less alignment than a vector: with vectors, millions of objects would have gaps.
  struct Place {
    private let first: Double
    private let second: Double
    private let third: Double
    private let fourth: Double

    init(_ lanes: SIMD4<Double>) { (first, second, third, fourth) = (lanes[0], lanes[1], lanes[2], lanes[3]) }

    var lanes: SIMD4<Double> { SIMD4(first, second, third, fourth) }
  }

  var property: PropertyName
  var action: Action
  /// The property that the anchor of the spring is tied to.
  var follows: PropertyReference?
  /// Whether it ends when the property comes to rest.
  var isOneShot = false
  /// The velocity that it sets when it begins; `nil` inherits.
  var initialVelocity: Lanes?
  /// The threshold of arrival; `nil` leaves it to other forces and the property.
  var threshold: Double?
  /// The priority of its plan.
  var priority: Int8 = 0

  /// Reads one of the built-in forces.
  init(_ intention: Intention) throws(Refusal) {
    switch intention.type {
    case AnchoredSpringIntention.description.type:
      let spring = try AnchoredSpringIntention(intention)
      self.init(
        property: spring.property,
        action: .spring(SpringCoefficients(spring.spring), anchor: Place(spring.destination.storage)),
        isOneShot: false, initialVelocity: spring.initialVelocity, threshold: spring.threshold)
    case SpringToIntention.description.type:
      let spring = try SpringToIntention(intention)
      self.init(
        property: spring.property,
        action: .spring(SpringCoefficients(spring.spring), anchor: Place(spring.destination.storage)),
        isOneShot: true, initialVelocity: spring.initialVelocity, threshold: spring.threshold)
    case FrictionIntention.description.type:
      let friction = try FrictionIntention(intention)
      self.init(property: friction.property, action: .friction(perSecond: friction.coefficient))
    case ConstantForceIntention.description.type:
      let force = try ConstantForceIntention(intention)
      self.init(property: force.property, action: .acceleration(Place(force.acceleration.storage)))
    case AttachWithSpringIntention.description.type:
      let spring = try AttachWithSpringIntention(intention)
      self.init(
        property: spring.property, action: .spring(SpringCoefficients(spring.spring), anchor: Place(.zero)),
        threshold: spring.threshold)
      switch spring.destination {
      case .value(let lanes): action.moveAnchor(to: lanes.storage)
      case .property(let reference): follows = reference
      }
    default:
      throw Refusal(.unknownType, "\(intention.type) is not a force", remedy: "Use one of the built-in forces.")
    }
    priority = intention.rank
  }

  private init(
    property: PropertyName, action: Action, isOneShot: Bool = false, initialVelocity: Lanes? = nil,
    threshold: Double? = nil
  ) {
    self.property = property
    self.action = action
    self.isOneShot = isOneShot
    self.initialVelocity = initialVelocity
    self.threshold = threshold
  }
}

extension SpringCoefficients {
  /// The coefficients that a feel stands for.
  init(_ feel: SpringFeel) {
    switch feel {
    case .physical(let tension, let friction, let mass):
      self.init(tension: tension, friction: friction, mass: mass)
    case .perceived(let duration, let bounce):
      self.init(duration: duration.seconds, bounce: bounce)
    }
  }
}

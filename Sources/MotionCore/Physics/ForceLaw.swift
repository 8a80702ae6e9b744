import MotionModel
import MotionPhysics

/// A plan of a force, read from an intention.
struct ForceLaw {
  /// What acts.
  enum Action {
    case spring(SpringCoefficients, anchor: SIMD4<Double>)
    case friction(perSecond: Double)
    case acceleration(SIMD4<Double>)
  }

  var property: PropertyName
  var action: Action
  /// The property that the anchor of the spring is tied to.
  var follows: PropertyReference?
  /// Whether it ends when the property comes to rest.
  var isOneShot = false
  /// The velocity that it sets when it begins; `nil` inherits.
  var initialVelocity: Lanes?
  /// What counts as arrived; `nil` leaves that to others.
  var threshold: Double?

  /// Reads one of the built-in forces.
  init(_ intention: Intention) throws(Refusal) {
    switch intention.type {
    case AnchoredSpringIntention.description.type:
      let spring = try AnchoredSpringIntention(intention)
      self.init(
        property: spring.property,
        action: .spring(SpringCoefficients(spring.spring), anchor: spring.destination.storage),
        isOneShot: false, initialVelocity: spring.initialVelocity, threshold: spring.threshold)
    case SpringToIntention.description.type:
      let spring = try SpringToIntention(intention)
      self.init(
        property: spring.property,
        action: .spring(SpringCoefficients(spring.spring), anchor: spring.destination.storage),
        isOneShot: true, initialVelocity: spring.initialVelocity, threshold: spring.threshold)
    case FrictionIntention.description.type:
      let friction = try FrictionIntention(intention)
      self.init(property: friction.property, action: .friction(perSecond: friction.coefficient))
    case ConstantForceIntention.description.type:
      let force = try ConstantForceIntention(intention)
      self.init(property: force.property, action: .acceleration(force.acceleration.storage))
    case AttachWithSpringIntention.description.type:
      let spring = try AttachWithSpringIntention(intention)
      self.init(
        property: spring.property, action: .spring(SpringCoefficients(spring.spring), anchor: .zero),
        threshold: spring.threshold)
      switch spring.destination {
      case .value(let lanes): moveAnchor(to: lanes.storage)
      case .property(let reference): follows = reference
      }
    default:
      throw Refusal(.unknownType, "\(intention.type) is no force", remedy: "Use one of the built-in forces.")
    }
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

  /// Moves the anchor of a spring.
  mutating func moveAnchor(to place: SIMD4<Double>) {
    if case .spring(let coefficients, _) = action { action = .spring(coefficients, anchor: place) }
  }

  /// Adds the force to a sum.
  func act(on sum: inout ForceSum) {
    switch action {
    case .spring(let coefficients, let anchor): sum.add(spring: coefficients, anchor: anchor)
    case .friction(let perSecond): sum.add(frictionPerSecond: perSecond)
    case .acceleration(let acceleration): sum.add(acceleration: acceleration)
    }
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

import Glibc
import MotionModel

@testable import MotionCore

/// The springs on a property, all of the default feel: their destinations, and the state of the property after some
/// time.
///
/// A separate model that uses the closed solution of the equation. It shares no code with the physics that it checks.
struct Springs: Equatable {
  private static let (tension, friction) = (342.0, 30.0)
  /// The distance at which they may stop: a tenth of the threshold, which is 1 for every property that springs move
  /// here.
  private static let snap = 0.1

  private let destinations: [SIMD4<Double>]

  /// A spring that was added and came to rest within one frame.
  init(arrivedAt place: SIMD4<Double>) { destinations = [place] }

  /// Whether a plan is a spring.
  static func isSpring(_ claim: WriterStack.Claim, in runtime: Runtime) -> Bool {
    let type = runtime.plans.intentions[claim.identity]?.intention.type.text
    return type == "AnchoredSpring" || type == "SpringTo"
  }

  /// The springs that pull a property; `nil` if there are none, or a worker moves it. While a worker's plan waits for
  /// its first update, the springs continue.
  init?(on slot: PropertyTable.Slot, in runtime: Runtime) {
    let (claims, actor) = (runtime.movement.properties[slot].stack.claims, runtime.movement.properties[slot].actor)
    let areAlone = actor.map { runtime.plans.executors[$0]?.worker == nil } ?? true
    if actor.flatMap({ runtime.plans.executors[$0]?.follows }) != nil { return nil }
    var destinations: [SIMD4<Double>] = []
    for claim in claims {
      // A plan that a stop let begin after the frame moves nothing before the next.
      if let start = runtime.plans.intentions[claim.identity]?.start, start.time >= runtime.frame.time { continue }
      guard Self.isSpring(claim, in: runtime), let intention = runtime.plans.intentions[claim.identity]?.intention
      else {
        if areAlone, actor != nil, actor.flatMap({ runtime.plans.executors[$0]?.moves }) == nil { continue }
        return nil
      }
      switch intention["destination"] {
      case .vector(let place): destinations.append(place.storage)
      case .number(let number): destinations.append([number, 0, 0, 0])
      default: return nil
      }
    }
    guard !destinations.isEmpty else { return nil }
    self.destinations = destinations
  }

  /// The value and velocity of a property `dt` seconds later.
  func after(_ state: Course.State, _ dt: Double) -> Course.State {
    let count = Double(destinations.count)
    let (stiffness, half) = (Self.tension * count, Self.friction * count / 2)
    let rest = destinations.reduce(.zero, +) / count
    let square = stiffness - half * half
    let root = abs(square).squareRoot()
    let fading = exp(-half * dt)
    let even = fading * (square > 0 ? cos(root * dt) : cosh(root * dt))
    let odd = fading * (root == 0 ? dt : (square > 0 ? sin(root * dt) : sinh(root * dt)) / root)
    let way = state.value - rest
    return Course.State(
      value: rest + way * even + (state.velocity + way * half) * odd,
      velocity: state.velocity * even - (way * stiffness + state.velocity * half) * odd)
  }

  /// The tolerance to the solution, because springs snap when they are nearly at rest.
  var leeway: Course.State {
    let root = (Self.tension * Double(destinations.count)).squareRoot()
    return Course.State(value: .init(repeating: Self.snap + 1e-6), velocity: .init(repeating: root * Self.snap + 1e-6))
  }
}

import Glibc
import MotionModel

@testable import MotionCore

/// The springs on a property, all of the default feel: where they pull it to, and where it is after a while.
///
/// An account of its own, by the solution of the equation in one piece: it shares no line with what it judges.
struct Springs: Equatable {
  private static let (tension, friction) = (342.0, 30.0)
  /// What they may leave out when they rest: a tenth of the threshold, which is 1 for whatever springs move here.
  private static let snap = 0.1

  private let destinations: [SIMD4<Double>]

  /// A spring that has come and arrived within a frame.
  init(arrivedAt place: SIMD4<Double>) { destinations = [place] }

  /// Whether a plan is a spring.
  static func isSpring(_ claim: WriterStack.Claim, in runtime: Runtime) -> Bool {
    let type = runtime.intentions[claim.identity]?.intention.type.text
    return type == "AnchoredSpring" || type == "SpringTo"
  }

  /// What pulls a property; `nil` if nothing does, or a worker moves it. Springs go on beside a worker's plan until its first
  /// word.
  init?(on slot: PropertyTable.Slot, in runtime: Runtime) {
    let (claims, actor) = (runtime.properties[slot].stack.claims, runtime.properties[slot].actor)
    let areAlone = actor.map { runtime.executors[$0]?.worker == nil } ?? true
    var destinations: [SIMD4<Double>] = []
    for claim in claims {
      guard Self.isSpring(claim, in: runtime), let intention = runtime.intentions[claim.identity]?.intention else {
        if areAlone, actor != nil { continue }
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

  /// Where a property is `dt` seconds later, and how fast.
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

  /// How far a property may be from where they lead it, since they snap when they are nearly at rest.
  var leeway: Course.State {
    let root = (Self.tension * Double(destinations.count)).squareRoot()
    return Course.State(value: .init(repeating: Self.snap + 1e-6), velocity: .init(repeating: root * Self.snap + 1e-6))
  }
}

import MotionModel
import Testing

@testable import MotionCore

/// A runtime with one limited property, `head/angle`, and the check of every frame.
final class LimitedRuntime {
  let runtime: Runtime
  private let property: PropertyName
  /// What happens from the first use on.
  private(set) lazy var trace = TraceLog(runtime)

  init(_ runtime: Runtime = Runtime(ratePerSecond: 100), property: PropertyName = "angle") {
    (self.runtime, self.property) = (runtime, property)
  }

  var state: PropertyState { runtime.state(of: property, on: "head") ?? PropertyState(0) }
  var row: PropertyRow? { runtime.currentProperties.first { $0.reference.property == property } }

  func commit(_ change: (inout Transaction) -> Void) throws {
    var transaction = Transaction()
    change(&transaction)
    try runtime.commit(transaction)
  }

  func add(_ intention: Intention) throws { try commit { $0.add(intention, to: "head") } }

  func limit(_ limits: PropertyLimits) throws { try commit { $0.limit(property, of: "head", limits) } }

  /// Runs a frame and checks that it keeps these limits.
  func advance(_ frames: Int = 1, keeping limits: PropertyLimits? = nil, _ comment: Comment? = nil) {
    for _ in 0..<frames {
      let before = state
      runtime.advance()
      guard let limits else { continue }
      check(from: before, to: state, limits, comment)
    }
  }

  private func check(from before: PropertyState, to after: PropertyState, _ limits: PropertyLimits, _ comment: Comment?)
  {
    let dt = runtime.frame.dt
    guard before.value.count == after.value.count else { return }
    for lane in 0..<after.value.count {
      let motion = limits.motion(lane: lane)
      if let most = motion.maxVelocity {
        #expect(abs(after.velocity[lane]) <= most * (1 + 1e-9), comment)
        #expect(abs(after.value[lane] - before.value[lane]) <= most * dt * (1 + 1e-9) + 1e-12, comment)
      }
      if let most = motion.maxAcceleration {
        #expect(abs(after.velocity[lane] - before.velocity[lane]) <= most * dt * (1 + 1e-9), comment)
      }
      if let range = limits.range(lane: lane) {
        #expect(after.value[lane] >= range.lowerBound - 1e-9 && after.value[lane] <= range.upperBound + 1e-9, comment)
      }
    }
  }
}

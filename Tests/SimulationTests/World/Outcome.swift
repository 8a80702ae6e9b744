import MotionModel
import MotionTestKit

/// The outcome of a scenario: the same seed always gives the same outcome.
struct Outcome: Equatable, Sendable {
  /// A hash of everything that happened.
  let digest: UInt64
  /// The number of turns of the coordinator, and of checked frames.
  let turns: Int
  let frames: UInt64
  /// The number of starts of the coordinator.
  let starts: Int
  /// When it ended, by the simulated clock.
  let end: Duration
  /// The items that it produced.
  let census: Census
  /// The violated invariants.
  let failures: [String]
}

extension World {
  /// The duration of the fault period, in milliseconds.
  private static let trouble = 500...4000
  /// How long the fault period continues after a client has disconnected: long enough that its plans are withdrawn, 3
  /// s later.
  private static let troubleAfterLeaving = 3500...5500
  /// The time limit for a complete recovery after the faults end.
  private static let recovery = Duration.seconds(60)

  /// Runs the whole scenario. An error that ends it, such as a coordinator that does not start, is a failure.
  func play() -> Outcome {
    do {
      try playThrough()
    } catch {
      failures.append("at \(machine.now), start \(starts): \(error)")
    }
    return Outcome(
      digest: digest, turns: turns, frames: observer.frames, starts: starts, end: machine.now,
      census: everything(), failures: failures)
  }

  /// Some seconds with faults, then up to a minute without.
  private func playThrough() throws {
    try start()
    var end = machine.now + .milliseconds(Int.random(in: Self.trouble, using: &random))
    for explorer in explorers {
      guard let leaves = explorer.leaves else { continue }
      end = max(end, leaves + .milliseconds(Int.random(in: Self.troubleAfterLeaving, using: &random)))
    }
    while machine.now < end, failures.isEmpty {
      try run(until: machine.now + .milliseconds(Int.random(in: 20...500, using: &random)))
      // A withdrawal takes seconds in which the coordinator runs: by chance that is rare.
      if !explorers.contains(where: \.hasLeft) || random.chance(0.2) { try happen() }
    }
    try calm()
    let limit = machine.now + Self.recovery
    while machine.now < limit, failures.isEmpty, difference() != nil {
      try run(until: machine.now + .milliseconds(200))
    }
    failures += [difference()].compactMap { $0 }
  }
}

import MotionModel

/// What came of a scenario: of the same seed always the same.
struct Outcome: Equatable, Sendable {
  /// Everything that has happened, as one number.
  let digest: UInt64
  /// How many turns the coordinator has had, and how many frames were looked at.
  let turns: Int
  let frames: UInt64
  /// How often a coordinator was started.
  let starts: Int
  /// When it was over, by the clock of the scenario.
  let end: Duration
  /// What was produced.
  let census: Census
  /// What did not hold.
  let failures: [String]
}

extension World {
  /// How long there is trouble.
  private static let trouble = 500...4000
  /// How long it goes on after a client has left: until long after its plans are withdrawn, 3 s later.
  private static let troubleAfterLeaving = 2500...5500
  /// How long it may take, once there is none, until everything is as if there had been none.
  private static let recovery = Duration.seconds(60)

  /// The whole scenario. What it cannot get over, such as a coordinator that does not start, is what did not hold.
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

  /// Some seconds of trouble, then up to a minute without.
  private func playThrough() throws {
    try start()
    var end = machine.now + .milliseconds(Int.random(in: Self.trouble, using: &random))
    for explorer in explorers {
      guard let leaves = explorer.leaves else { continue }
      end = max(end, leaves + .milliseconds(Int.random(in: Self.troubleAfterLeaving, using: &random)))
    }
    while machine.now < end, failures.isEmpty {
      try run(until: machine.now + .milliseconds(Int.random(in: 20...500, using: &random)))
      try happen()
    }
    try calm()
    let limit = machine.now + Self.recovery
    while machine.now < limit, failures.isEmpty, difference() != nil {
      try run(until: machine.now + .milliseconds(200))
    }
    failures += [difference()].compactMap { $0 }
  }
}

import Testing

@testable import MotionPhysics

/// Durations beside those of Ruckig, another solver. `make test` installs it.
@Suite(.enabled(if: Ruckig.isInstalled, "Ruckig is not installed: make test installs it"))
struct RuckigTests {
  /// Of the states that `make test` compares, these parts are of each kind. With MOTION_MOVES each kind has that number.
  private static let shares = [
    "inside": 40_000, "edges": 15_000, "tiny": 10_000, "trapezoid": 10_000, "above": 10_000, "lasting": 10_000,
    "together": 5_000,
  ]

  /// One state in so many is checked at 1,000 points in a debug build, and all in `make test-all`.
  private static var checkedShare: Int { Ruckig.states == nil ? 10 : 1 }

  private func records(_ kind: String, width: Int) throws -> [RuckigRecord] {
    try Ruckig.records(kind, width: width, count: Ruckig.states ?? Self.shares[kind] ?? 0)
  }

  @Test(arguments: ["inside", "edges", "tiny", "trapezoid"])
  func durationIsNotLongerThanRuckigs(kind: String) throws {
    var tally = RuckigTally()
    for (index, record) in try records(kind, width: 9).enumerated() {
      let item = record.item(at: 0)
      let move = try item.plan().move()
      tally.add(move.duration, record[8], item)
      guard index % Self.checkedShare == 0 else { continue }
      let found = violations(of: move, limits: item.limits)
      if !found.isEmpty { Issue.record("\(item): \(found)") }
    }
    tally.expectNoneSlower(kind)
  }

  /// Ruckig brakes into the limits as fast as possible and then undershoots them; landing at them takes less time.
  @Test func durationAboveTheLimitsIsNotLongerThanRuckigs() throws {
    var tally = RuckigTally()
    for (index, record) in try records("above", width: 9).enumerated() {
      let item = record.item(at: 0)
      let move = try item.plan().move()
      tally.add(move.duration, record[8], item)
      guard index % Self.checkedShare == 0 else { continue }
      let found = violations(of: move, limits: item.limits, bounds: MoveBounds(from: item.from, limits: item.limits))
      if !found.isEmpty { Issue.record("\(item): \(found)") }
    }
    tally.expectNoneSlower("above")
  }

  @Test func possibleDurationIsThatOfRuckig() throws {
    var tally = RuckigTally()
    for (index, record) in try records("lasting", width: 10).enumerated() {
      let item = record.item(at: 0)
      let plan = try item.plan()
      let duration = plan.possibleDuration(atLeast: record[9])
      tally.add(duration, record[8], item)
      guard index % Self.checkedShare == 0 else { continue }
      let found = violations(of: try plan.move(lasting: duration), limits: item.limits)
      if !found.isEmpty { Issue.record("\(item) in \(duration): \(found)") }
    }
    tally.expectNoneSlower("lasting")
  }

  @Test func commonDurationIsThatOfRuckig() throws {
    var tally = RuckigTally()
    for (index, record) in try records("together", width: 25).enumerated() {
      let items = [0, 8, 16].map(record.item(at:))
      let plans = try items.map { try $0.plan() }
      let duration = MovePlan.synchronised(plans)
      tally.add(duration, record[24], items[0])
      guard index % Self.checkedShare == 0 else { continue }
      for (plan, item) in zip(plans, items) {
        let move = try plan.move(lasting: duration)
        let found = violations(of: move, limits: item.limits)
        if !found.isEmpty || abs(move.duration - duration) > 1e-12 * duration {
          Issue.record("\(item) in \(duration): \(found), \(move.duration)")
        }
      }
    }
    tally.expectNoneSlower("together")
  }
}

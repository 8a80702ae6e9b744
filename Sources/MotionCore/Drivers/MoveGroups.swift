import MotionModel
import MotionPhysics

/// Begins moves under limits, and settles the common durations of those that arrive together.
final class MoveGroups {
  let position: FramePosition
  let movement: Movement
  let plans: Plans
  private let retirement: Retirement
  /// The moves that have begun and whose common durations are not settled yet, in the order of addition.
  private(set) var begun: [IntentionIdentity] = []
  /// What the plan that a new one replaces by its name hands over, until the new one has begun.
  var replaced: (slot: PropertyTable.Slot, motion: Inheritance)?
  /// Whether no frame was run since a recovery.
  var hasStoodStill = false

  /// No move has begun.
  init(_ retirement: Retirement) {
    self.retirement = retirement
    (position, movement, plans) = (retirement.position, retirement.movement, retirement.plans)
  }

  /// Hands a move to its executor. One that arrives together with others, and has begun now, is solved again once all of
  /// its transaction have begun.
  func begin(_ record: IntentionRecord, _ planned: PlannedIntention, by moves: MoveExecutor) throws {
    try moves.add(
      planned, limits: record.limits?.limits ?? PropertyLimits(), lasting: record.duration, at: position.moment.start)
    if record.duration == nil, record.intention["arriveTogether"] == .flag(true) {
      begun.append(record.identity)
    }
  }

  /// A recovery has ended, in which no frame was run although time went on.
  func endRecovery() {
    standStill(until: position.frame.time)
    hasStoodStill = true
  }

  /// A frame begins. Time went on until the first after a recovery, too. That frame costs a visit of each executor.
  func beginFrame() {
    guard hasStoodStill else { return }
    hasStoodStill = false
    standStill(until: position.moment.start)
  }

  /// No property moved until now: each move continues from its property's present state. Linear in the executors.
  private func standStill(until time: Double) {
    for moves in plans.executors.values.compactMap(\.moves) {
      for (identity, startTime) in moves.standStill(until: time) {
        guard let record = plans.intentions[identity] else { continue }
        record.start?.time = startTime
        plans.checkpoints.touch(record)
      }
    }
  }

  /// Settles the common durations of the moves that have begun together: of each transaction those that arrive together.
  ///
  /// Afterwards each is independent: a member that is displaced leaves the timing of the others.
  func settle() {
    while let sequence = begun.first?.sequence {
      let members = begun.filter { $0.sequence == sequence }
      begun.removeAll { $0.sequence == sequence }
      settle(begun: members.compactMap { plans.intentions[$0] })
    }
  }

  private func settle(begun members: [IntentionRecord]) {
    var (lanes, least): ([MovePlan], Double) = ([], 0)
    for record in members {
      guard let moves = plans.executors[record.executor]?.moves else { continue }
      lanes += moves.lanes(of: record.identity)
      least = max(least, moves.minimumDuration(of: record.identity))
    }
    let duration = MovePlan.synchronised(lanes, atLeast: least)
    for record in members {
      do {
        try plans.executors[record.executor]?.moves?.set(record.identity, lasting: duration)
        record.duration = duration
        plans.checkpoints.touch(record)
      } catch {
        retirement.end(record, .failed, reason: String(describing: error), tellingExecutor: true)
      }
    }
  }
}

import MotionModel
import MotionPhysics

/// The properties, the bank that steps those that forces move, and the properties that need attention: to settle who
/// drives them, to move them on without samples, or because they came to rest.
///
/// An object, so that all that moves properties shares it.
final class Movement {
  // One owner at a time uses these, and no reference to them leaves it. Accesses to them follow each other, or nest at
  // different places. Checking that at run time took 5 % of a large transaction.
  @exclusivity(unchecked) var properties = PropertyTable()
  /// The motions of the properties that forces move.
  let bank = SpringBank()
  /// The properties whose writers changed, in that order.
  @exclusivity(unchecked) var unsettled: [PropertyTable.Slot] = []
  /// Executors that received a plan for a property from which they were displaced, until its writers are settled.
  var givenWhileSilent: [(slot: PropertyTable.Slot, executor: ExecutorHandle)] = []
  /// The properties that samples of workers move, or that are in motion without a mover.
  private(set) var watched: [PropertyTable.Slot] = []
  /// The properties whose worker was lost since the last frame, with the executor that moved them, in order.
  private var lost: [(slot: PropertyTable.Slot, executor: ExecutorHandle)] = []
  /// Motions that came to rest and whose executors have not been notified yet, in order, because they were too many for
  /// one frame.
  private var arrivals: [SpringBank.Arrival] = []

  /// Whether anything will move in the next frame by itself.
  var isMoving: Bool { bank.movingCount > 0 || !watched.isEmpty || properties.governors.isMoving }
  /// Whether executors have yet to be notified of motions that came to rest.
  var hasArrivals: Bool { !arrivals.isEmpty }

  /// Notes that the writers of a property changed.
  func unsettle(_ slot: PropertyTable.Slot) {
    guard !properties[slot].isUnsettled else { return }
    properties[slot].isUnsettled = true
    unsettled.append(slot)
  }

  /// Examines a property in the next frame, even if no sample arrives.
  func watch(_ slot: PropertyTable.Slot) {
    guard !properties[slot].isWatched else { return }
    properties[slot].isWatched = true
    watched.append(slot)
  }

  /// Notes that the worker of the executor that moves a property was lost.
  func lose(_ slot: PropertyTable.Slot, of executor: ExecutorHandle) {
    lost.append((slot, executor))
    watch(slot)
  }

  /// Whether the worker of a property was lost since the last frame.
  func isLost(_ slot: PropertyTable.Slot) -> Bool { lost.contains { $0.slot == slot } }

  /// The number of no executor: theirs begin with 1.
  static let noExecutor = ExecutorHandle(0)

  /// Takes out the properties whose worker was lost since the last frame.
  func takeLost() -> [(slot: PropertyTable.Slot, executor: ExecutorHandle)] {
    defer { lost = [] }
    return lost
  }

  /// Whether a frame or an event left something for the next one besides what is watched.
  var isSettled: Bool {
    unsettled.isEmpty && lost.isEmpty && givenWhileSilent.isEmpty && arrivals.isEmpty && properties.isTidy
  }

  /// Takes out the properties to examine. Each is still marked as watched until its turn.
  func takeWatched() -> [PropertyTable.Slot] {
    defer { watched = [] }
    return watched
  }

  /// Takes out motions that came to rest, oldest first, at most so many.
  func takeArrivals(atMost count: Int) -> [SpringBank.Arrival] {
    guard !bank.arrivals.isEmpty || !arrivals.isEmpty else { return [] }
    arrivals += bank.arrivals
    let due = Array(arrivals.prefix(count))
    arrivals.removeFirst(due.count)
    return due
  }

  /// Makes a property stand where it is or, under limits, brake.
  func stand(_ slot: PropertyTable.Slot) {
    properties.stand(slot)
    properties.motions[slot] = nil
  }

  /// Leaves a property without a mover: it comes to rest at the last sample of a mover that is done, or stands.
  func rest(_ slot: PropertyTable.Slot) {
    guard properties.motions.marks(of: slot).comesToRest else { return stand(slot) }
    watch(slot)
  }

  /// The handle of the property at a slot in use. Without a copy of the table; see ``place(of:)``.
  func handle(at slot: PropertyTable.Slot) -> UInt64 { UInt64(properties.columns.rows[slot].handle) }

  /// The state of the property at a slot, for an executor of forces.
  ///
  /// Lane by lane, because a call of the table's own functions from here copies the table first, with all its arrays:
  /// that took a sixth of applying a transaction.
  func place(of slot: PropertyTable.Slot) -> (lanes: Int, value: SIMD4<Double>, velocity: SIMD4<Double>) {
    let row = properties.columns.rows[slot]
    var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for lane in 0..<row.lanes {
      value[lane] = properties.columns.values[row.first + lane]
      velocity[lane] = properties.columns.velocities[row.first + lane]
    }
    return (row.lanes, value, velocity)
  }
}

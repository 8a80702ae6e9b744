import MotionModel

/// Finds the plans of a large transaction that later plans of the same transaction replace before they begin.
///
/// - Of several one-shots without a name only the last is handed to its executor; the others are displaced.
/// - Of several plans of one name only the last is; the others are removed, as a plan whose name another plan takes.
///
/// These plans move one property as forces without an initial velocity. Those with a name may also be fulfilled by
/// workers, or be compositions of such plans.
///
/// They must follow each other without an operation on the target between them that might end the same plans in another
/// way (``Run``).
///
/// It is computed operation by operation while the transaction is checked, or when it is applied, with the same result:
/// it depends on the log alone. The result for a property holds only in certain states of it when the transaction
/// begins (``Transactions/fates(of:by:)``), because the first of the plans may have to create it.
struct Supersession {
  /// What becomes of an operation whose plan another one replaces.
  enum Fate: UInt8 {
    /// It is applied.
    case applied
    /// It is not begun, and reported as displaced.
    case displaced
    /// It is not begun, and not reported: another plan took its name.
    case renamed
  }

  /// A plan that later plans may replace.
  private struct Row {
    let name: IntentionName?
    let needs: SmallList<Need>
    let operation: Int

    /// Whether this plan has ended once `other` of the same run is added.
    func ends(with other: Row) -> Bool {
      name == nil ? needs[0].property == other.needs[0].property : name == other.name
    }

    /// Whether `other` of the same run brings about all that this plan would have: it takes the same name, displaces the
    /// same plans, and needs the same properties.
    func isCovered(by other: Row) -> Bool { name == other.name && needs.elementsEqual(other.needs) }

    /// Whether the two need a property with different numbers of lanes.
    func contradicts(_ other: Row) -> Bool {
      needs.contains { need in other.needs.contains { $0.property == need.property && $0.lanes != need.lanes } }
    }
  }

  /// Consecutive plans for a target whose effects on other plans do not depend on each other's order.
  private enum Run: Equatable {
    /// Each displaces the one-shot on its property.
    case unnamedOneShots
    /// Each removes the plan of its name.
    case namedStanding
    /// They displace the one-shot on their property, and remove the plan of their name: those may be one plan.
    case oneShots(IntentionName)
    /// Compositions of one type, which remove the plan of their name.
    case compositions(IntentionType, IntentionName)

    /// The run to which a plan belongs; `nil` if no run continues with it.
    init?(_ reading: PlanReading, named name: IntentionName?) {
      if reading.parts != nil {
        guard let name else { return nil }
        self = .compositions(reading.intention.type, name)
        return
      }
      switch (reading.kind, name) {
      case (.oneShot, nil): self = .unnamedOneShots
      case (.oneShot, let name?): self = .oneShots(name)
      case (.standing, .some): self = .namedStanding
      default: return nil
      }
    }
  }

  private struct Entry {
    /// Whether the target was forgotten by then, and is created again if an operation follows.
    var isForgotten = false
    private var run: Run?
    /// The plans of the run that are left, the oldest first: at most ``mostRows``. Of a plan that is left out here,
    /// nothing more is foreseen.
    private var rows = SmallList<Row>()

    private static let mostRows = 32

    /// Notes a plan that belongs to a run.
    ///
    /// - Returns: the plan before it that need not begin.
    mutating func note(_ row: Row, of run: Run) -> Row? {
      guard !isForgotten else { return nil }
      if run != self.run { (self.run, rows) = (run, SmallList()) }
      let covered = rows.first { $0.isCovered(by: row) }
      rows.removeAll { $0.ends(with: row) || $0.contradicts(row) }
      if rows.count == Self.mostRows { rows.remove(at: 0) }
      rows.append(row)
      return covered
    }

    /// Separates the plans before from those after.
    mutating func endRun() { (run, rows) = (nil, SmallList()) }
  }

  /// What a plan creates on its target unless it is there.
  struct Need: Equatable {
    let executor: ExecutorType
    /// The property that it writes; `nil` for a composition, whose parts write.
    var property: PropertyName?
    /// How many lanes the property must have; `nil` if any.
    var lanes: Int?
    var kind: IntentionKind
  }

  /// The condition on a target under which plans for it are superseded.
  struct Condition {
    let target: TargetName
    let needs: SmallList<Need>
  }

  /// The first of the operations that a condition concerns begins all the same if the property does not exist yet.
  struct Place {
    /// The place of the condition; below 0 for an operation that is applied.
    var condition: Int32 = -1
    var fate = Fate.applied
  }

  /// For each operation so far, its fate, and the condition of it.
  private(set) var places: [Place] = []
  private(set) var conditions: [Condition] = []
  private var placeOfCondition: [PropertyReference: Int32] = [:]
  private var placesOfCompositions: [TargetName: [Int32]] = [:]
  private var entries: [TargetName: Entry] = [:]

  /// Nothing yet, of a log with so many operations.
  init(_ operations: Int) {
    places.reserveCapacity(operations)
  }

  /// Whether nothing is superseded.
  var isEmpty: Bool { conditions.isEmpty }

  /// Notes the next operation.
  ///
  /// - Parameter reading: its plan, if it adds one that could be read.
  /// - Returns: the operation before it that is superseded by it.
  @discardableResult
  mutating func note(_ operation: Transaction.Operation, _ reading: PlanReading?) -> Int? {
    places.append(Place())
    // A group has no target, and separates nothing.
    guard let target = operation.target else { return nil }
    // A plan with a priority can decide whether others begin, and one that begins later ends no others now.
    guard case .add(_, let name, _) = operation, let reading, reading.intention.priority == 0,
      reading.intention.after == 0, let run = Run(reading, named: name),
      let row = Self.row(of: reading, named: name, places.count - 1)
    else {
      // Any other operation on the target separates the plans before it from those after it.
      entries[target]?.endRun()
      if case .forget = operation { entries[target, default: Entry()].isForgotten = true }
      return nil
    }
    guard let former = entries[target, default: Entry()].note(row, of: run) else { return nil }
    return supersede(former, of: target) ? former.operation : nil
  }

  private mutating func supersede(_ row: Row, of target: TargetName) -> Bool {
    guard let condition = condition(for: row, of: target) else { return false }
    places[row.operation] = Place(condition: condition, fate: row.name == nil ? .displaced : .renamed)
    return true
  }

  /// The place of the condition under which a plan is superseded; `nil` if it has to begin in any case.
  private mutating func condition(for row: Row, of target: TargetName) -> Int32? {
    let condition = Condition(target: target, needs: row.needs)
    guard row.needs.count == 1, let property = row.needs[0].property else {
      let known = placesOfCompositions[target] ?? []
      if let place = known.first(where: { conditions[Int($0)].needs.elementsEqual(row.needs) }) { return place }
      guard known.count < Self.mostCompositions else { return nil }
      conditions.append(condition)
      placesOfCompositions[target, default: []].append(Int32(conditions.count - 1))
      return Int32(conditions.count - 1)
    }
    let reference = PropertyReference(target, property)
    if let known = placeOfCondition[reference] {
      // Plans that need other lanes fail if the first ones create the property. Those of another executor create it.
      let need = conditions[Int(known)].needs[0]
      return need.lanes == row.needs[0].lanes && need.executor == row.needs[0].executor ? known : nil
    }
    conditions.append(condition)
    placeOfCondition[reference] = Int32(conditions.count - 1)
    return Int32(conditions.count - 1)
  }

  /// How many conditions a target has for compositions.
  private static let mostCompositions = 32

  /// The row of a plan that another plan can replace without a trace.
  private static func row(of reading: PlanReading, named name: IntentionName?, _ operation: Int) -> Row? {
    // Which of its own plans an executor in a worker displaces, only the worker determines.
    if name == nil, !reading.isForce { return nil }
    var needs = SmallList<Need>()
    guard collect(&needs, of: reading) else { return nil }
    return Row(name: name, needs: needs, operation: operation)
  }

  /// Collects what a plan needs, and what the parts of a composition do.
  ///
  /// - Returns: whether this is all that it does before a frame updates it.
  private static func collect(_ needs: inout SmallList<Need>, of reading: PlanReading) -> Bool {
    let description = reading.entry.description
    guard reading.delay == 0, !reading.mayRead, !description.reachesOutside, reading.kind != .output else {
      return false
    }
    if let parts = reading.parts {
      guard reading.written.isEmpty else { return false }
      needs.append(Need(executor: description.executor, kind: reading.kind))
      return parts.allSatisfy { collect(&needs, of: $0) }
    }
    guard reading.written.count == 1 else { return false }
    if reading.isForce {
      guard let law = try? reading.force(), law.initialVelocity == nil, law.follows == nil else { return false }
    } else {
      guard case .plugin = reading.entry.provider else { return false }
    }
    let lanes = reading.requirements.first { $0.property == reading.written[0] }?.lanes
    needs.append(
      Need(executor: description.executor, property: reading.written[0], lanes: lanes, kind: reading.kind))
    return true
  }
}

/// What is computed of a large transaction before its frame, besides the plans that are staged.
struct PreparedOperations {
  /// Which of its operations replace each other.
  private(set) var supersession: Supersession
  /// The plans of the operations that are neither staged nor superseded, where they were read. Reading a plan takes
  /// longer than applying it.
  private(set) var readings: [PlanReading?] = []

  /// Nothing yet, of a log with so many operations.
  init(_ operations: Int) {
    supersession = Supersession(operations)
    readings.reserveCapacity(operations)
  }

  /// Notes the next operation; see ``Supersession/note(_:_:)``.
  mutating func note(_ operation: Transaction.Operation, _ reading: PlanReading?) {
    let superseded = supersession.note(operation, reading)
    readings.append(reading)
    if let superseded { readings[superseded] = nil }
  }

  /// Drops the reading of the last operation, which is not needed: it is staged, or will be read again.
  mutating func dropLastReading() { readings[readings.count - 1] = nil }
}

/// Plans that ended before they began, and have yet to be reported: in one frame not more than
/// ``Runtime/arrivalsPerFrame``.
struct SupersededPlans {
  private struct Batch {
    let transaction: Transaction
    let sequence: UInt64
    let frame: UInt64
    let fates: [Supersession.Fate]
    var next = 0
  }

  private var batches: [Batch] = []

  /// Whether all were taken.
  var isEmpty: Bool { batches.isEmpty }

  /// Keeps the displaced operations of a transaction.
  mutating func add(_ transaction: Transaction, sequence: UInt64, frame: UInt64, _ fates: [Supersession.Fate]) {
    batches.append(Batch(transaction: transaction, sequence: sequence, frame: frame, fates: fates))
  }

  /// Takes out the next ones, in order, at most so many.
  ///
  /// - Returns: the transactions of which all were taken: releasing one takes as long as applying it.
  mutating func take(_ count: Int, _ body: (EndedIntention, Intention) -> Void) -> [Transaction] {
    var (left, done) = (count, [Transaction]())
    while left > 0, !batches.isEmpty {
      while left > 0, batches[0].next < batches[0].fates.count {
        let (operation, batch) = (batches[0].next, batches[0])
        batches[0].next += 1
        guard batch.fates[operation] == .displaced,
          case .add(let intention, let name, let target) = batch.transaction.log[operation]
        else { continue }
        left -= 1
        let identity = IntentionIdentity(sequence: batch.sequence, operation: UInt32(operation))
        body(
          EndedIntention(
            identity: identity, target: target, type: intention.type, name: name, frame: batch.frame,
            outcome: .displaced, reason: ""), intention)
      }
      if batches[0].next == batches[0].fates.count { done.append(batches.removeFirst().transaction) }
    }
    return done
  }
}

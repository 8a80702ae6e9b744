import MotionModel

extension FastPath {
  /// The packed numbers of an update's parallel arrays.
  private struct Arrays {
    var executors = WireReader()
    var handles = WireReader()
    var counts = WireReader()
    var columns = Columns()
  }

  /// Those that every update has.
  private struct Columns {
    var lanes = WireReader()
    var velocities = WireReader()
    var imposes = WireReader()
    var remaining = WireReader()
    var carries = WireReader()

    /// The next write.
    mutating func next(
      _ row: UpdateRows.Row, imposes hasImposes: Bool, remaining hasRemaining: Bool, carry hasCarry: Bool
    ) throws(WireFault) -> PropertyWrite {
      let count = Int(row.lanes)
      let state = PropertyState(try lanes.lanes(count), velocity: try velocities.lanes(count))
      let imposed = UInt8(exactly: hasImposes ? try imposes.number() : 0)
      let seconds = hasRemaining ? try remaining.finite() : -1
      let carry = hasCarry ? try carries.finite() : -1
      guard let imposed else { throw .unusual }
      return PropertyWrite(
        executor: row.executor, property: row.property, state: state, imposes: Imposed(rawValue: imposed),
        remaining: seconds < 0 ? nil : seconds, carry: carry < 0 ? nil : carry)
    }

    var areAtEnd: Bool { [lanes, velocities, imposes, remaining, carries].allSatisfy(\.isAtEnd) }
  }

  static func update(in message: WireReader) throws(WireFault) -> WorkerUpdate {
    var (update, arrays) = try fields(of: message)
    if case .named = update.shape { return update }
    update.writes = try writes(arrays)
    return update
  }

  /// The writes of an update that names the shape of these rows, if it fits.
  static func writes(in message: WireReader, of rows: UpdateRows) throws(WireFault) -> [PropertyWrite] {
    var columns = try fields(of: message).arrays.columns
    let (imposes, remaining) = (!columns.imposes.isAtEnd, !columns.remaining.isAtEnd)
    let carry = !columns.carries.isAtEnd
    var writes: [PropertyWrite] = []
    writes.reserveCapacity(rows.rows.count)
    for row in rows.rows { writes.append(try columns.next(row, imposes: imposes, remaining: remaining, carry: carry)) }
    guard columns.areAtEnd else { throw .unusual }
    return writes
  }

  /// The update without its writes, and its arrays.
  private static func fields(of message: WireReader) throws(WireFault) -> (update: WorkerUpdate, arrays: Arrays) {
    var reader = message
    var update = WorkerUpdate(frame: 0, writes: [], commandsApplied: 0)
    var arrays = Arrays()
    var shape: UInt64 = 0
    while !reader.isAtEnd {
      // Protobuf concatenates the arrays of a field that is repeated. Here only empty ones may be.
      switch try reader.tag() {
      case 1 << 3: update.frame = try reader.number()
      case 2 << 3: update.commandsApplied = try reader.number()
      case 3 << 3 | 2 where arrays.executors.isAtEnd: arrays.executors = try reader.message()
      case 4 << 3 | 2 where arrays.handles.isAtEnd: arrays.handles = try reader.message()
      case 5 << 3 | 2 where arrays.counts.isAtEnd: arrays.counts = try reader.message()
      case 6 << 3 | 2 where arrays.columns.lanes.isAtEnd: arrays.columns.lanes = try reader.message()
      case 7 << 3 | 2 where arrays.columns.velocities.isAtEnd: arrays.columns.velocities = try reader.message()
      case 8 << 3 | 2 where arrays.columns.imposes.isAtEnd: arrays.columns.imposes = try reader.message()
      case 9 << 3 | 2 where arrays.columns.remaining.isAtEnd: arrays.columns.remaining = try reader.message()
      case 11 << 3 | 2 where arrays.columns.carries.isAtEnd: arrays.columns.carries = try reader.message()
      case 12 << 3: shape = try reader.number()
      default: throw .unusual
      }
    }
    guard arrays.columns.lanes.count <= Limits.valuesPerUpdate * 8 else { throw .unusual }
    let hasRows = [arrays.executors, arrays.handles, arrays.counts].contains { !$0.isAtEnd }
    update.shape = WorkerUpdate.Shape(shape, hasRows: hasRows, hasValues: !arrays.columns.lanes.isAtEnd)
    return (update, arrays)
  }

  /// The writes, if the arrays fit together and each number is valid.
  private static func writes(_ arrays: Arrays) throws(WireFault) -> [PropertyWrite] {
    var (executors, handles, counts, columns) = (arrays.executors, arrays.handles, arrays.counts, arrays.columns)
    let (imposes, remaining) = (!columns.imposes.isAtEnd, !columns.remaining.isAtEnd)
    let carry = !columns.carries.isAtEnd
    var writes: [PropertyWrite] = []
    // A valid count takes one byte.
    writes.reserveCapacity(counts.count)
    while !handles.isAtEnd {
      let executor = ExecutorHandle(try executors.short())
      let handle = PropertyHandle(try handles.short())
      let count = try counts.short()
      guard (1...UInt32(Limits.lanes)).contains(count) else { throw .unusual }
      let row = UpdateRows.Row(executor: executor, property: handle, lanes: UInt8(count))
      writes.append(try columns.next(row, imposes: imposes, remaining: remaining, carry: carry))
    }
    guard executors.isAtEnd, counts.isAtEnd, columns.areAtEnd else { throw .unusual }
    return writes
  }
}

extension WorkerUpdate.Shape {
  /// What the number in an update means.
  init(_ number: UInt64, hasRows: Bool, hasValues: Bool) {
    self = number == 0 ? .none : hasRows ? .announced(number) : hasValues ? .named(number) : .none
  }
}

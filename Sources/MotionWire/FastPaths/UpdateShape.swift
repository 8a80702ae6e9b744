public import MotionModel

/// Which executors write which properties, with how many lanes: what stays the same from update to update while
/// nothing begins or ends.
public struct UpdateRows: Hashable, Sendable {
  /// The property that a write is for.
  struct Row: Hashable, Sendable {
    let executor: ExecutorHandle
    let property: PropertyHandle
    let lanes: UInt8
  }

  let rows: [Row]

  /// The rows of these writes.
  public init(of writes: [PropertyWrite]) {
    rows = writes.map { Row(executor: $0.executor, property: $0.property, lanes: UInt8($0.state.value.count)) }
  }

  /// Whether these writes have the rows.
  public func fit(_ writes: [PropertyWrite]) -> Bool {
    guard writes.count == rows.count else { return false }
    return zip(rows, writes).allSatisfy { row, write in
      row.property == write.property && row.executor == write.executor && Int(row.lanes) == write.state.value.count
    }
  }
}

/// The rows that a worker announced under a number. Once the coordinator has acknowledged the number in a tick, updates
/// name it and carry only the values, which are read without decoding the rows again.
public struct UpdateShape: Hashable, Sendable {
  /// Its number, above 0.
  public let number: UInt64
  private let rows: UpdateRows
  /// The fields of an update that state the rows.
  private let encoded: [UInt8]

  /// The shape of these writes. It costs as much as encoding their rows.
  public init(_ number: UInt64, of writes: [PropertyWrite]) {
    self.number = number
    rows = UpdateRows(of: writes)
    encoded = FastPath.rows(of: writes)
  }

  /// The update that names the shape, with its writes, as if it had stated the rows itself; `nil` if its values do not
  /// fit the shape.
  public func complete(_ update: WorkerUpdate) -> WorkerUpdate? {
    var complete = update
    let writes = update.columns.withUnsafeBytes { bytes in try? FastPath.writes(in: WireReader(bytes), of: rows) }
    guard let writes else { return nil }
    (complete.writes, complete.shape, complete.columns) = (writes, .announced(number), [])
    // The fields of a message may stand in any order.
    complete.encoded = WorkerUpdate.Encoded(encoded + update.columns)
    return complete
  }
}

/// The shape that a receiver of updates has: the newest that was announced.
public struct KnownShape: Hashable, Sendable {
  private var shape: UpdateShape?

  /// No shape.
  public init() {}

  /// Its number, for ticks; 0 if there is none.
  public var number: UInt64 { shape?.number ?? 0 }

  /// The update with the writes of the shape that it names. An announced shape replaces the one before. Without the
  /// shape the values are lost; the next tick makes the worker announce it again.
  ///
  /// - Returns: the update, and whether it has its values.
  public mutating func complete(_ update: WorkerUpdate) -> (update: WorkerUpdate, isWhole: Bool) {
    switch update.shape {
    case .none: return (update, true)
    case .announced(let number):
      if self.number != number { shape = UpdateShape(number, of: update.writes) }
      return (update, true)
    case .named(let number):
      if let shape, shape.number == number, let complete = shape.complete(update) { return (complete, true) }
      shape = nil
      var rest = update
      (rest.shape, rest.columns) = (.none, [])
      return (rest, false)
    }
  }
}

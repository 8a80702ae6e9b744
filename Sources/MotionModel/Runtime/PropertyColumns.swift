/// The values and velocities of properties, as columns: a frame writes them, and a publisher reads them in place.
///
/// Each property has a row. The lanes of all properties are contiguous, with values and velocities in separate columns.
/// A property of one lane takes 24 bytes in all, and a frame reads no data that it does not need.
public struct PropertyColumns: Sendable {
  /// A row: its property, and the place of its lanes.
  @frozen public struct Row: BitwiseCopyable, Sendable {
    /// The handle of the property; 0, which is never assigned, in an empty row.
    public fileprivate(set) var handle: UInt32
    /// The index of the first lane times four, plus the number of lanes less one.
    @usableFromInline let place: UInt32

    fileprivate static let empty = Row(handle: 0, first: 0, lanes: 1)

    fileprivate init(handle: UInt32, first: Int, lanes: Int) {
      precondition(first < PropertyColumns.mostLanes, "a runtime has 2^30 lanes at the most")
      (self.handle, place) = (handle, UInt32(first) << 2 | UInt32(lanes - 1))
    }

    /// Whether a property has the row.
    @inlinable public var isOccupied: Bool { handle != 0 }
    /// The index of its first lane among all lanes.
    @inlinable public var first: Int { Int(place >> 2) }
    /// The number of its lanes, 1 to 4.
    @inlinable public var lanes: Int { Int(place & 3) + 1 }
  }

  /// The most lanes: a place has 30 bits. They are 16 GB.
  package static var mostLanes: Int { 1 << 30 }

  /// The rows, some of them empty.
  public private(set) var rows: [Row] = []
  /// The lanes of all values.
  public private(set) var values: [Double] = []
  /// The lanes of all velocities, per second, at the same indices as the lanes of their values.
  public private(set) var velocities: [Double] = []
  /// The indices of the freed lanes of removed properties, by their number of lanes less one.
  private var free: [[Int]] = [[], [], [], []]

  /// Creates columns without rows.
  package init() {}

  /// Assigns a row to a property, an empty one or a new one at the end, and sets its value.
  package mutating func occupy(_ row: Int, by handle: PropertyHandle, at value: Lanes) {
    reserve(row, at: value)
    show(row, as: handle)
  }

  /// Assigns a reserved row to a property.
  package mutating func show(_ row: Int, as handle: PropertyHandle) {
    precondition(handle.rawValue != 0 && !rows[row].isOccupied, "row \(row) of \(rows.count) for \(handle)")
    rows[row].handle = handle.rawValue
  }

  /// Reserves a row, an empty one or a new one at the end, for a property whose value will be `value`. The row appears
  /// empty until ``show(_:as:)``.
  package mutating func reserve(_ row: Int, at value: Lanes, velocity: SIMD4<Double> = .zero) {
    precondition(row <= rows.count, "row \(row) of \(rows.count)")
    let lanes = value.count
    let first = free[lanes - 1].popLast() ?? values.count
    if first == values.count {
      values.append(contentsOf: repeatElement(0, count: lanes))
      velocities.append(contentsOf: repeatElement(0, count: lanes))
    }
    let taken = Row(handle: 0, first: first, lanes: lanes)
    if row < rows.count {
      precondition(!rows[row].isOccupied, "row \(row) is not empty")
      rows[row] = taken
    } else {
      rows.append(taken)
    }
    for lane in 0..<lanes { (values[first + lane], velocities[first + lane]) = (value.storage[lane], velocity[lane]) }
  }

  /// Empties a row.
  package mutating func vacate(_ row: Int) {
    precondition(rows[row].isOccupied, "row \(row) is empty")
    release(row)
  }

  /// Empties a row that was reserved and not shown.
  package mutating func release(_ row: Int) {
    free[rows[row].lanes - 1].append(rows[row].first)
    rows[row] = .empty
  }

  // If these two are not inlined, each call copies the struct that the caller keeps the columns in, and counts
  // references to it. That took a tenth of the time in which 100,000 moving targets get other plans.

  /// Returns the value of a property; unused lanes are zero.
  @inlinable package func value(_ row: Int) -> SIMD4<Double> { lanes(row, of: values) }

  /// Returns the velocity of a property; unused lanes are zero.
  @inlinable package func velocity(_ row: Int) -> SIMD4<Double> { lanes(row, of: velocities) }

  @inlinable func lanes(_ row: Int, of column: [Double]) -> SIMD4<Double> {
    let row = rows[row]
    var lanes = SIMD4<Double>.zero
    for lane in 0..<row.lanes { lanes[lane] = column[row.first + lane] }
    return lanes
  }

  /// Sets a property's value and velocity; lanes that it does not have are ignored.
  ///
  /// - Returns: whether value or velocity changed.
  package mutating func move(_ row: Int, to value: SIMD4<Double>, _ velocity: SIMD4<Double>) -> Bool {
    let row = rows[row]
    var isChanged = false
    for lane in 0..<row.lanes {
      let place = row.first + lane
      isChanged = isChanged || values[place] != value[lane] || velocities[place] != velocity[lane]
    }
    guard isChanged else { return false }
    for lane in 0..<row.lanes {
      (values[row.first + lane], velocities[row.first + lane]) = (value[lane], velocity[lane])
    }
    return true
  }

  /// Returns the index of the first lane of rows that have one lane each and whose lanes are contiguous; `nil` for
  /// other rows, and for none.
  package static func firstOfRun(_ rows: Slice<UnsafeBufferPointer<Row>>) -> Int? {
    let rows = UnsafeBufferPointer(rebasing: rows)
    guard let first = rows.first?.place, first & 3 == 0 else { return nil }
    var differences: UInt32 = 0
    for row in rows.indices { differences |= rows[row].place ^ (first &+ UInt32(truncatingIfNeeded: row) << 2) }
    return differences == 0 ? Int(first >> 2) : nil
  }

  /// Calls `body` with the rows and lanes, to move many properties at once: the lanes of row `r` begin at `r.first`.
  package mutating func withLanes<Result>(
    _ body: (
      _ rows: UnsafeBufferPointer<Row>, _ values: UnsafeMutableBufferPointer<Double>,
      _ velocities: UnsafeMutableBufferPointer<Double>
    ) -> Result
  ) -> Result {
    rows.withUnsafeBufferPointer { rows in
      values.withUnsafeMutableBufferPointer { values in
        velocities.withUnsafeMutableBufferPointer { velocities in body(rows, values, velocities) }
      }
    }
  }
}

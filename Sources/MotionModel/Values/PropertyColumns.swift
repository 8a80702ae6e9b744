/// Where properties are and how fast they move, as columns: what a frame writes, and what a publisher reads where it lies.
///
/// A property has a row. All lanes of all properties lie one after the other, values and velocities apart, so that a
/// property of one lane takes 24 bytes in all, and a frame walks over nothing that it does not need.
public struct PropertyColumns: Sendable {
  /// Which property a row is of, and where its lanes lie.
  @frozen public struct Row: BitwiseCopyable, Sendable {
    /// The handle of the property; 0, which is never given, in an empty row.
    public fileprivate(set) var handle: UInt32
    /// The place of the first lane times four, and how many lanes follow it.
    @usableFromInline let place: UInt32

    fileprivate static let empty = Row(handle: 0, first: 0, lanes: 1)

    fileprivate init(handle: UInt32, first: Int, lanes: Int) {
      precondition(first < PropertyColumns.mostLanes, "a runtime has 2^30 lanes at the most")
      (self.handle, place) = (handle, UInt32(first) << 2 | UInt32(lanes - 1))
    }

    /// Whether a property has the row.
    @inlinable public var isOccupied: Bool { handle != 0 }
    /// Where its first lane lies among all lanes.
    @inlinable public var first: Int { Int(place >> 2) }
    /// How many lanes it has, 1 to 4.
    @inlinable public var lanes: Int { Int(place & 3) + 1 }
  }

  /// How many lanes there may be: a place has 30 bits. They are 16 GB.
  package static var mostLanes: Int { 1 << 30 }

  /// The rows, some of them empty.
  public private(set) var rows: [Row] = []
  /// The lanes of all values.
  public private(set) var values: [Double] = []
  /// The lanes of all velocities, per second; each lies where the lane of its value does.
  public private(set) var velocities: [Double] = []
  /// Where lanes of properties that are gone lie, by their number less one.
  private var free: [[Int]] = [[], [], [], []]

  /// No rows.
  package init() {}

  /// Gives a property a row, an empty one or the one behind the last, in which it stands at `value`.
  package mutating func occupy(_ row: Int, by handle: PropertyHandle, at value: Lanes) {
    reserve(row, at: value)
    show(row, as: handle)
  }

  /// Gives a reserved row to a property.
  package mutating func show(_ row: Int, as handle: PropertyHandle) {
    precondition(handle.rawValue != 0 && !rows[row].isOccupied, "row \(row) of \(rows.count) for \(handle)")
    rows[row].handle = handle.rawValue
  }

  /// Reserves a row, an empty one or the one behind the last, for a property that is to stand at `value`: it looks
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

  // Where these two are not put into their callers, each call of them copies all that the caller has them in, and counts
  // references to it: a tenth of the time in which 100,000 moving targets get other plans.

  /// Where a property is; unused lanes are zero.
  @inlinable package func value(_ row: Int) -> SIMD4<Double> { lanes(row, of: values) }

  /// How fast a property moves; unused lanes are zero.
  @inlinable package func velocity(_ row: Int) -> SIMD4<Double> { lanes(row, of: velocities) }

  @inlinable func lanes(_ row: Int, of column: [Double]) -> SIMD4<Double> {
    let row = rows[row]
    var lanes = SIMD4<Double>.zero
    for lane in 0..<row.lanes { lanes[lane] = column[row.first + lane] }
    return lanes
  }

  /// Puts a property somewhere, with a velocity; lanes that it does not have are ignored.
  ///
  /// - Returns: whether that changes anything.
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

  /// Where the first lane lies of rows of one lane each whose lanes lie one behind the other; `nil` of others, and of
  /// none.
  package static func firstOfRun(_ rows: Slice<UnsafeBufferPointer<Row>>) -> Int? {
    let rows = UnsafeBufferPointer(rebasing: rows)
    guard let first = rows.first?.place, first & 3 == 0 else { return nil }
    var differences: UInt32 = 0
    for row in rows.indices { differences |= rows[row].place ^ (first &+ UInt32(truncatingIfNeeded: row) << 2) }
    return differences == 0 ? Int(first >> 2) : nil
  }

  /// Hands out rows and lanes, to move many properties at once: the lanes of row `r` lie at `r.first` and behind it.
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

/// A grid of characters with dots: each character holds two columns and four rows of them, as Braille (Unicode
/// U+2800…28FF) does.
struct BrailleCanvas {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  /// The bit of each dot in a character, row by row.
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  /// Creates an empty grid.
  init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "a field of \(columns) columns and \(rows) rows")
    self.columns = columns
    self.rows = rows
    cells = [UInt8](repeating: 0, count: columns * rows)
  }

  /// The numbers of dots beside and below each other.
  var dotColumns: Int { columns * 2 }
  var dotRows: Int { rows * 4 }

  /// Sets a dot, counted from the upper left; one outside the grid is ignored.
  mutating func set(_ x: Int, _ y: Int) {
    guard (0..<dotColumns).contains(x), (0..<dotRows).contains(y) else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[y % 4][x % 2]
  }

  /// Sets the dots of a straight line: one for each column or row, whichever the line crosses more of.
  mutating func line(from a: (x: Int, y: Int), to b: (x: Int, y: Int)) {
    let steps = max(abs(b.x - a.x), abs(b.y - a.y))
    guard steps > 0 else { return set(a.x, a.y) }
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      set(a.x + Int((part * Double(b.x - a.x)).rounded()), a.y + Int((part * Double(b.y - a.y)).rounded()))
    }
  }

  /// Returns a character, or `nil` where no dot is set.
  func character(column: Int, row: Int) -> Character? {
    let cell = cells[row * columns + column]
    return cell == 0 ? nil : Unicode.Scalar(0x2800 + UInt32(cell)).map(Character.init)
  }
}

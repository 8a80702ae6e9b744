/// Rows under headings, in columns as wide as their longest cell.
struct Table {
  /// On which side of a column its cells stand.
  enum Alignment {
    case left
    case right
  }

  /// A heading with the side on which its cells stand: numbers stand on the right.
  struct Column {
    let heading: String
    let alignment: Alignment

    /// A column of texts, or of numbers.
    init(_ heading: String, _ alignment: Alignment = .left) {
      self.heading = heading
      self.alignment = alignment
    }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  /// A table with these columns and no rows.
  init(_ columns: Column...) {
    self.columns = columns
  }

  /// Adds a row with a cell for each column.
  mutating func add(_ cells: String...) {
    precondition(cells.count == columns.count, "\(cells.count) cells in a table of \(columns.count) columns")
    rows.append(cells)
  }

  /// The lines: the headings, then a line for each row, without spaces at the end.
  func lines(style: Style) -> [String] {
    let widths = columns.indices.map { column in
      rows.reduce(columns[column].heading.count) { max($0, $1[column].count) }
    }
    let heading = line(columns.map(\.heading), widths)
    return [style.dim(heading)] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(zip(cells, columns), widths).map { pair, width in
      let (cell, column) = pair
      let space = String(repeating: " ", count: width - cell.count)
      return column.alignment == .left ? cell + space : space + cell
    }
    return padded.joined(separator: "  ").trimmingSpacesAtEnd
  }
}

extension String {
  /// The text without spaces at its end.
  var trimmingSpacesAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The text filled up with spaces to `width` characters; a longer one is cut, with an ellipsis.
  func fitted(to width: Int) -> String {
    if count > width { return width > 0 ? prefix(width - 1) + "…" : "" }
    return self + String(repeating: " ", count: width - count)
  }

  /// The text filled up with spaces on the left to `width` characters; a longer one stays whole: it is a number.
  func fittedRight(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

import MotionModel

/// Rows under headings, in columns as wide as their longest cell.
struct Table {
  /// The side of a column on which its cells are aligned.
  enum Alignment {
    case left
    case right
  }

  /// A heading with the alignment of its cells; numbers are aligned on the right.
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
  init(_ columns: Column...) { self.init(columns) }

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row with a cell for each column.
  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "\(cells.count) cells in a table of \(columns.count) columns")
    // Cells may contain data of other programs, so control characters are escaped.
    rows.append(cells.map(ShownText.escaping))
  }

  /// The lines: the headings, then a line for each row, without spaces at the end.
  ///
  /// - Parameter width: the width at which cells of the last column are wrapped between words; `nil` wraps none.
  func lines(style: Style, width: Int? = nil) -> [String] {
    let widths = columns.indices.map { column in
      rows.reduce(columns[column].heading.count) { max($0, $1[column].count) }
    }
    let heading = line(columns.map(\.heading), widths)
    return [style.dim(heading)] + rows.flatMap { lines(of: $0, widths, width: width) }
  }

  /// The lines of a row. A last cell that is too long continues below itself.
  private func lines(of row: [String], _ widths: [Int], width: Int?) -> [String] {
    let indentation = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    guard let width, let last = row.last, indentation + last.count > width else { return [line(row, widths)] }
    let pieces = last.wrapped(to: max(Self.narrowest, width - indentation))
    let first = line(row.dropLast() + pieces.prefix(1), widths)
    return [first] + pieces.dropFirst().map { String(repeating: " ", count: indentation) + $0 }
  }

  /// The narrowest width of a wrapped last column. A narrower one is hard to read, so the lines then exceed the width.
  private static var narrowest: Int { 32 }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(zip(cells, columns), widths).map { pair, width in
      let (cell, column) = pair
      let space = String(repeating: " ", count: max(0, width - cell.count))
      return column.alignment == .left ? cell + space : space + cell
    }
    return padded.joined(separator: "  ").trimmingSpacesAtEnd
  }
}

extension String {
  /// The text without trailing spaces.
  var trimmingSpacesAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The text, or as much of it as fits into `width` characters with an ellipsis.
  func shortened(to width: Int) -> String {
    count <= width ? self : width > 0 ? prefix(width - 1) + "…" : ""
  }

  /// The text padded with spaces to `width` characters; a longer one is cut, with an ellipsis.
  func fitted(to width: Int) -> String {
    if count > width { return shortened(to: width) }
    return self + String(repeating: " ", count: width - count)
  }

  /// The text in lines of at most `width` characters, broken between words; a longer word stays whole.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The first sentence, on one line.
  var firstSentence: String {
    let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.firstRange(of: ". ").map { line[..<$0.lowerBound] + "." } ?? line
  }

  /// The text padded with spaces on the left to `width` characters. A longer one stays whole, because it is a number.
  func fittedRight(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

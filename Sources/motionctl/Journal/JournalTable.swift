import MotionJournal
import MotionModel

/// A journal as a table, for people.
enum JournalTable {
  /// The characters of an id that are shown: enough to distinguish ids, and room remains for the row's content. The
  /// JSON has all of it.
  private static let identity = 13

  /// The rows, under headings, and the checkpoint.
  static func lines(of rows: ArraySlice<JournalReport.Row>, in report: JournalReport, _ console: Console) -> [String] {
    lines(of: rows, console)
      + (report.checkpoint.map { JournalEntryText.lines(of: $0.contents, number: $0.number) } ?? ["no checkpoint"])
  }

  private static func lines(of rows: ArraySlice<JournalReport.Row>, _ console: Console) -> [String] {
    guard !rows.isEmpty else { return ["no rows"] }
    var table = Table(.init("ROW", .right), .init("TIME"), .init("ID"), .init("BYTES", .right), .init("WHAT"))
    for row in rows {
      table.add(
        "\(row.row.sequence)", WallTimeText.text(row.row.wallTime),
        row.row.identity.isEmpty ? "-" : row.row.identity.hexText.shortened(to: identity),
        row.isHistory ? "-" : "\(row.row.body.count)", JournalEntryText.text(of: row))
    }
    return table.lines(style: console.outputStyle, width: console.width)
  }
}

extension JournalReport {
  /// The result of the verification, and a summary of the contents.
  func verification(style: Style) -> [String] {
    let amount = rows.count == 1 ? "1 row" : "\(rows.count) rows"
    var lines = ["\(directory): \(isWhole ? style.green("whole") : style.red("damaged"))"]
    lines += damages.map { "  \(style.red($0.place)): \($0.cause)" }
    if let first = rows.first, let last = rows.last {
      let withBodies = rows.count { !$0.isHistory }
      lines.append("  \(amount), \(first.row.sequence) to \(last.row.sequence), \(withBodies) of them with bodies")
    } else {
      lines.append("  no rows")
    }
    if let (number, checkpoint) = checkpoint {
      lines.append("  checkpoint \(number) of row \(checkpoint.sequence), \(checkpoint.body.count) bytes")
    }
    if let acknowledged {
      lines.append("  acknowledged: row \(acknowledged.sequence), checkpoint \(acknowledged.checkpoint)")
    }
    lines.append("  journal \(id), \(bytes.database) bytes, and \(bytes.log) in the write-ahead log")
    lines += losses.map { "  --accept-loss would lose \($0)" }
    return lines
  }
}

import MotionJournal

/// A journal for people.
enum JournalTable {
  /// The rows, under headings.
  static func lines(of rows: ArraySlice<JournalReport.Row>, in report: JournalReport, _ console: Console) -> [String] {
    guard !rows.isEmpty else { return ["no rows"] }
    var table = Table(.init("ROW", .right), .init("TIME"), .init("ID"), .init("BYTES", .right), .init("WHAT"))
    for row in rows {
      table.add(
        "\(row.row.sequence)", WallTimeText.text(row.row.wallTime),
        row.row.identity.isEmpty ? "-" : row.row.identity.hexText,
        row.isHistory ? "-" : "\(row.row.body.count)", JournalEntryText.text(of: row))
    }
    return table.lines(style: console.outputStyle, width: console.width)
  }
}

extension JournalReport {
  /// Whether it is whole, and what is in it.
  func verification(style: Style) -> [String] {
    let amount = rows.count == 1 ? "1 row" : "\(rows.count) rows"
    var lines = ["\(directory): \(isWhole ? style.green("whole") : style.red("not as it was written"))"]
    lines += damages.map { "  \(style.red($0.place)): \($0.cause)" }
    if let first = rows.first, let last = rows.last {
      let withBodies = rows.count { !$0.isHistory }
      lines.append("  \(amount), \(first.row.sequence) to \(last.row.sequence), \(withBodies) of them with bodies")
    } else {
      lines.append("  no rows")
    }
    if let checkpoint {
      lines.append("  checkpoint \(checkpoint.number) of row \(checkpoint.sequence), \(checkpoint.bytes) bytes")
    }
    if let acknowledged {
      lines.append("  acknowledged: row \(acknowledged.sequence), checkpoint \(acknowledged.checkpoint)")
    }
    lines.append("  journal \(id), \(bytes.database) bytes, and \(bytes.log) in the write-ahead log")
    lines += losses.map { "  --accept-loss would lose \($0)" }
    return lines
  }
}

extension JSONOutput {
  /// A journal, without its rows.
  init(_ report: JournalReport) {
    let first: JSONOutput = if let first = report.rows.first { .unsigned(first.row.sequence) } else { .null }
    let last: JSONOutput = if let last = report.rows.last { .unsigned(last.row.sequence) } else { .null }
    let checkpoint: JSONOutput =
      if let found = report.checkpoint {
        ["number": .unsigned(found.number), "row": .unsigned(found.sequence), "bytes": .count(found.bytes)]
      } else {
        .null
      }
    let acknowledged: JSONOutput =
      if let known = report.acknowledged {
        ["row": .unsigned(known.sequence), "checkpoint": .unsigned(known.checkpoint)]
      } else {
        .null
      }
    let damages = report.damages.map { damage -> JSONOutput in
      ["place": .text(damage.place), "cause": .text(damage.cause)]
    }
    self = [
      "directory": .text(report.directory), "journal": .text(report.id), "whole": .flag(report.isWhole),
      "rows": .count(report.rows.count), "bodies": .count(report.rows.count { !$0.isHistory }), "firstRow": first,
      "lastRow": last, "checkpoint": checkpoint, "acknowledged": acknowledged, "bytes": .count(report.bytes.database),
      "logBytes": .count(report.bytes.log), "damages": .list(damages), "losses": .texts(report.losses),
    ]
  }

  /// A row.
  init(_ found: JournalReport.Row) {
    let row = found.row
    self = [
      "row": .unsigned(row.sequence), "time": .text(WallTimeText.text(row.wallTime)),
      "id": row.identity.isEmpty ? .null : .text(row.identity.hexText),
      "bytes": found.isHistory ? .null : .count(row.body.count), "what": .text(JournalEntryText.text(of: found)),
    ]
  }
}

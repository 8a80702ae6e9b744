import MotionModel

extension ProtoStatus.Journal: WireRepresentation {
  init(_ journal: Status.Journal) {
    path = Encode.text(journal.path)
    lastRow = journal.lastRow
    rowsSinceCheckpoint = journal.rowsSinceCheckpoint
    checkpointBytes = journal.checkpointBytes
    groups = journal.writes.groups
    rows = journal.writes.rows
    writeP50 = journal.writes.p50
    writeP99 = journal.writes.p99
    writeMax = journal.writes.max
    problem = Encode.text(journal.problem)
    problemSeconds = journal.problemSeconds
  }

  func model() throws(WireError) -> Status.Journal {
    var journal = Status.Journal(path: try Decode.text(path, "path"))
    journal.lastRow = lastRow
    journal.rowsSinceCheckpoint = rowsSinceCheckpoint
    journal.checkpointBytes = checkpointBytes
    journal.writes.groups = groups
    journal.writes.rows = rows
    journal.writes.p50 = try Decode.finite(writeP50, "write_p50")
    journal.writes.p99 = try Decode.finite(writeP99, "write_p99")
    journal.writes.max = try Decode.finite(writeMax, "write_max")
    journal.problem = try Decode.text(problem, "problem")
    journal.problemSeconds = try Decode.finite(problemSeconds, "problem_seconds")
    return journal
  }
}

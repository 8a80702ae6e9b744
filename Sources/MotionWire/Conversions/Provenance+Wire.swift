import MotionModel

extension ProtoCommitter: WireRepresentation {
  init(_ committer: Committer) {
    name = Encode.text(committer.name, atMost: Limits.clientNameBytes)
    if let user = committer.user { self.user = user }
    if let process = committer.process { self.process = process }
    key = committer.key
  }

  func model() throws(WireError) -> Committer {
    Committer(
      name: try Decode.text(name, "name", atMost: Limits.clientNameBytes), user: hasUser ? user : nil,
      process: hasProcess ? process : nil, key: try Decode.text(key, "key", atMost: Limits.clientNameBytes))
  }
}

extension ProtoProvenance: WireRepresentation {
  init(_ provenance: Provenance) {
    client = ProtoCommitter(provenance.client)
    if let principal = provenance.onBehalfOf { onBehalfOf = ProtoCommitter(principal) }
    wallTime = provenance.wallTime
    comment = provenance.comment
  }

  func model() throws(WireError) -> Provenance {
    Provenance(
      try Decode.required(hasClient, client, "client"),
      onBehalfOf: try Decode.optional(hasOnBehalfOf, onBehalfOf, "on_behalf_of"), wallTime: wallTime,
      comment: try Decode.text(comment, "comment", atMost: Limits.commentBytes))
  }
}

extension ProtoWaitingRow: WireRepresentation {
  init(_ row: WaitingRow) {
    sequence = row.sequence
    at = row.at
    operations = Encode.count(row.operations)
    summary = Encode.text(row.summary)
    if let provenance = row.provenance { self.provenance = ProtoProvenance(provenance) }
  }

  func model() throws(WireError) -> WaitingRow {
    WaitingRow(
      sequence: sequence, at: try Decode.finite(at, "at"), operations: Int(operations),
      summary: try Decode.text(summary, "summary"),
      provenance: try Decode.optional(hasProvenance, provenance, "provenance"))
  }
}

package import MotionModel

package extension JSONOutput {
  /// The client that committed something, the time, and the comment.
  init(_ provenance: Provenance) {
    self = [
      "client": JSONOutput(provenance.client),
      "onBehalfOf": provenance.onBehalfOf.map { JSONOutput($0) } ?? .null,
      "time": .text(WallTimeText.text(provenance.wallTime)), "comment": .text(provenance.comment),
    ]
  }

  init(_ committer: Committer) {
    self = [
      "name": .text(committer.name), "user": committer.user.map { .unsigned(UInt64($0)) } ?? .null,
      "process": committer.process.map { .number(Double($0)) } ?? .null, "key": .text(committer.key),
    ]
  }
}

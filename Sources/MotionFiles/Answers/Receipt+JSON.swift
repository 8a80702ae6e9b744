package import MotionModel

package extension JSONOutput {
  /// A receipt, with the file that was committed, if there was one.
  ///
  /// - Parameter moment: when the daemon gave it; `nil` from a daemon that does not send it.
  init(_ receipt: Receipt, of id: TransactionID, from name: String?, at moment: Moment?) {
    self = [
      "file": .text(name), "id": .text(id.description), "sequence": .unsigned(receipt.sequence),
      "frame": receipt.frame.map { .unsigned($0) } ?? .null, "at": receipt.at.map { .number($0) } ?? .null,
      "repeat": .flag(receipt.isRepeat),
      "plugins": .list(
        receipt.plugins.map { ["plugin": .text($0.plugin.text), "state": .text($0.state.rawValue)] }),
      "overdue": receipt.overdue.map { .number($0) } ?? .null,
      "counts": receipt.counts.map {
        ["added": .count($0.added), "removed": .count($0.removed), "forgotten": .count($0.forgotten)]
      } ?? .null,
      "displaced": .list(
        receipt.displaced.map {
          [
            "operation": .count($0.operation), "property": .text($0.property.text), "by": .text($0.by.description),
            "type": .text($0.type.text), "name": .text($0.name?.text), "priority": .number(Double($0.priority)),
            "target": .text($0.target?.text),
          ]
        }),
      "limited": .list(
        receipt.limited.map {
          [
            "operation": .count($0.operation), "property": .text($0.property.text),
            "limits": .list($0.limits.map { .text($0.rawValue) }), "overrun": $0.overrun.map { .lanes($0) } ?? .null,
            "target": .text($0.target?.text),
          ]
        }),
      "addressed": .list(
        receipt.addressed.map { ["operation": .count($0.operation), "targets": .count($0.targets)] }),
      "cues": .list(receipt.cues.map { JSONOutput($0) }),
      "time": moment.map { .number($0.time) } ?? .null,
      "wallTime": .text(moment.map { WallTimeText.text($0.wallTime) }),
    ]
  }
}

import MotionClient
import MotionFiles
import MotionModel

/// The events of a subscription as NDJSON: one object on a line; its `event` is the kind.
extension JSONOutput {
  /// The lines of an event: one for a frame or a restart, one for each outcome or change of a driver.
  static func lines(of event: ValueSubscription.Event) -> [JSONOutput] {
    switch event {
    case .values(let values): [JSONOutput(values)]
    case .ended(let ended, let missed): ended.map { JSONOutput($0, missed: missed) }
    case .handedOver(let changes, let missed): changes.map { JSONOutput($0, missed: missed) }
    case .restarted(let epoch): [["event": .text("restarted"), "epoch": .unsigned(epoch)]]
    }
  }

  /// The line for a daemon that is gone.
  static var lost: JSONOutput { ["event": .text("lost")] }

  init(_ values: FrameValues) {
    self = [
      "event": .text("values"), "frame": .unsigned(values.frame), "time": .number(values.time),
      "dt": .number(values.dt), "complete": .flag(values.isComplete), "missed": .unsigned(values.missed),
      "forgotten": .list(
        values.forgotten.sorted { $0.isListedBefore($1) }.map {
          ["target": .text($0.target.text), "property": .text($0.property.text)]
        }),
      "values": .list(
        values.properties.sorted { $0.reference.isListedBefore($1.reference) }.map { JSONOutput($0) }),
    ]
  }

  init(_ property: PropertyValue) {
    var members = [
      Member(key: "target", value: .text(property.reference.target.text)),
      Member(key: "property", value: .text(property.reference.property.text)),
      Member(key: "value", value: .lanes(property.value)),
    ]
    if let velocity = property.velocity { members.append(Member(key: "velocity", value: .lanes(velocity))) }
    members.append(Member(key: "late", value: .flag(property.isLate)))
    self = .object(members)
  }

  init(_ change: DriverChange, missed: UInt64) {
    self = [
      "event": .text("driver"), "frame": .unsigned(change.frame), "time": .number(change.time),
      "target": .text(change.reference.target.text), "property": .text(change.reference.property.text),
      "executor": .text(change.driver?.executor.text), "intention": .text(change.driver?.identity.description),
      "type": .text(change.driver?.type.text), "name": .text(change.driver?.name?.text), "missed": .unsigned(missed),
    ]
  }

  init(_ ended: EndedIntention, missed: UInt64) {
    self = [
      "event": .text("ended"), "frame": .unsigned(ended.frame), "intention": .text(ended.identity.description),
      "target": .text(ended.target.text), "type": .text(ended.type.text), "name": .text(ended.name?.text),
      "outcome": .text(ended.outcome.rawValue), "reason": .text(ended.reason), "missed": .unsigned(missed),
    ]
  }
}

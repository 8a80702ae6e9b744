import MotionCore
import MotionFiles
import MotionHistory
import MotionModel
import MotionWire

/// What happened in a part of a recording.
struct RecordedEvents {
  /// One event.
  fileprivate struct Row {
    let frame: UInt64
    let time: Double
    let wallTime: Int64?
    let text: String
  }

  private let timeline: Timeline
  private let before: UInt64
  private let last: UInt64
  private let targets: [TargetSelector]

  /// - Parameters:
  ///   - before: the frame before the part.
  ///   - targets: only what concerns these targets; everything if empty.
  init(_ timeline: Timeline, _ before: UInt64, _ last: UInt64, _ targets: [TargetSelector]) {
    (self.timeline, self.before, self.last, self.targets) = (timeline, before, last, targets)
  }

  /// Prints the events.
  func print(_ format: ReadingOptions, _ console: Console) throws(Failure) {
    try timeline.go(to: before)
    timeline.runtime.log.keeps = [.drivers, .endings, .limits]
    defer { timeline.runtime.log.keeps = [] }
    var table = Table(Table.Column("FRAME", .right), .init("TIME", .right), .init("CLOCK"), .init("EVENT"))
    while timeline.runtime.frame.number < last, let played = try timeline.advance() {
      for row in rows(of: played) {
        if format.json { console.print(JSONOutput(row).line) }
        table.add(
          "\(row.frame)", "\(NumberText.fixed(row.time, digits: 3)) s", row.wallTime.map(WallTimeText.text) ?? "-",
          row.text)
      }
    }
    if !format.json {
      table.rows.isEmpty ? console.note("no events") : console.print(table.lines(style: console.outputStyle))
    }
    try timeline.checkDamage()
  }

  private func rows(of played: RecordingCursor.Played) -> [Row] {
    let recorded = played.recorded
    var texts: [String] = []
    if let pause = timeline.pause {
      texts.append("time stood for \(NumberText.fixed(pause.inSeconds, digits: 1)) s: a pause, a hold, or no motiond")
    }
    for event in recorded.betweenFrames + recorded.events where concerns(event) {
      if let text = EventText.text(of: event, in: recorded) { texts.append(text) }
    }
    for change in played.runtime.log.take().flatMap(\.changes) {
      if let text = text(of: change.change) { texts.append(text.shownOnOneLine) }
    }
    return texts.map {
      Row(
        frame: recorded.frame.number, time: recorded.frame.time, wallTime: recorded.clocks?.wallTime, text: $0)
    }
  }

  private func text(of change: RuntimeChange) -> String? {
    switch change {
    case .driver(let change) where isMeant(change.reference.target):
      guard let driver = change.driver else { return "nothing drives \(change.reference)" }
      return "\(SampleMessage.text(of: driver)) drives \(change.reference)\(client(of: driver, change.reference))"
    case .ended(let plan, _) where isMeant(plan.target):
      let reason = plan.reason.isEmpty ? "" : ": \(plan.reason)"
      return "\(plan.type) \(plan.identity) on \(plan.target) is \(plan.outcome.rawValue)\(reason)"
    case .limitEntered(let limit) where isMeant(limit.reference.target): return EventText.text(of: change)
    case .limitLeft(let reference) where isMeant(reference.target): return EventText.text(of: change)
    default: return nil
    }
  }

  /// The client of a plan that drives a property: it may have committed the plan long before.
  private func client(of driver: DriverChange.Driver, _ reference: PropertyReference) -> String {
    guard case .why(let explanation)? = try? timeline.runtime.answer(.why(reference)), let plan = explanation.plan,
      plan.identity == driver.identity, let provenance = plan.provenance
    else { return "" }
    return ", for \(provenance)"
  }

  private func isMeant(_ target: TargetName) -> Bool {
    targets.isEmpty || targets.contains { $0.contains(target, members: timeline.runtime.members) }
  }

  /// Whether an event concerns the targets; those of workers and plugins may concern all.
  private func concerns(_ event: RuntimeEvent) -> Bool {
    switch event {
    case .commit(_, let transaction): targets.isEmpty || transaction.log.contains { $0.target.map(isMeant) ?? false }
    case .stop(let stop): targets.isEmpty || stop.targets.isEmpty || stop.targets.contains(where: isMeant)
    default: true
    }
  }
}

extension JSONOutput {
  fileprivate init(_ row: RecordedEvents.Row) {
    self = [
      "frame": .unsigned(row.frame), "time": .number(row.time), "wallTime": .text(row.wallTime.map(WallTimeText.text)),
      "event": .text(row.text),
    ]
  }
}

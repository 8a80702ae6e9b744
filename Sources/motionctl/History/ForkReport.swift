import MotionFiles
import MotionModel

/// What was and what would have been, for people and programs.
struct ForkReport {
  /// The most properties and plans that people are shown.
  private static let mostRows = 20

  fileprivate let course: ForkedCourse

  init(_ course: ForkedCourse) { self.course = course }

  /// The report for people.
  func lines(style: Style) -> [String] {
    let wall = course.wallTime.map { " (\(WallTimeText.text($0)))" } ?? ""
    let frames = course.frames == 1 ? "1 frame" : "\(course.frames) frames"
    let begin =
      "\(course.file) from frame \(course.start.number) on, at \(seconds(course.start.time))\(wall), \(frames)"
    let differing = course.comparison.differing
    var lines: [String] = []
    if differing.isEmpty {
      lines.append("\(begin): \(style.green("nothing would have moved otherwise"))")
    } else {
      lines.append("\(begin):")
      var table = Table(
        Table.Column("PROPERTY"), .init("FROM", .right), .init("DIFFERENCE", .right), .init("AT", .right),
        .init("WAS", .right), .init("WOULD BE", .right))
      for property in differing.prefix(Self.mostRows) {
        let (was, wouldBe) = course.ends(of: property.reference)
        // Of a property that only one course has, there is no difference.
        let isCompared = property.value.difference > 0 || !property.isMissing
        table.add(
          property.reference.description, seconds(property.time),
          isCompared ? NumberText.fixed(property.value.difference, digits: 3) : "missing",
          isCompared ? seconds(property.value.time) : "-", text(was), text(wouldBe))
      }
      lines += table.lines(style: style)
      if differing.count > Self.mostRows { lines.append("and \(differing.count - Self.mostRows) more properties") }
    }
    if course.continuation != nil, !differing.isEmpty {
      lines.append(
        "after \(seconds(course.end.time)), where the recording ends, compared with how it would have gone on")
    }
    switch course.isAtRest {
    case true?: break
    case false?: lines.append("something would still be moving at the end")
    case nil: break
    }
    lines += plans(course.held, "held here, as its executor does not run in this process")
    lines += plans(course.letGo, "a hand held its property, and has let go here")
    lines += plans(course.failed) { "failed: \($0.reason)" }
    return lines
  }

  private func plans(_ rows: [IntentionRow], _ text: String) -> [String] { plans(rows) { _ in text } }

  private func plans(_ rows: [IntentionRow], _ text: (IntentionRow) -> String) -> [String] {
    let more = rows.count > Self.mostRows ? ["and \(rows.count - Self.mostRows) more plans"] : []
    return rows.prefix(Self.mostRows).map { "\($0.intention.type) \($0.identity) on \($0.target): \(text($0))" } + more
  }

  private func seconds(_ time: Double) -> String { "\(NumberText.fixed(time, digits: 3)) s" }

  private func text(_ state: PropertyState?) -> String { state.map { NumberText.lanes($0.value) } ?? "-" }
}

extension JSONOutput {
  /// The report for programs.
  init(_ report: ForkReport) {
    let course = report.course
    func state(_ state: PropertyState?) -> JSONOutput {
      guard let state else { return .null }
      return ["value": .lanes(state.value), "velocity": .lanes(state.velocity)]
    }
    func plans(_ rows: [IntentionRow]) -> JSONOutput { .list(rows.map { JSONOutput($0) }) }
    self = [
      "file": .text(course.file), "frame": .unsigned(course.start.number), "time": .number(course.start.time),
      "wallTime": .text(course.wallTime.map(WallTimeText.text)), "frames": .count(course.frames),
      "recordedUntil": .number(course.end.time), "atRest": course.isAtRest.map { .flag($0) } ?? .null,
      "properties": .list(
        course.comparison.differing.map { property in
          let (was, wouldBe) = course.ends(of: property.reference)
          return [
            "property": .text(property.reference.description), "from": .number(property.time),
            "difference": .number(property.value.difference), "at": .number(property.value.time),
            "missing": .flag(property.isMissing),
            "was": state(was), "wouldBe": state(wouldBe),
          ]
        }),
      "held": plans(course.held), "letGo": plans(course.letGo), "failed": plans(course.failed),
    ]
  }
}

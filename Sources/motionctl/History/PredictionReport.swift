import MotionFiles
import MotionHistory
import MotionModel

/// What a transaction would do, for people and programs.
struct PredictionReport {
  /// The most properties and plans that people are shown.
  private static let mostRows = 20

  fileprivate let prediction: Prediction

  init(_ prediction: Prediction) { self.prediction = prediction }

  /// The report for people.
  func lines(style: Style) -> [String] {
    let begin = "from frame \(prediction.start.number), at \(seconds(prediction.start.time))"
    let rest = prediction.isAtRest ? "at rest" : "still moving"
    let frames = prediction.frames == 1 ? "1 frame" : "\(prediction.frames) frames"
    var lines = ["\(begin): \(rest) after \(frames)"]
    if prediction.courses.isEmpty, !prediction.forgotten.isEmpty {
      // The lines below tell what happens.
    } else if prediction.courses.isEmpty {
      lines.append("nothing would move otherwise than without it")
    } else {
      var table = Table(
        Table.Column("PROPERTY"), .init("FROM", .right), .init("TO", .right), .init("RESTS AT", .right),
        .init("OVERSHOOT", .right), .init("PEAK VELOCITY", .right), .init("PEAK ACCELERATION", .right),
        .init("HELD BACK"))
      for course in prediction.courses.prefix(Self.mostRows) {
        table.add(
          course.reference.description, NumberText.lanes(course.start.value), NumberText.lanes(course.end.value),
          // What moves to the end, such as a wave, has no last value to pass.
          course.rest.map { seconds($0.time) } ?? "-", course.rest == nil ? "-" : NumberText.lanes(course.overshoot),
          NumberText.lanes(course.peakVelocity), NumberText.lanes(course.peakAcceleration, digits: 1), held(course))
      }
      lines += table.lines(style: style)
      if prediction.courses.count > Self.mostRows {
        lines.append("and \(prediction.courses.count - Self.mostRows) more properties")
      }
    }
    lines += prediction.ended.prefix(Self.mostRows).map { plan in
      let name = plan.name.map { " \"\($0)\"" } ?? ""
      let reason = plan.reason.isEmpty ? "" : ": \(plan.reason)"
      return "\(plan.type) \(plan.identity)\(name) on \(plan.target) would be \(plan.outcome.rawValue)\(reason)"
    }
    lines += prediction.removed.prefix(Self.mostRows).map {
      "\($0.intention.type) \($0.identity) on \($0.target) would be removed"
    }
    lines += prediction.forgotten.prefix(Self.mostRows).map { "\($0) would be forgotten" }
    lines += prediction.letGo.prefix(Self.mostRows).map {
      "\($0.intention.type) \($0.identity) on \($0.target): a hand holds its property now; the prediction lets go"
    }
    lines += prediction.held.prefix(Self.mostRows).map {
      "\($0.intention.type) \($0.identity) on \($0.target): held here, as its executor does not run in this process"
    }
    return lines
  }

  private func held(_ course: PredictedCourse) -> String {
    guard let (frame, change) = course.held else { return "" }
    let limits = change.limits.isEmpty ? "" : "by \(change.limits.map(\.rawValue).joined(separator: ", ")) "
    return "\(limits)from \(seconds(frame.time)) on"
  }

  private func seconds(_ time: Double) -> String { "\(NumberText.fixed(time, digits: 3)) s" }
}

extension JSONOutput {
  /// The report for programs.
  init(_ report: PredictionReport) {
    let prediction = report.prediction
    func frame(_ frame: Frame) -> JSONOutput { ["frame": .unsigned(frame.number), "time": .number(frame.time)] }
    func state(_ state: PropertyState) -> JSONOutput {
      ["value": .lanes(state.value), "velocity": .lanes(state.velocity)]
    }
    self = [
      "from": frame(prediction.start), "frames": .count(prediction.frames), "atRest": .flag(prediction.isAtRest),
      "properties": .list(
        prediction.courses.map { course in
          [
            "property": .text(course.reference.description), "start": state(course.start), "end": state(course.end),
            "rest": course.rest.map(frame) ?? .null, "overshoot": .lanes(course.overshoot),
            "lowest": .lanes(course.lowest), "highest": .lanes(course.highest),
            "peakVelocity": .lanes(course.peakVelocity), "peakAcceleration": .lanes(course.peakAcceleration),
            "heldBack": course.held.map { held in
              ["by": .texts(held.1.limits.map(\.rawValue)), "from": frame(held.0)]
            } ?? .null,
          ]
        }),
      "ended": .list(
        prediction.ended.map { plan in
          [
            "intention": .text("\(plan.identity)"), "type": .text(plan.type.text), "target": .text(plan.target.text),
            "outcome": .text(plan.outcome.rawValue), "reason": .text(plan.reason),
          ]
        }),
      "removed": .list(prediction.removed.map { JSONOutput($0) }),
      "forgotten": .texts(prediction.forgotten.map(\.description)),
      "letGo": .list(prediction.letGo.map { JSONOutput($0) }), "held": .list(prediction.held.map { JSONOutput($0) }),
    ]
  }
}

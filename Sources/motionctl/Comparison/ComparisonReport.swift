import MotionFiles
import MotionModel

/// The differences between two recordings, for people and programs.
struct ComparisonReport {
  /// The most properties and plans that people are shown.
  private static let mostRows = 20

  fileprivate let comparison: RecordingComparison
  /// The paths of the recordings.
  fileprivate let files: [String]

  init(_ comparison: RecordingComparison, files: [String]) { (self.comparison, self.files) = (comparison, files) }

  /// The report for people.
  func lines(style: Style) -> [String] {
    let frames = comparison.frames == 1 ? "1 frame" : "\(comparison.frames) frames"
    let amount = "\(files[0]) and \(files[1]): \(frames)"
    guard comparison.isDifferent else { return ["\(amount): \(style.green("the same motion"))"] + extraLines }
    var lines: [String] = []
    let differing = comparison.differing
    if let first = differing.first {
      let text = style.red("frame \(first.frame) is the first that differs")
      lines.append("\(amount): \(text), at \(NumberText.fixed(first.time, digits: 3)) s")
      lines += table(of: differing.prefix(Self.mostRows)).lines(style: style)
      if differing.count > Self.mostRows { lines.append("and \(differing.count - Self.mostRows) more properties") }
    } else {
      lines.append("\(amount): \(style.red("the plans differ")), and no property does")
    }
    for side in RecordingComparison.Side.allCases {
      let plans = comparison.surplus(of: side)
      guard !plans.isEmpty else { continue }
      lines.append("only in \(files[side.rawValue]):")
      lines += plans.prefix(Self.mostRows).map {
        "  \(Self.text(of: $0.plan))\($0.count > 1 ? ", \($0.count) times" : "")"
      }
      if plans.count > Self.mostRows { lines.append("  and \(plans.count - Self.mostRows) more plans") }
    }
    return lines + extraLines
  }

  private var extraLines: [String] {
    zip(files, comparison.extraFrames).compactMap { file, count in
      count == 0 ? nil : "\(count == 1 ? "1 frame is" : "\(count) frames are") only in \(file)"
    }
  }

  private func table(of properties: some Sequence<RecordingComparison.Property>) -> Table {
    var table = Table(
      Table.Column("PROPERTY"), .init("FROM FRAME", .right), .init("VALUE", .right), .init("AT", .right),
      .init("VELOCITY", .right), .init("AT", .right))
    for property in properties {
      table.add(
        property.reference.description, "\(property.frame)", text(of: property.value, property),
        place(of: property.value), text(of: property.velocity, property), place(of: property.velocity))
    }
    return table
  }

  private func text(of largest: RecordingComparison.Largest, _ property: RecordingComparison.Property) -> String {
    if largest.difference == 0, property.isMissing { return "missing" }
    return JSONText.number(largest.difference)
  }

  private func place(of largest: RecordingComparison.Largest) -> String {
    largest.difference == 0 ? "-" : "\(NumberText.fixed(largest.time, digits: 3)) s"
  }

  /// A plan, as `motionctl add` takes it.
  fileprivate static func text(of plan: RecordingComparison.Plan) -> String {
    let name = plan.name.map { " --name \($0)" } ?? ""
    return "\(plan.target): \(plan.intention.type)\(name) \(FieldText.arguments(of: plan.intention))"
  }
}

extension JSONOutput {
  /// The report for programs.
  init(_ report: ComparisonReport) {
    let comparison = report.comparison
    func largest(_ largest: RecordingComparison.Largest) -> JSONOutput {
      [
        "difference": .number(largest.difference), "lane": .count(largest.lane), "frame": .unsigned(largest.frame),
        "time": .number(largest.time),
      ]
    }
    func plans(_ side: RecordingComparison.Side) -> JSONOutput {
      .list(
        comparison.surplus(of: side).map {
          [
            "target": .text($0.plan.target.text), "name": .text($0.plan.name?.text),
            "type": .text($0.plan.intention.type.text),
            "fields": .object(
              $0.plan.intention.fields.map { JSONOutput.Member(key: $0.name, value: FieldText.json(of: $0.value)) }),
            "count": .count($0.count),
          ]
        })
    }
    self = [
      "first": .text(report.files[0]), "second": .text(report.files[1]), "same": .flag(!comparison.isDifferent),
      "frames": .count(comparison.frames),
      "extraFrames": .list(comparison.extraFrames.map { .count($0) }),
      "firstDifference": comparison.differing.first.map { .unsigned($0.frame) } ?? .null,
      "properties": .list(
        comparison.differing.map {
          [
            "property": .text($0.reference.description), "frame": .unsigned($0.frame), "time": .number($0.time),
            "missing": .flag($0.isMissing), "value": largest($0.value), "velocity": largest($0.velocity),
          ]
        }),
      "onlyInFirst": plans(.first), "onlyInSecond": plans(.second),
    ]
  }
}

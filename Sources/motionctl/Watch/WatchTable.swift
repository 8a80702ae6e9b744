import MotionClient
import MotionModel

/// The contents of a live table: the last value of each property, and its curve.
///
/// It decides what to show and writes nothing. Input: events and redraws; output: lines.
struct WatchTable {
  /// The width of a curve: two seconds at 20 redraws a second, with room for the numbers on 80 columns.
  static let curveWidth = 40
  /// The most properties that are kept: more than any screen has lines. Further ones are counted.
  static let mostRows = 512
  /// The most outcomes that are shown below the table.
  static let mostOutcomes = 4

  private struct Row {
    var value: PropertyValue
    var curve = Sparkline(width: WatchTable.curveWidth)
  }

  private let title: String
  private var rows: [PropertyReference: Row] = [:]
  private var unshown = Set<PropertyReference>()
  private var outcomes: [EndedIntention] = []
  private var frame: UInt64 = 0
  private var time = 0.0
  private(set) var missed: UInt64 = 0
  private let empty: String
  private let showsOnlyMotion: Bool
  /// Whether the daemon is gone, so that the values are out of date.
  var isLost = false

  /// An empty table.
  ///
  /// - Parameter empty: the text to show while there are no rows, if there is a reason for that.
  /// - Parameter showsOnlyMotion: whether rows are removed when they come to rest; see ``keep(_:)``.
  init(title: String, empty: String? = nil, showsOnlyMotion: Bool = false) {
    self.title = title
    self.showsOnlyMotion = showsOnlyMotion
    self.empty = empty ?? (showsOnlyMotion ? "nothing moves" : "nothing has moved yet")
  }

  /// Removes the rows that are no longer to be shown.
  mutating func keep(_ isShown: (PropertyReference) -> Bool) {
    rows = rows.filter { isShown($0.key) }
    unshown = unshown.filter(isShown)
  }

  /// Processes an event.
  mutating func take(_ event: ValueSubscription.Event) {
    switch event {
    case .values(let values):
      frame = max(frame, values.frame)
      time = max(time, values.time)
      missed += values.missed
      drop(values)
      for property in values.properties { take(property) }
    case .ended(let ended, let missed):
      self.missed += missed
      outcomes = (outcomes + ended).suffix(Self.mostOutcomes)
    case .handedOver(_, let missed):
      self.missed += missed
    case .restarted:
      self = WatchTable(title: title, empty: empty, showsOnlyMotion: showsOnlyMotion)
    }
  }

  /// Removes properties that no longer exist: those that were forgotten, and those missing in complete values.
  private mutating func drop(_ values: FrameValues) {
    for reference in values.forgotten {
      rows[reference] = nil
      unshown.remove(reference)
    }
    guard values.isComplete, !showsOnlyMotion else { return }
    let present = Set(values.properties.map(\.reference))
    rows = rows.filter { present.contains($0.key) }
    unshown.formIntersection(present)
  }

  private mutating func take(_ property: PropertyValue) {
    if rows[property.reference] != nil {
      rows[property.reference]?.value = property
    } else if rows.count < Self.mostRows {
      rows[property.reference] = Row(value: property)
    } else {
      unshown.insert(property.reference)
    }
  }

  /// Advances the curves by one sample: the current first lane of each property.
  mutating func sample() {
    for reference in rows.keys {
      guard let value = rows[reference]?.value.value[0] else { continue }
      rows[reference]?.curve.add(value)
    }
  }

  /// The lines of the table on a screen of this size.
  func lines(columns: Int, rows height: Int, style: Style) -> [String] {
    let hasVelocities = rows.values.contains { $0.value.velocity != nil }
    let references = rows.keys.sorted { $0.isListedBefore($1) }
    // One line each for title and headings; the outcomes below.
    let room = max(1, height - 2 - outcomes.count)
    let hidden = references.count + unshown.count - room
    let shown = references.prefix(hidden > 0 ? room - 1 : room)
    let widths = Widths(shown.compactMap { rows[$0]?.value }, columns: columns, hasVelocities: hasVelocities)
    var lines = [header(style), style.dim(widths.heading)]
    if references.isEmpty { lines.append(empty) }
    for reference in shown {
      if let row = rows[reference] { lines.append(line(row, widths, style)) }
    }
    if hidden > 0 { lines.append(style.dim("… and \(hidden + 1) more: name a target to see them")) }
    return lines + outcomes.map { style.dim(Self.text(of: $0).fitted(to: columns)) }
  }

  private func header(_ style: Style) -> String {
    let loss = missed == 0 ? "" : style.yellow("  \(missed) missed")
    let state = isLost ? style.red("  connection lost, waiting for motiond") : style.dim("  Ctrl-C ends")
    return style.bold(title) + "  frame \(frame)  \(NumberText.fixed(time, digits: 2)) s" + loss + state
  }

  private func line(_ row: Row, _ widths: Widths, _ style: Style) -> String {
    let name = row.value.reference.description.fitted(to: widths.name)
    let value = NumberText.lanes(row.value.value).fittedRight(to: widths.value)
    let velocity = row.value.velocity.map { "  " + NumberText.lanes($0).fittedRight(to: widths.velocity) } ?? ""
    let curve = String(row.curve.text.suffix(widths.curve))
    return name + "  " + (row.value.isLate ? style.yellow(value) : value) + velocity + "  " + style.cyan(curve)
  }

  private static func text(of ended: EndedIntention) -> String {
    let reason = ended.reason.isEmpty ? "" : ": \(ended.reason)"
    return "frame \(ended.frame)  \(ended.type) \(ended.identity) on \(ended.target) \(ended.outcome.rawValue)\(reason)"
  }

  /// The width of each column.
  private struct Widths {
    let name: Int
    let value: Int
    let velocity: Int
    let curve: Int
    private let hasVelocities: Bool

    init(_ values: [PropertyValue], columns: Int, hasVelocities: Bool) {
      self.hasVelocities = hasVelocities
      let longestName = values.reduce("PROPERTY".count) { max($0, $1.reference.description.count) }
      name = min(longestName, max("PROPERTY".count, columns / 3))
      value = values.reduce("VALUE".count) { max($0, NumberText.lanes($1.value).count) }
      velocity =
        hasVelocities
        ? values.reduce("VELOCITY".count) { max($0, $1.velocity.map { NumberText.lanes($0).count } ?? 0) } : 0
      let taken = name + 2 + value + (hasVelocities ? 2 + velocity : 0) + 2
      curve = max(0, min(WatchTable.curveWidth, columns - taken))
    }

    var heading: String {
      let velocity = hasVelocities ? "  " + "VELOCITY".fittedRight(to: velocity) : ""
      return "PROPERTY".fitted(to: name) + "  " + "VALUE".fittedRight(to: value) + velocity
    }
  }
}

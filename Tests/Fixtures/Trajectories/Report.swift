import Foundation

/// A table of docs/one-trajectory.md, written by the tests that measured it.
public struct Report {
  private var rows: [String] = []

  /// An empty table.
  public init() {}

  /// Adds the findings of a pair.
  public mutating func add(_ verdict: Verdict, of pair: Pair) {
    let kept = verdict.handOvers.filter(\.keepsVelocity).map { abs($0.velocity) }.max()
    let numbers = [verdict.handOver, verdict.elsewhere].flatMap { [Self.brief($0.value), Self.brief($0.velocity)] }
    let hand = verdict.hand > 0 ? String(format: "%.1f", verdict.hand) : nil
    let carries = pair.first == .tweenWithCarry || pair.second == .tweenWithCarry
    let excursion = carries && verdict.excursion.units > 0 ? String(format: "%.2f", verdict.excursion.units) : nil
    let share = excursion.map { _ in String(format: "%.0f %%", 100 * verdict.excursion.share) }
    let last = [kept.map { "\(Int($0.rounded()))" }, hand, excursion, share]
    let cells = ["\(pair.first)", "\(pair.second)"] + numbers + last.map { $0 ?? "–" }
    rows.append("| " + cells.joined(separator: " | ") + " |")
  }

  /// Adds how much of its limits a pair used.
  public mutating func add(_ use: LimitJudge.Use, first: String, then second: String) {
    let shares = [use.velocity, use.acceleration, use.jerk, use.inherited].map { String(format: "%.1f %%", 100 * $0) }
    rows.append("| " + ([first, second] + shares + ["\(use.heldBack)"]).joined(separator: " | ") + " |")
  }

  /// Writes the rows into the document's table, below the heading of this name, if the environment requests it.
  public func publish(below heading: String) throws {
    guard ProcessInfo.processInfo.environment["MOTION_UPDATE_TRAJECTORY"] != nil else { return }
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let place = URL(fileURLWithPath: "/\(root)/docs/one-trajectory.md")
    var lines = try String(contentsOf: place, encoding: .utf8).components(separatedBy: "\n")
    guard let title = lines.firstIndex(of: "## \(heading)"),
      let first = lines[title...].firstIndex(where: { $0.hasPrefix("|---") })
    else { throw CocoaError(.formatting) }
    for row in rows {
      let pair = row.split(separator: "|").prefix(2).joined(separator: "|")
      let end = lines[(first + 1)...].firstIndex { !$0.hasPrefix("|") } ?? lines.count
      if let same = lines[(first + 1)..<end].firstIndex(where: { $0.hasPrefix("|" + pair + "|") }) {
        lines[same] = row
      } else {
        lines.insert(row, at: end)
      }
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: place)
  }

  /// With one digit for negligible values, or rounded; exactly nothing is 0.
  private static func brief(_ number: Double) -> String {
    if number < 1e-12 { return "0" }
    return number < 1e-4 ? String(format: "%.0e", number) : "\((number * 1e4).rounded() / 1e4)"
  }
}

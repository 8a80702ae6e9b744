import Foundation

/// A table of docs/one-trajectory.md, written by the tests that measured it.
public struct Report {
  private var rows: [String] = []

  /// An empty table.
  public init() {}

  /// Adds what was seen of a pair.
  public mutating func add(_ jump: Jump, of pair: Pair) {
    rows.append("| \(pair.first) | \(pair.second) | \(Self.rounded(jump.value)) | \(Self.rounded(jump.velocity)) |")
  }

  /// Puts the table into the document, below the heading of this name, if the environment asks for it.
  public func publish(below heading: String) throws {
    guard ProcessInfo.processInfo.environment["MOTION_UPDATE_TRAJECTORY"] != nil else { return }
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let place = URL(fileURLWithPath: "/\(root)/docs/one-trajectory.md")
    var lines = try String(contentsOf: place, encoding: .utf8).components(separatedBy: "\n")
    guard let title = lines.firstIndex(of: "## \(heading)"),
      let first = lines[title...].firstIndex(where: { $0.hasPrefix("|---") })
    else { throw CocoaError(.formatting) }
    let end = lines[(first + 1)...].firstIndex { !$0.hasPrefix("|") } ?? lines.count
    lines.replaceSubrange((first + 1)..<end, with: rows)
    try Data(lines.joined(separator: "\n").utf8).write(to: place)
  }

  private static func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}

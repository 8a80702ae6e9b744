import MotionFiles
package import MotionModel
package import MotionWire

/// The rows of the page's room Hierarchy: each target in the order of creation, followed by its properties.
///
/// A hundred thousand targets are some 30 MB of JSON, so a page gets only the rows that it shows.
package struct HierarchyTable {
  /// What a page wants to see.
  package struct Request: Hashable, Sendable {
    /// A row has to contain all of these words, in lower case.
    package var words: [String]
    /// The number of the first row, among those that contain the words.
    package var first: Int
    /// The most rows.
    package var count: Int
    /// The selected target or property, whose number is wanted.
    package var selected: Selection?

    package init(words: [String] = [], first: Int = 0, count: Int, selected: Selection? = nil) {
      (self.words, self.first, self.count, self.selected) = (words, first, count, selected)
    }
  }

  /// A selected row.
  package struct Selection: Hashable, Sendable {
    package var target: TargetName
    /// `nil` for the target itself.
    package var property: PropertyName?

    package init(_ target: TargetName, _ property: PropertyName? = nil) {
      (self.target, self.property) = (target, property)
    }
  }

  /// A row.
  package enum Row: Hashable, Sendable {
    case target(TargetRow)
    case property(PropertyRow)

    var json: JSONOutput {
      switch self {
      case .target(let row): JSONOutput(row)
      case .property(let row): JSONOutput(row)
      }
    }
  }

  /// The rows that a page shows.
  package struct Page {
    /// How many rows contain the words.
    package var total: Int
    package var first: Int
    package var rows: [Row]
    /// The number of the selected row, if it is one of them.
    package var selected: Int?

    var json: JSONOutput {
      [
        "total": .count(total), "first": .count(first), "selected": selected.map { .count($0) } ?? .null,
        "rows": .list(rows.map(\.json)),
      ]
    }
  }

  private let targets: EncodedRows<TargetRow>
  private let properties: EncodedRows<PropertyRow>
  private let names: [TargetName]
  /// Each row: a target by its place, or a property by the complement of its place.
  private let all: [Int32]
  /// Where the rows of each target end in them.
  private let ends: [Int]
  /// The rows that contain the words of the last request that had any.
  private var found: (words: [String], rows: [Int32]) = ([], [])

  package init(_ targets: EncodedRows<TargetRow>, _ properties: EncodedRows<PropertyRow>) {
    (self.targets, self.properties, names) = (targets, properties, targets.map(\.target))
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { $1 }
    // Properties of a target that came between the two lists have no row yet.
    let owners = properties.map { places[$0.reference.target] }
    var ends = [Int](repeating: 1, count: names.count)
    for case let owner? in owners { ends[owner] += 1 }
    for place in ends.indices.dropFirst() { ends[place] += ends[place - 1] }
    var all = [Int32](repeating: 0, count: ends.last ?? 0)
    var next = ends.indices.map { $0 == 0 ? 0 : ends[$0 - 1] }
    for place in names.indices {
      all[next[place]] = Int32(place)
      next[place] += 1
    }
    for (place, owner) in owners.enumerated() {
      guard let owner else { continue }
      all[next[owner]] = ~Int32(place)
      next[owner] += 1
    }
    (self.all, self.ends) = (all, ends)
  }

  /// The rows of a page.
  package mutating func page(_ request: Request) -> Page {
    let rows = rows(with: request.words)
    let first = min(max(0, request.first), rows.count)
    return Page(
      total: rows.count, first: first, rows: rows[first...].prefix(request.count).map(row),
      selected: request.selected.flatMap(code).flatMap(rows.firstIndex))
  }

  private func row(_ code: Int32) -> Row {
    code >= 0 ? .target(targets[Int(code)]) : .property(properties[Int(~code)])
  }

  private func code(of selection: Selection) -> Int32? {
    guard let target = names.firstIndex(of: selection.target) else { return nil }
    guard let property = selection.property else { return Int32(target) }
    let rows = all[(target == 0 ? 0 : ends[target - 1])..<ends[target]].dropFirst()
    return rows.first { properties[Int(~$0)].reference.property == property }
  }

  private mutating func rows(with words: [String]) -> [Int32] {
    if words.isEmpty { return all }
    if found.words != words {
      let found = all.filter { code in
        let text = Self.text(of: row(code))
        return words.allSatisfy { text.contains($0) }
      }
      self.found = (words, found)
    }
    return found.rows
  }

  /// What a row says, in lower case.
  private static func text(of row: Row) -> String {
    switch row {
    case .target(let row): "\(row.target) \(row.isActive ? "moves" : "rests")".lowercased()
    case .property(let row):
      """
      \(row.reference.target) \(row.reference.property) \(row.driver.map { "\($0)" } ?? "nothing drives it") \
      \(row.waiting.map { "\($0)" }.joined(separator: " "))
      """.lowercased()
    }
  }
}

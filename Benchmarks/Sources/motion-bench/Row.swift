import Foundation

/// A measured figure beside its reference.
struct Row: Codable {
  /// What was measured, such as `springs`.
  let benchmark: String
  /// Of which kind and size, such as `shared coefficients`.
  let series: String
  /// How many of them: lanes, subscribers, operations.
  let size: Int
  /// The cost of one, in ``unit``.
  let cost: Double
  /// The cost of one of the reference's.
  let reference: Double
  let unit: String
  /// What the reference is.
  let comparedWith: String
  /// The largest ratio that is wanted, if there is a target.
  var target: Double?
  /// The largest cost that is wanted, if there is a target of that kind.
  var limit: Double?

  /// How many times the reference it costs; `nil` if the reference costs nothing.
  var ratio: Double? { reference > 0 ? cost / reference : nil }
  /// Whether the targets are met; `nil` without one.
  var isMet: Bool? {
    if target == nil, limit == nil { return nil }
    return (limit.map { cost <= $0 } ?? true) && (target.map { (ratio ?? .infinity) <= $0 } ?? true)
  }

  private enum Key: String, CodingKey {
    case benchmark, series, size, cost, reference, unit, comparedWith, ratio, target, limit, isMet
  }

  /// What is wanted, as text; empty if nothing is.
  var wanted: String {
    [target.map { "ratio ≤ \(Printer.number($0))" }, limit.map { "≤ \(Printer.number($0)) \(unit)" }]
      .compactMap { $0 }.joined(separator: ", ")
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(benchmark, forKey: .benchmark)
    try container.encode(series, forKey: .series)
    try container.encode(size, forKey: .size)
    try container.encode(cost, forKey: .cost)
    try container.encode(reference, forKey: .reference)
    try container.encode(unit, forKey: .unit)
    try container.encode(comparedWith, forKey: .comparedWith)
    try container.encodeIfPresent(ratio, forKey: .ratio)
    try container.encodeIfPresent(target, forKey: .target)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encodeIfPresent(isMet, forKey: .isMet)
  }
}

/// Prints rows as they come: as a table, or as JSON.
struct Printer {
  private let json: Bool
  private let encoder = JSONEncoder()

  init(_ options: BenchOptions) {
    json = options.json
    encoder.outputFormatting = [.sortedKeys]
    guard !json else { return }
    print("  \(pad("", 34)) \(left("size", 10)) \(left("cost", 10)) \(left("reference", 10)) \(left("ratio", 7))")
  }

  func show(_ row: Row) throws {
    // Whoever reads along, or ends this before it is done, has what was measured so far.
    defer { fflush(nil) }
    guard !json else { return print(String(decoding: try encoder.encode(row), as: UTF8.self)) }
    let verdict = row.isMet.map { $0 ? "✔" : "✘ \(row.wanted)" } ?? ""
    print(
      """
        \(pad(row.series, 34)) \(left("\(row.size)", 10)) \(left(Self.number(row.cost), 10)) \
      \(left(Self.number(row.reference), 10)) \(left(row.ratio.map(Self.number) ?? "–", 7))  \(row.unit) against \(row.comparedWith) \(verdict)
      """)
  }

  static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e6 { return "\(Int(value))" }
    return String(format: value < 1e-3 ? "%.1e" : value < 10 ? "%.3f" : "%.1f", value)
  }
  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
  private func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

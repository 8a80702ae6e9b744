import Foundation

/// Curves of cost against size, on logarithmic axes, with the reference of each dashed below: one SVG file.
struct CostCurves {
  let name: String
  private let rows: [Row]
  private let unit: String

  private static let (width, height) = (760.0, 300.0)
  private static let (left, right, top, bottom) = (70.0, 250.0, 30.0, 40.0)
  private static let colours = ["#2f6fb0", "#c4622d", "#3a8f5c", "#8a5aa8", "#b0902f", "#5a7a8a", "#b04f7a"]

  /// The pictures of one benchmark: one for each unit, of the series that have several sizes.
  static func pictures(of rows: [Row], _ benchmark: String) -> [CostCurves] {
    let swept = Dictionary(grouping: rows, by: \.series).filter { Set($0.value.map(\.size)).count > 1 }.keys
    let drawn = rows.filter { swept.contains($0.series) && $0.size > 0 && $0.cost > 0 && $0.reference > 0 }
    return Set(drawn.map(\.unit)).sorted().enumerated().map { index, unit in
      CostCurves(
        name: index == 0 ? benchmark : "\(benchmark)-\(index + 1)", rows: drawn.filter { $0.unit == unit }, unit: unit)
    }
  }

  /// The file's text; it shows on light and on dark ground.
  var text: String {
    var body = axes
    for (index, series) in seriesInOrder.enumerated() {
      let points = rows.filter { $0.series == series }.sorted { $0.size < $1.size }
      let colour = Self.colours[index % Self.colours.count]
      body.append(line(points.map { ($0.size, $0.cost) }, colour, ""))
      body.append(line(points.map { ($0.size, $0.reference) }, colour, " stroke-dasharray=\"4 4\" opacity=\"0.6\""))
      for point in points {
        body.append("<circle cx=\"\(text(x(point.size)))\" cy=\"\(text(y(point.cost)))\" r=\"3\" fill=\"\(colour)\"/>")
      }
      let place = Self.top + 6 + Double(index) * 18
      body.append(label(series, Self.width - Self.right + 14, place, "start", " style=\"fill: \(colour)\""))
    }
    body.append(label("dashed: the reference", Self.width - Self.right + 14, Self.height - 12, "start", ""))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Self.width)) \(text(Self.height))" role="img" \
      aria-label="\(name): cost in \(unit) against size" font-family="system-ui, sans-serif" font-size="12">
      <style>text { fill: #444 } .axis { stroke: #999; stroke-opacity: 0.4 } .ground { fill: #fff } \
      @media (prefers-color-scheme: dark) { text { fill: #ccc } .ground { fill: #16181c } }</style>
      <rect class="ground" width="100%" height="100%"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  private var seriesInOrder: [String] {
    rows.reduce(into: []) { if !$0.contains($1.series) { $0.append($1.series) } }
  }

  // MARK: Axes

  /// The powers of ten about what is shown.
  private func decades(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int(log10(values.min() ?? 1).rounded(.down))
    return low...max(low + 1, Int(log10(values.max() ?? 1).rounded(.up)))
  }

  private var sizes: ClosedRange<Int> { decades(rows.map { Double($0.size) }) }
  private var costs: ClosedRange<Int> { decades(rows.flatMap { [$0.cost, $0.reference] }) }

  private func x(_ size: Int) -> Double { x(log10(Double(size))) }
  private func x(_ decade: Double) -> Double {
    let share = (decade - Double(sizes.lowerBound)) / Double(sizes.count - 1)
    return Self.left + share * (Self.width - Self.left - Self.right)
  }
  private func y(_ cost: Double) -> Double { y(decade: log10(cost)) }
  private func y(decade: Double) -> Double {
    let share = (decade - Double(costs.lowerBound)) / Double(costs.count - 1)
    return Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom)
  }

  private var axes: [String] {
    let (end, low) = (Self.width - Self.right, Self.height - Self.bottom)
    return [label("\(unit)", Self.left - 8, Self.top - 12, "end", "")]
      + costs.flatMap { decade in
        let place = y(decade: Double(decade))
        return [
          "<line class=\"axis\" x1=\"\(text(Self.left))\" x2=\"\(text(end))\" y1=\"\(text(place))\" y2=\"\(text(place))\"/>",
          label(power(decade), Self.left - 8, place + 4, "end", ""),
        ]
      }
      + sizes.flatMap { decade in
        let place = x(Double(decade))
        return [
          "<line class=\"axis\" x1=\"\(text(place))\" x2=\"\(text(place))\" y1=\"\(text(Self.top))\" y2=\"\(text(low))\"/>",
          label(power(decade), place, low + 18, "middle", ""),
        ]
      }
  }

  private func power(_ decade: Int) -> String {
    decade >= 0 && decade <= 3
      ? "\(Int(pow(10, Double(decade))))" : decade < 0 ? String(pow(10, Double(decade))) : "1e\(decade)"
  }

  // MARK: Marks

  private func line(_ points: [(Int, Double)], _ colour: String, _ style: String) -> String {
    let path = points.map { "\(text(x($0.0))),\(text(y($0.1)))" }.joined(separator: " ")
    return "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.6\"\(style)/>"
  }

  private func label(_ words: String, _ x: Double, _ y: Double, _ anchor: String, _ style: String) -> String {
    let escaped = words.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    return "<text x=\"\(text(x))\" y=\"\(text(y))\" text-anchor=\"\(anchor)\"\(style)>\(escaped)</text>"
  }

  private func text(_ number: Double) -> String { String(format: "%.1f", number) }
}

import Foundation

/// The curves of a run as SVG: one below the other, with the faults above them.
struct SoakPicture {
  private let report: SoakReport
  private static let width = 900.0
  private static let left = 70.0
  private static let right = 20.0
  private static let top = 30.0
  private static let height = 90.0
  private static let gap = 34.0

  init(_ report: SoakReport) { self.report = report }

  var text: String {
    let curves = report.curves.filter { !$0.points.isEmpty }
    let bottom = Self.top + 26 + Double(curves.count) * (Self.height + Self.gap) + 20
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(number(bottom))" role="img" \
      aria-label="What was measured each second of the soak" font-family="system-ui, sans-serif" font-size="12">
      <style>text { fill: #444 } .axis { stroke: #999; stroke-opacity: 0.4 } .ground { fill: #fff } \
      @media (prefers-color-scheme: dark) { text { fill: #ccc } .ground { fill: #16181c } }</style>
      <rect class="ground" width="100%" height="100%"/>
      <text x="\(Self.left)" y="18">faults (those that end motiond are long)</text>
      """
    ]
    for fault in report.faults {
      let x = number(place(fault.time))
      let length = fault.kind.endsDaemon ? 18.0 : 8.0
      parts.append(
        "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(number(Self.top + 18 - length))\" y2=\"\(Self.top + 18)\" "
          + "stroke=\"\(fault.kind.endsDaemon ? "#b03a2f" : "#777")\" stroke-width=\"1\"/>")
    }
    for (index, curve) in curves.enumerated() {
      parts.append(panel(curve, at: Self.top + 26 + Double(index) * (Self.height + Self.gap) + 16))
    }
    let minutes = report.seconds / 60
    for tick in 0...6 {
      let time = report.seconds * Double(tick) / 6
      parts.append(
        "<text x=\"\(number(place(time)))\" y=\"\(number(bottom - 6))\" text-anchor=\"middle\">"
          + "\(String(format: minutes < 6 ? "%.1f" : "%.0f", time / 60)) min</text>")
    }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func panel(_ curve: SoakReport.Curve, at top: Double) -> String {
    let most = max(curve.points.map(\.value).max() ?? 1, 1e-9) * 1.1
    func height(_ value: Double) -> Double { top + Self.height * (1 - min(max(value, 0), most) / most) }
    let bottom = number(top + Self.height)
    let points = curve.points.map { "\(number(place($0.time))),\(number(height($0.value)))" }.joined(separator: " ")
    var text = """
      <text x="\(Self.left)" y="\(number(top - 6))">\(curve.measure.rawValue)</text>
      <text x="\(Self.left - 8)" y="\(number(top + 10))" text-anchor="end">\(String(format: "%.3g", most))</text>
      <text x="\(Self.left - 8)" y="\(bottom)" text-anchor="end">0</text>
      <line class="axis" x1="\(Self.left)" x2="\(Self.width - Self.right)" y1="\(bottom)" y2="\(bottom)"/>
      <polyline points="\(points)" fill="none" stroke="#2f6fb0" stroke-width="1.2"/>
      """
    if let fit = curve.flatness {
      let (from, to) = (report.seconds * SoakReport.fitted, report.seconds)
      text += """

        <line x1="\(number(place(from)))" x2="\(number(place(to)))" y1="\(number(height(fit.line(from))))" \
        y2="\(number(height(fit.line(to))))" stroke="\(curve.judgement == .grows ? "#b03a2f" : "#3a8f4d")" stroke-width="1.6" \
        stroke-dasharray="6 4"/>
        """
    }
    return text
  }

  private func place(_ time: Double) -> Double {
    Self.left + (Self.width - Self.left - Self.right) * time / max(report.seconds, 1)
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}

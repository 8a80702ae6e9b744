import Foundation

/// What was measured, as an SVG: the ball with its hand-overs, the lamp with the death of its worker.
struct Picture {
  private let ball: Trace
  private let lamp: Trace

  private static let width = 860.0
  private static let panel = 130.0

  init(_ ball: Trace, _ lamp: Trace) {
    self.ball = ball
    self.lamp = lamp
  }

  func write(to path: String) throws {
    let begin = ball.marks.first.map { $0.time - 0.1 } ?? 0
    var movement = ball
    movement.samples = ball.samples.filter { $0.time >= begin && $0.time < begin + 2.6 }
    var velocity = movement
    velocity.samples = movement.samples.map { sample in
      var sample = sample
      sample.value = sample.velocity
      return sample
    }
    let panels = [
      draw(
        movement, "ball: value of position x — a spring, interrupted by a tween in another process, by a spring",
        "#2563eb"),
      draw(velocity, "ball: velocity", "#7c3aed"),
      draw(lamp, "lamp: opacity — the worker of the tween is killed and comes back", "#d97706"),
    ]
    let body = panels.enumerated().map { index, panel in
      "<g transform=\"translate(0,\(Double(index) * (Self.panel + 34) + 24))\">\(panel)</g>"
    }.joined(separator: "\n")
    let height = Double(panels.count) * (Self.panel + 34) + 10
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" font-family="sans-serif" font-size="13">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(body)
      </svg>

      """
    try svg.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func draw(_ trace: Trace, _ title: String, _ color: String) -> String {
    guard let first = trace.samples.first, let last = trace.samples.last, last.time > first.time else { return "" }
    let low = trace.samples.map(\.value).min() ?? 0
    let high = max(trace.samples.map(\.value).max() ?? 1, low + 1e-9)
    let x = { (time: Double) in 50 + (time - first.time) / (last.time - first.time) * (Self.width - 70) }
    let y = { (value: Double) in Self.panel - (value - low) / (high - low) * Self.panel }
    let points = trace.samples.map { "\(x($0.time).text(1)),\(y($0.value).text(1))" }.joined(separator: " ")
    let marks = trace.marks.filter { $0.time >= first.time && $0.time <= last.time }.map { mark in
      """
      <line x1="\(x(mark.time).text(1))" x2="\(x(mark.time).text(1))" y1="0" y2="\(Self.panel)" stroke="#dc2626" stroke-dasharray="4 3"/>
      <text x="\((x(mark.time) + 4).text(1))" y="12" fill="#dc2626">\(mark.label)</text>
      """
    }.joined()
    return """
      <text x="50" y="-8" fill="#111827">\(title)</text>
      <text x="44" y="10" text-anchor="end" fill="#6b7280">\(high.text(high > 10 ? 0 : 2))</text>
      <text x="44" y="\(Self.panel)" text-anchor="end" fill="#6b7280">\(low.text(high > 10 ? 0 : 2))</text>
      <rect x="50" y="0" width="\(Self.width - 70)" height="\(Self.panel)" fill="none" stroke="#e5e7eb"/>
      <polyline points="\(points)" fill="none" stroke="\(color)" stroke-width="1.6"/>
      \(marks)
      """
  }
}

import MotionModel

/// One property in an SVG picture: the panel of its values, the panel of its velocities, and the text around them.
struct SVGChart {
  private let track: MotionTrack
  private let times: ClosedRange<Double>
  private let top: Double
  private let labels: [MarkLabels.Label]

  /// A label's width is estimated: six units a character are enough for its font.
  private static let characterWidth = 6.2

  init(_ track: MotionTrack, times: ClosedRange<Double>, top: Double) {
    self.track = track
    self.times = times
    self.top = top
    let scale = { (time: Double) in Self.x(of: time, in: times) }
    labels = MarkLabels.place(
      track.marks.filter { times.contains($0.time) }.map { (x: scale($0.time), text: $0.label) },
      characterWidth: Self.characterWidth, right: SVGDrawing.width - SVGDrawing.right,
      lines: SVGDrawing.mostLabelLines)
  }

  /// The number of lines of labels.
  private var labelLines: Int { (labels.compactMap(\.line).max() ?? -1) + 1 }
  private var valueTop: Double { top + SVGDrawing.lineHeight * Double(1 + labelLines) + 14 }
  private var velocityTop: Double { valueTop + SVGDrawing.valueHeight + SVGDrawing.gap }
  /// The top of the next chart.
  var bottom: Double { velocityTop + SVGDrawing.velocityHeight + SVGDrawing.gap + 8 }

  /// All elements, from back to front.
  var elements: [String] {
    let values = Panel(track, isVelocity: false, in: times)
    let velocities = Panel(track, isVelocity: true, in: times)
    return heading(values)
      + draw(values, top: valueTop, height: SVGDrawing.valueHeight, ticks: 5)
      + draw(velocities, top: velocityTop, height: SVGDrawing.velocityHeight, ticks: 3)
      + markLines()
      + [SVGText.text(velocities.title, SVGDrawing.left, velocityTop - 7, class: "axis over")] + timeNumbers()
  }

  // MARK: Parts

  /// The property's name, its unit, and the lanes' colours.
  private func heading(_ values: Panel) -> [String] {
    let y = top + SVGDrawing.lineHeight
    var elements = [
      SVGText.text(track.reference.description, SVGDrawing.left, y, class: "name"),
      SVGText.text(
        values.title, SVGDrawing.left + 16 + 7 * Double(track.reference.description.count), y, class: "axis"),
    ]
    guard track.laneCount > 1 else { return elements }
    var x = SVGDrawing.width - SVGDrawing.right - 46 * Double(track.laneCount)
    for lane in 0..<track.laneCount {
      elements.append(SVGText.line(x + 10, y - 4, x + 28, y - 4, class: "curve l\(lane)"))
      let name = track.name(ofLane: lane)
      elements.append(SVGText.text(name, x + 33, y, class: "axis"))
      x += 46
    }
    return elements
  }

  /// Returns one pair of axes with its curves.
  private func draw(_ panel: Panel, top: Double, height: Double, ticks: Int) -> [String] {
    let scale = panel.scale(about: ticks)
    let right = SVGDrawing.width - SVGDrawing.right
    func y(_ value: Double) -> Double { top + height * (1 - scale.place(of: value)) }
    var elements: [String] = []
    for tick in scale.ticks {
      elements.append(SVGText.line(SVGDrawing.left, y(tick), right, y(tick), class: "grid"))
      elements.append(
        SVGText.text(scale.text(of: tick), SVGDrawing.left - 6, y(tick) + 4, class: "axis", anchor: "end"))
    }
    elements.append(frame(top: top, height: height))
    let columns = Int(right - SVGDrawing.left)
    for curve in panel.curves {
      let points = curve.thinned(columns: columns, in: times).map { point in
        "\(DecimalText.place(Self.x(of: point.time, in: times))),\(DecimalText.place(y(point.value)))"
      }
      elements.append(
        SVGText.element("polyline", "", ["class": "curve l\(curve.lane)", "points": points.joined(separator: " ")]))
    }
    return elements
  }

  private func frame(top: Double, height: Double) -> String {
    SVGText.element(
      "rect", "",
      [
        "class": "frame", "x": DecimalText.place(SVGDrawing.left), "y": DecimalText.place(top),
        "width": DecimalText.place(SVGDrawing.width - SVGDrawing.left - SVGDrawing.right),
        "height": DecimalText.place(height),
      ])
  }

  /// A line through both panels for each hand-over, with the new driver's label above it.
  private func markLines() -> [String] {
    let bottom = velocityTop + SVGDrawing.velocityHeight
    return labels.flatMap { label in
      guard let line = label.line else { return [SVGText.line(label.x, valueTop, label.x, bottom, class: "mark")] }
      let y = valueTop - 6 - SVGDrawing.lineHeight * Double(line)
      let isTurned = label.isTurned
      return [
        SVGText.line(label.x, y - 9, label.x, bottom, class: "mark"),
        SVGText.text(
          label.text, label.x + (isTurned ? -4 : 4), y, class: "label over", anchor: isTurned ? "end" : "start"),
      ]
    }
  }

  /// The times on the axis, in seconds since the beginning, below the panels.
  private func timeNumbers() -> [String] {
    let y = velocityTop + SVGDrawing.velocityHeight + SVGDrawing.lineHeight
    let span = times.upperBound - times.lowerBound
    let scale = Scale(0, span, about: 8)
    return scale.ticks.filter { $0 <= span * (1 + 1e-9) }.map { tick in
      let x = Self.x(of: times.lowerBound + tick, in: times)
      return SVGText.text("\(scale.text(of: tick)) s", x, y, class: "axis", anchor: "middle")
    }
  }

  private static func x(of time: Double, in times: ClosedRange<Double>) -> Double {
    let span = times.upperBound - times.lowerBound
    let width = SVGDrawing.width - SVGDrawing.left - SVGDrawing.right
    return SVGDrawing.left + (span > 0 ? (time - times.lowerBound) / span : 0) * width
  }
}

/// Places the labels of hand-overs: each is beside its line, high enough that no line of a later one crosses it.
enum MarkLabels {
  /// A label with its place.
  struct Label: Hashable {
    var x: Double
    var text: String
    /// The index of its line of text, from 0 at the bottom; `nil` when there is no room.
    var line: Int?
    /// Whether the label is to the left of its line, because the picture ends on the right.
    var isTurned = false
  }

  /// Places labels, from right to left; the marks must be in order.
  static func place(
    _ marks: [(x: Double, text: String)], characterWidth: Double, right: Double, lines: Int
  ) -> [Label] {
    var placed: [Label] = []
    for mark in marks.reversed() {
      let width = characterWidth * Double(mark.text.count) + 8
      let isTurned = mark.x + width > right
      let end = isTurned ? mark.x : mark.x + width
      // A label must be placed above those to its right that begin before it ends.
      let inTheWay = placed.filter { ($0.isTurned ? $0.x - characterWidth * Double($0.text.count) - 8 : $0.x) < end }
      let line = (inTheWay.compactMap(\.line).max() ?? -1) + 1
      placed.append(Label(x: mark.x, text: mark.text, line: line < lines ? line : nil, isTurned: isTurned))
    }
    return placed.reversed()
  }
}

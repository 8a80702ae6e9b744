import MotionModel

/// Draws tracks with the characters of a terminal: for each lane that moves, a curve of its value and one of its
/// velocity. A line marks each moment at which another intention took over the property.
///
///     ball/position x   points
///       400 ┊    ⢀⡠⠤⠒⠊⠉⠉┊
///       100 ┊⣀⠤⠊⠁       ┊
public struct TerminalDrawing {
  /// The role of a piece of a line, for the caller that colours it.
  public enum Part: Hashable, Sendable {
    /// The name of a property.
    case title
    /// Numbers and labels at the axes.
    case axis
    /// A curve of values.
    case value
    /// A curve of velocities.
    case velocity
    /// A hand-over.
    case mark
  }

  /// Returns a piece of a line with its colour, or unchanged.
  public typealias Paint = (Part, String) -> String

  /// The width of the numbers at the left, with the space behind them.
  private static let numberWidth = 9
  /// The narrowest curve; a narrower one would show nothing.
  private static let narrowest = 10
  /// The numbers of rows of a curve of values, and of velocities.
  private static let valueRows = 5
  private static let velocityRows = 3
  /// The line of a hand-over.
  private static let bar: Character = "┊"

  private let tracks: [MotionTrack]
  private let times: ClosedRange<Double>
  private let columns: Int
  private let paint: Paint

  /// Creates a drawing that is `width` characters wide.
  ///
  /// - Parameter paint: applies colours; without it the drawing has none.
  public init(_ tracks: [MotionTrack], width: Int, paint: @escaping Paint = { $1 }) {
    self.tracks = tracks
    self.paint = paint
    times = tracks.sharedTimes ?? 0...1
    columns = max(Self.narrowest, width - Self.numberWidth)
  }

  /// The drawing, line by line.
  public var lines: [String] { tracks.flatMap(lines) }

  private func lines(of track: MotionTrack) -> [String] {
    let (values, velocities) = (panel(track, false), panel(track, true))
    var lines: [String] = []
    for lane in 0..<track.laneCount {
      let name = track.name(ofLane: lane)
      let title = paint(.title, track.reference.description + (name.isEmpty ? "" : " \(name)"))
      let (value, velocity) = (values.curves[lane], velocities.curves[lane])
      guard !value.isFlat || !velocity.isFlat else {
        let place = value.points.last.map { DecimalText.fixed($0.value, digits: 3) } ?? ""
        lines.append(title + paint(.axis, "  stands at \(place)"))
        continue
      }
      lines.append(title + paint(.axis, "  \(values.title)"))
      lines += draw(value, rows: Self.valueRows, .value, track)
      lines.append(paint(.axis, String(repeating: " ", count: Self.numberWidth) + velocities.title))
      lines += draw(velocity, rows: Self.velocityRows, .velocity, track)
    }
    return lines + legend(of: track) + [""]
  }

  private func panel(_ track: MotionTrack, _ isVelocity: Bool) -> Panel {
    Panel(track, isVelocity: isVelocity, in: times)
  }

  // MARK: Curves

  private func draw(_ curve: Curve, rows: Int, _ part: Part, _ track: MotionTrack) -> [String] {
    let scale = Scale(curve.low, curve.high, about: 4)
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    let dots = curve.points.map { point in
      (
        x: Int((place(of: point.time) * Double(canvas.dotColumns - 1)).rounded()),
        y: Int(((1 - scale.place(of: point.value)) * Double(canvas.dotRows - 1)).rounded())
      )
    }
    for (from, to) in zip(dots, dots.dropFirst()) { canvas.line(from: from, to: to) }
    let bars = Set(shownMarks(track).map { column(of: $0.time) })
    return (0..<rows).map { row in
      let number = row == 0 ? scale.text(of: scale.high) : row == rows - 1 ? scale.text(of: scale.low) : ""
      return paint(.axis, Self.right(number)) + text(canvas, row: row, bars: bars, part)
    }
  }

  /// Returns one row of a curve: pieces of the curve, of hand-overs, and of empty space.
  private func text(_ canvas: BrailleCanvas, row: Int, bars: Set<Int>, _ part: Part) -> String {
    var text = ""
    var piece = ""
    var kind: Part?
    func flush() {
      text += kind.map { paint($0, piece) } ?? piece
      piece = ""
    }
    for column in 0..<columns {
      let dots = canvas.character(column: column, row: row)
      let next: Part? = dots != nil ? part : bars.contains(column) ? .mark : nil
      if next != kind {
        flush()
        kind = next
      }
      piece.append(dots ?? (next == .mark ? Self.bar : " "))
    }
    // Spaces at the end of a line are dropped.
    if kind != nil { flush() }
    return text
  }

  // MARK: Times

  /// Returns the time axis, and below it the intentions that took over, with their times.
  private func legend(of track: MotionTrack) -> [String] {
    let indent = String(repeating: " ", count: Self.numberWidth)
    let end = DecimalText.fixed(times.upperBound - times.lowerBound, digits: 2) + " s"
    let line = "0 s" + String(repeating: " ", count: max(1, columns - 3 - end.count)) + end
    var lines = [paint(.axis, indent + line)]
    var (row, length) = ("", 0)
    for mark in shownMarks(track) {
      let seconds = DecimalText.fixed(mark.time - times.lowerBound, digits: 2)
      let text = "\(Self.bar) \(seconds) s \(mark.label)"
      if length > 0, length + 3 + text.count > columns {
        lines.append(indent + row)
        (row, length) = ("", 0)
      }
      row += (length > 0 ? "   " : "") + paint(.mark, text)
      length += (length > 0 ? 3 : 0) + text.count
    }
    return length > 0 ? lines + [indent + row] : lines
  }

  private func shownMarks(_ track: MotionTrack) -> [MotionTrack.Mark] { track.marks.filter { times.contains($0.time) } }

  private func place(of time: Double) -> Double {
    let span = times.upperBound - times.lowerBound
    return span > 0 ? (time - times.lowerBound) / span : 0
  }

  private func column(of time: Double) -> Int { min(columns - 1, Int(place(of: time) * Double(columns))) }

  private static func right(_ number: String) -> String {
    String(repeating: " ", count: max(0, numberWidth - 1 - number.count)) + number + " "
  }
}

extension [MotionTrack] {
  /// The range from the first sample of any track to the last of any; `nil` without samples.
  var sharedTimes: ClosedRange<Double>? {
    let times = compactMap(\.times)
    guard let first = times.map(\.lowerBound).min(), let last = times.map(\.upperBound).max() else { return nil }
    return first...last
  }
}

import MotionModel

/// Draws tracks as one SVG file: for each property a panel of values above a panel of velocities, with a curve for each
/// lane. A line marks each moment at which another intention took over the property.
///
/// The file has no external references. It is readable on light and on dark backgrounds: it queries the viewer's
/// preference. The same tracks give the same bytes.
public struct SVGDrawing {
  /// The width of the picture, in its own units; it may be shown in any size.
  static let width = 860.0
  static let left = 66.0
  static let right = 18.0
  static let valueHeight = 170.0
  static let velocityHeight = 110.0
  /// The height of a line of text, of the gap between values and velocities, and of the gap between properties.
  static let lineHeight = 17.0
  static let gap = 30.0
  /// The most lines of hand-over labels above a panel; a hand-over without room for its label is marked by its line
  /// alone.
  static let mostLabelLines = 3

  private let tracks: [MotionTrack]
  private let title: String
  private let sharesTimes: Bool

  /// Creates a picture of tracks.
  ///
  /// - Parameters:
  ///   - title: the heading above the picture; none if it is empty.
  ///   - sharesTimes: whether all properties share one axis of times; otherwise each has its own.
  public init(_ tracks: [MotionTrack], title: String = "", sharesTimes: Bool = true) {
    self.tracks = tracks.filter { $0.laneCount > 0 }
    self.title = title
    self.sharesTimes = sharesTimes
  }

  /// The file's text.
  public var text: String {
    var body: [String] = []
    var y = 12.0
    if !title.isEmpty {
      y += Self.lineHeight
      body.append(SVGText.element("text", title, ["class": "title", "x": "16", "y": DecimalText.place(y)]))
      y += 8
    }
    let shared = tracks.sharedTimes
    for track in tracks {
      let times = (sharesTimes ? shared : track.times) ?? 0...1
      let chart = SVGChart(track, times: times, top: y)
      body += chart.elements
      y = chart.bottom
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(DecimalText.place(Self.width)) \(DecimalText.place(y + 8))" \
      role="img" aria-label="\(SVGText.escaped(summary))" font-family="system-ui, sans-serif" font-size="12">
      \(SVGText.style)
      <rect class="ground" width="100%" height="100%"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  /// A text alternative of the picture, for screen readers.
  private var summary: String {
    let sentences = tracks.map { track in
      let marks = track.marks.map(\.label)
      return "\(track.reference): value and velocity over time"
        + (marks.isEmpty ? "" : ", driven by " + marks.joined(separator: ", then "))
    }
    return (title.isEmpty ? [] : [title]).joined() + (title.isEmpty ? "" : ". ") + sentences.joined(separator: ". ")
  }
}

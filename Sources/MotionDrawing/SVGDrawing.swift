import MotionModel

/// Draws tracks as one SVG file: for each property its values and its velocities above each other, a curve for each
/// lane, crossed by a line where another intention took the property over.
///
/// The file stands alone, and is readable on light and on dark ground: it asks the viewer which one is preferred.
/// The same tracks give the same bytes.
public struct SVGDrawing {
  /// How wide the picture is, in its own units; it may be shown in any size.
  static let width = 860.0
  static let left = 66.0
  static let right = 18.0
  static let valueHeight = 170.0
  static let velocityHeight = 110.0
  /// Height of a line of text, of the gap between values and velocities, and of the one between properties.
  static let lineHeight = 17.0
  static let gap = 30.0
  /// How many lines of labels of hand-overs there may be above a panel; what finds no room is told by its line alone.
  static let mostLabelLines = 3

  private let tracks: [MotionTrack]
  private let title: String
  private let sharesTimes: Bool

  /// A picture of tracks.
  ///
  /// - Parameters:
  ///   - title: what stands above everything; nothing if it is empty.
  ///   - sharesTimes: whether all have the same axis of times; otherwise each has its own.
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

  /// What the picture shows, for those who do not see it.
  private var summary: String {
    let sentences = tracks.map { track in
      let marks = track.marks.map(\.label)
      return "\(track.reference): value and velocity over time"
        + (marks.isEmpty ? "" : ", driven by " + marks.joined(separator: ", then "))
    }
    return (title.isEmpty ? [] : [title]).joined() + (title.isEmpty ? "" : ". ") + sentences.joined(separator: ". ")
  }
}

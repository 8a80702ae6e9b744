import Foundation
import MotionModel
import Testing

@testable import MotionDrawing

/// Whole drawings, compared with files of the expected output. With `MOTION_GOLDEN_UPDATE=1` in the environment the
/// files are written instead: check the difference before you commit it.
@Suite struct DrawingTests {
  /// A ball that is thrown and caught, a lamp that stays, and an arm that turns.
  private static let tracks: [MotionTrack] = {
    var ball = MotionTrack(PropertyReference("ball", "position"))
    var arm = MotionTrack(PropertyReference("arm", "rotation"))
    for frame in 0...120 {
      let time = Double(frame) / 60
      let (x, speed) = time < 1 ? (100 * time * time, 200 * time) : (200 * (time - 1) + 100, 200.0)
      let sample = PropertyState([x, 40], velocity: [time == 2 ? 0 : speed, 0])
      ball.samples.append(.init(frame: UInt64(frame), time: 7 + time, sample))
      arm.samples.append(.init(frame: UInt64(frame), time: 7 + time, PropertyState(Lanes(1 - time), velocity: -1)))
    }
    ball.marks = [
      .init(time: 7, label: "Draggable"), .init(time: 8, label: "AnchoredSpring"), .init(time: 8.1, label: "Tween"),
      .init(time: 9, label: "Draggable"),
    ]
    let lamp = MotionTrack(
      PropertyReference("lamp", "opacity"),
      samples: [.init(frame: 1, time: 7, PropertyState(0.5)), .init(frame: 1, time: 9, PropertyState(0.5))])
    return [arm, ball, lamp]
  }()

  private func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name)")
    if ProcessInfo.processInfo.environment["MOTION_GOLDEN_UPDATE"] == "1" {
      return try Data(text.utf8).write(to: file)
    }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? "(there is no file \(name))"
    #expect(text == golden, "differs from Golden/\(name)", sourceLocation: sourceLocation)
  }

  @Test func `the terminal drawing is golden`() throws {
    let lines = TerminalDrawing(Self.tracks, width: 80).lines
    #expect(lines.allSatisfy { $0.count <= 80 })
    try expect(lines.joined(separator: "\n"), "drawing.txt")
  }

  @Test func `colours surround runs of one kind`() throws {
    let drawing = TerminalDrawing(Self.tracks, width: 60) { "<\($0) \($1)>" }
    try expect(drawing.lines.joined(separator: "\n"), "painted.txt")
  }

  @Test func `the SVG drawing is golden`() throws {
    try expect(SVGDrawing(Self.tracks, title: "A <ball> & a lamp").text, "drawing.svg")
  }

  @Test func `a drawing with own times is golden`() throws {
    let tracks = [Self.tracks[0].cut(to: 7...7.5), Self.tracks[2]]
    try expect(SVGDrawing(tracks, sharesTimes: false).text, "own-times.svg")
  }

  @Test func textIsEscaped() {
    #expect(SVGText.escaped("<a & \"b\">") == "&lt;a &amp; &quot;b&quot;&gt;")
  }

  @Test func `no tracks give an empty drawing`() {
    #expect(TerminalDrawing([], width: 80).lines == [])
    #expect(!SVGDrawing([]).text.contains("polyline"))
  }

  @Test func `a single sample and extreme values are drawn`() {
    let alone = MotionTrack(
      PropertyReference("a", "x"), samples: [.init(frame: 1, time: 1, PropertyState(1, velocity: 2))],
      marks: [.init(time: 1, label: "Tween")])
    let huge = MotionTrack(
      PropertyReference("a", "y"),
      samples: [
        .init(frame: 1, time: 1, PropertyState(Lanes(-Double.greatestFiniteMagnitude))),
        .init(frame: 2, time: 2, PropertyState(Lanes(Double.greatestFiniteMagnitude), velocity: 1)),
      ])
    for tracks in [[alone], [huge], [alone, huge]] {
      #expect(!TerminalDrawing(tracks, width: 1).lines.isEmpty)
      let picture = SVGDrawing(tracks).text
      #expect(!picture.contains("nan") && !picture.contains("inf"))
    }
  }
}

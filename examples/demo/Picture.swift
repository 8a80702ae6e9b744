import Foundation
import MotionDrawing
import MotionModel

/// What was measured, as an SVG: the ball with its hand-overs, the lamp with the death of its worker.
struct Picture {
  private let tracks: [MotionTrack]

  init(_ story: Story) {
    let begin = story.ball.marks.first.map { $0.time - 0.1 } ?? 0
    let death = story.lamp.marks.map { MotionTrack.Mark(time: $0.time, label: $0.label) }
    tracks = story.tracks.tracks.compactMap { track in
      switch track.reference {
      case Story.ballPosition: return track.cut(to: begin...story.interruptionsEnd)
      case Story.lampOpacity:
        guard let first = story.lamp.samples.first, let last = story.lamp.samples.last else { return nil }
        var cut = track.cut(to: first.time...last.time + 0.2)
        cut.marks = (cut.marks + death).sorted { $0.time < $1.time }
        return cut
      default: return nil
      }
    }
  }

  func write(to path: String) throws {
    let title = "A spring, interrupted by a tween in another process, by a spring; a tween whose worker is killed"
    try SVGDrawing(tracks, title: title, sharesTimes: false).text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}

import Glibc
import MotionModel
import MotionStreams
import MotionTestKit
import Testing

/// Drag, pinch and rotation of the same fingers, compared with the similarity transform that moves the fingers.
@Suite struct SimultaneousGesturesTests {
  private var drag = TranslationGestureRecognizer(slop: 0)
  private var pinch = ScaleGestureRecognizer()
  private var turn = RotationGestureRecognizer()

  /// A transform around a centre: each finger is at `centre + translation + scale · rotated(offset)`.
  private struct Transform {
    var translation: SIMD2<Double>
    var scale: Double
    var rotation: Double

    func applied(to offset: SIMD2<Double>, around centre: SIMD2<Double>) -> SIMD2<Double> {
      let (sine, cosine) = (sin(rotation), cos(rotation))
      let turned = SIMD2(cosine * offset.x - sine * offset.y, sine * offset.x + cosine * offset.y)
      return centre + translation + turned * scale
    }
  }

  private mutating func tell(_ id: UInt64, _ phase: PointerEvent.Phase, _ location: SIMD2<Double>, time: Double) {
    let event = PointerEvent(id: id, phase, at: location, time: time)
    drag.handle(event)
    pinch.handle(event)
    turn.handle(event)
  }

  // Clauses: S6.15
  @Test(arguments: [2, 3, 5])
  mutating func measureTheTransformOfTheFingers(fingers: Int) {
    var random = SeededRandom(seed: SeededRandom.seed(of: "measureTheTransformOfTheFingers"))
    let centre = SIMD2(Double.random(in: -500...500, using: &random), .random(in: -500...500, using: &random))
    var offsets = (0..<fingers).map { _ in
      SIMD2(Double.random(in: -200...200, using: &random), .random(in: -200...200, using: &random))
    }
    // Around their own centre.
    let mean = offsets.reduce(.zero, +) / Double(fingers)
    for finger in offsets.indices { offsets[finger] -= mean }
    let (way, growth, turns) = (
      SIMD2(Double.random(in: -900...900, using: &random), .random(in: -900...900, using: &random)),
      Double.random(in: -0.8...2, using: &random), Double.random(in: -9...9, using: &random)
    )
    for finger in 0..<fingers { tell(UInt64(finger), .down, centre + offsets[finger], time: 0) }
    for step in 1...120 {
      let time = Double(step) / 120
      let now = Transform(translation: way * (time * time), scale: 1 + growth * time, rotation: turns * time)
      for finger in 0..<fingers {
        tell(UInt64(finger), .move, now.applied(to: offsets[finger], around: centre), time: time)
      }
      #expect(isClose(drag.translation, now.translation, within: 1e-8), "step \(step)")
      #expect(abs(pinch.scale - now.scale) < 1e-9, "step \(step)")
      #expect(abs(turn.rotation - now.rotation) < 1e-9, "step \(step)")
    }
    // The derivatives at the end: uniform and uniformly accelerated motion is exact.
    #expect(isClose(drag.velocity, way * 2, within: 1e-4), "\(drag.velocity) \(way * 2)")
    #expect(abs(pinch.velocity - growth) < 1e-6)
    #expect(abs(turn.velocity - turns) < 1e-6)
    for finger in 0..<fingers {
      tell(UInt64(finger), .up, drag.pointers.pointers[0].location, time: 1.01)
    }
    #expect([drag.state, pinch.state, turn.state] == [.possible, .possible, .possible])
  }

  /// The fingers of one scan come one after the other, each with its own part of the transform.
  // Clauses: S6.15
  @Test mutating func `pointers that only spread do not drag`() {
    tell(1, .down, SIMD2(-50, 0), time: 0)
    tell(2, .down, SIMD2(50, 0), time: 0)
    for step in 1...50 {
      let time = Double(step) / 120
      tell(1, .move, SIMD2(-50 - Double(step), 0), time: time)
      tell(2, .move, SIMD2(50 + Double(step), 0), time: time)
    }
    #expect(drag.translation == .zero && isClose(drag.velocity, .zero) && turn.rotation == 0)
    #expect(abs(pinch.scale - 2) < 1e-12)
  }
}

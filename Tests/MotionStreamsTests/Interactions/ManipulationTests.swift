import MotionModel
import MotionStreams
import Testing

@Suite struct ManipulationTests {
  private func event(
    _ id: UInt64, _ phase: PointerEvent.Phase, _ x: Double, _ y: Double = 0, time: Double = 0
  ) -> PointerEvent {
    PointerEvent(id: id, phase, at: SIMD2(x, y), time: time)
  }

  // Clauses: S7.6
  @Test func aTapSetsThePosition() {
    let (runtime, position, tap) = (MotionRuntime(), ReactiveProperty(Point.zero), Gesture(TapGestureRecognizer()))
    runtime.add(Tap(sets: position, tap))
    tap.handle(event(1, .down, 30, 40))
    #expect(position.read() == .zero)
    tap.handle(event(1, .up, 30, 40))
    #expect(position.read() == Point(30, 40))
  }

  // Clauses: S7.7
  @Test func aDragMovesThePosition() {
    let (runtime, position) = (MotionRuntime(), ReactiveProperty(Point(100, 100)))
    let drag = Gesture(TranslationGestureRecognizer(slop: 0))
    runtime.add(Draggable(position, drag))
    drag.handle(event(1, .down, 0))
    drag.handle(event(1, .move, 20, 30))
    drag.handle(event(1, .up, 20, 30))
    #expect(position.read() == Point(120, 130))
  }

  // Clauses: S7.7
  @Test func `a drag beyond the perimeter is resisted`() {
    let (runtime, position) = (MotionRuntime(), ReactiveProperty(Point(50, 50)))
    let drag = Gesture(TranslationGestureRecognizer(slop: 0))
    runtime.add(Draggable(position, drag, perimeter: Rect(lower: .zero, upper: Point(100, 100)), maxLength: 20))
    drag.handle(event(1, .down, 0))
    drag.handle(event(1, .move, 40, 0))
    #expect(position.read() == Point(90, 50))
    drag.handle(event(1, .move, 60, 0))
    #expect(abs(position.read().x - (100 + 20 * (1 - 1 / (0.55 * 10 / 20 + 1)))) < 1e-12)
    // The place of the hand stretches the band, not the place at which the position was held.
    drag.handle(event(1, .move, 40, 0))
    #expect(position.read() == Point(90, 50))
  }

  // Clauses: S7.8
  @Test func `a pinch and a rotation change scale and rotation`() {
    let (runtime, scale, rotation) = (MotionRuntime(), ReactiveProperty(2.0), ReactiveProperty(1.0))
    let manipulable = DirectlyManipulable(
      draggable: Draggable(ReactiveProperty(Point.zero), Gesture(TranslationGestureRecognizer())),
      pinchable: Scalable(scale, Gesture(ScaleGestureRecognizer())),
      rotatable: Rotatable(rotation, Gesture(RotationGestureRecognizer())))
    runtime.add(manipulable)
    manipulable.handle(event(1, .down, -50))
    manipulable.handle(event(2, .down, 50))
    // A quarter turn and twice as far apart, around the place where they were, moved by (100, 0).
    manipulable.handle(event(1, .move, 100, -100, time: 0.01))
    manipulable.handle(event(2, .move, 100, 100, time: 0.01))
    #expect(abs(scale.read() - 4) < 1e-12 && abs(rotation.read() - 1 - .pi / 2) < 1e-12)
    // The centre moved 100 along x, by way of (75, −50); the drag counts from the place where it left its slop on the
    // first step.
    let corner = Point(75, -50)
    let exit = corner * (16 / (corner * corner).sum().squareRoot())
    #expect(isClose(manipulable.draggable.position.read(), Point(100, 0) - exit))
  }
}

import MotionModel
import MotionStreams

/// A hand in a test: passes the events of its fingers to a recogniser, and records the states that it returns.
struct Hand<Recognizer: GestureRecognizer> {
  var recognizer: Recognizer
  /// The states that observers would have received.
  private(set) var heard: [GestureState] = []
  var time = 0.0

  init(_ recognizer: Recognizer) { self.recognizer = recognizer }

  @discardableResult
  mutating func down(_ id: UInt64 = 1, at x: Double, _ y: Double = 0) -> GestureState? { tell(id, .down, x, y) }

  @discardableResult
  mutating func move(_ id: UInt64 = 1, to x: Double, _ y: Double = 0) -> GestureState? { tell(id, .move, x, y) }

  @discardableResult
  mutating func up(_ id: UInt64 = 1, at x: Double, _ y: Double = 0) -> GestureState? { tell(id, .up, x, y) }

  @discardableResult
  mutating func cancel(_ id: UInt64 = 1, at x: Double = 0, _ y: Double = 0) -> GestureState? {
    tell(id, .cancel, x, y)
  }

  private mutating func tell(_ id: UInt64, _ phase: PointerEvent.Phase, _ x: Double, _ y: Double) -> GestureState? {
    let state = recognizer.handle(PointerEvent(id: id, phase, at: SIMD2(x, y), time: time))
    if let state { heard.append(state) }
    return state
  }
}

/// Whether two points are equal within a tolerance.
func isClose(_ a: SIMD2<Double>, _ b: SIMD2<Double>, within tolerance: Double = 1e-9) -> Bool {
  abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance
}

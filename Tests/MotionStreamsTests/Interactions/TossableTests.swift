import MotionModel
import MotionStreams
import Testing

@Suite struct TossableTests {
  /// A spring that does not move, but records its initial values.
  private final class NotedSprings {
    var heard: [String] = []
    var isConnected = false

    func source(_ spring: Spring<Point>) -> MotionObservable<Point> {
      MotionObservable(Metadata("noted")) { [self] observer in
        let (value, velocity) = (spring.initialValue.read(), spring.initialVelocity.read())
        isConnected = true
        heard.append("spring from \(Int(value.x.rounded())) at \(Int(velocity.x.rounded()))")
        observer.state(.active)
        return { [self] in
          isConnected = false
          // As a spring might: a state that it sends while it is disconnected must not be passed on.
          observer.state(.atRest)
        }
      }
    }
  }

  private let springs = NotedSprings()
  private let runtime = MotionRuntime()
  private let position = ReactiveProperty(Point(10, 0))
  private let drag = Gesture(TranslationGestureRecognizer(slop: 0))

  private func tell(_ phase: PointerEvent.Phase, _ x: Double, time: Double) {
    drag.handle(PointerEvent(id: 1, phase, at: SIMD2(x, 0), time: time))
  }

  private func start() {
    runtime.add(
      Tossable(position: position, to: ReactiveProperty(Point(500, 0)), springSource: springs.source, gesture: drag))
  }

  // Clauses: S7.3, S7.4
  @Test func `the spring starts from the drag's end with its velocity`() {
    let activity = runtime.aggregateState.subscribe { [springs] in
      if $0 == .active || springs.heard.contains("active") {
        springs.heard.append($0 == .active ? "active" : "at rest")
      }
    }
    defer { activity.unsubscribe() }
    start()
    #expect(springs.heard == ["spring from 10 at 0", "active"])
    tell(.down, 0, time: 0)
    #expect(!springs.isConnected, "grabbed in flight it stops at once")
    for step in 1...12 { tell(.move, 10 * Double(step), time: Double(step) / 120) }
    tell(.up, 120, time: 0.105)
    #expect(
      springs.heard == ["spring from 10 at 0", "active", "spring from 130 at 1200"], "and nothing rested between")
    #expect(position.read() == Point(130, 0))
  }

  // Clauses: S7.3
  @Test func `a pointer that goes down in flight stops the spring despite the slop`() {
    let clock = ManualFrameClock()
    func run(_ frames: Int) {
      for _ in 0..<frames {
        let number = clock.frame.number + 1
        clock.run(Frame(number: number, time: Double(number) / 120, dt: 1.0 / 120))
      }
    }
    drag.recognizer.slop = 16
    runtime.add(
      Tossable(
        position: position, to: ReactiveProperty(Point(500, 0)), springSource: { springSource($0, clock) },
        gesture: drag))
    run(10)
    tell(.down, 0, time: clock.time)
    let caught = position.read()
    #expect(caught.x > 20 && caught.x < 400)
    run(10)
    #expect(position.read() == caught, "a finger that only holds it")
    tell(.move, 5, time: clock.time)
    #expect(position.read() == caught + Point(5, 0))
    tell(.up, 5, time: clock.time)
    run(1000)
    #expect(position.read() == Point(500, 0))
    tell(.down, 0, time: clock.time)
    tell(.move, 10, time: clock.time)
    #expect(position.read() == Point(500, 0), "at rest the slop counts")
  }

  // Clauses: S7.5
  @Test func aCancelledDragGivesNoVelocity() {
    start()
    tell(.down, 0, time: 0)
    for step in 1...12 { tell(.move, 10 * Double(step), time: Double(step) / 120) }
    tell(.cancel, 120, time: 0.105)
    #expect(springs.heard == ["spring from 10 at 0", "spring from 130 at 0"])
  }
}

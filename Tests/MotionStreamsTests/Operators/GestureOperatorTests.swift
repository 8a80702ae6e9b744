import MotionModel
import MotionStreams
import Testing

/// What streams read from gestures. The fingers are told what to do, and the lines are what came of it.
@Suite struct GestureOperatorTests {
  private let drag = Gesture(TranslationGestureRecognizer(slop: 0))
  private let pinch = Gesture(ScaleGestureRecognizer())
  private let turn = Gesture(RotationGestureRecognizer())

  private func tell(_ phase: PointerEvent.Phase, _ x: Double, _ y: Double = 0, id: UInt64 = 1, time: Double = 0) {
    let event = PointerEvent(id: id, phase, at: SIMD2(x, y), time: time)
    drag.handle(event)
    pinch.handle(event)
    turn.handle(event)
  }

  private let card = CoordinateSpace("card", origin: { Point(100, 0) }, scale: { 2 })

  @Test func recognitionStatesAreFiltered() {
    var heard: [String] = []
    let source = gestureSource(drag)
    let subscriptions = [
      source.onRecognitionState(.began).subscribe { heard.append("1 \($0.state)") },
      source.onRecognitionState([.changed, .ended]).subscribe { heard.append("2 \($0.state)") },
      source.state(is: .ended).subscribe { heard.append("3 \($0.state)") },
    ]
    tell(.down, 0)
    tell(.move, 1)
    tell(.up, 1)
    #expect(heard == ["1 began", "2 changed", "2 ended", "3 ended"])
    for subscription in subscriptions { subscription.unsubscribe() }
  }

  @Test func theStateChannelPasses() {
    var heard: [MotionState] = []
    let subscription = gestureSource(drag).onRecognitionState(.began).translation().subscribe(
      next: { _ in }, state: { heard.append($0) })
    tell(.down, 0)
    tell(.up, 1)
    #expect(heard == [.atRest, .active, .atRest])
    subscription.unsubscribe()
  }

  @Test func placesAndWaysAreThoseOfTheSpace() {
    var heard: [[Point]] = [[], [], [], []]
    let source = gestureSource(drag).onRecognitionState([.began, .changed, .ended])
    let subscriptions = [
      source.centroid(in: card).subscribe { heard[0].append($0) },
      source.location(in: .surface).subscribe { heard[1].append($0) },
      source.translation(in: card).subscribe { heard[2].append($0) },
      source.velocity(in: card).subscribe { heard[3].append($0) },
    ]
    tell(.down, 100)
    tell(.move, 110, 20, time: 0.01)
    tell(.move, 120, 40, time: 0.02)
    tell(.up, 120, 40, time: 0.03)
    #expect(heard[0] == [Point(0, 0), Point(5, 10), Point(10, 20), Point(10, 20)])
    #expect(heard[1] == [Point(100, 0), Point(110, 20), Point(120, 40), Point(120, 40)])
    #expect(heard[2] == [Point(0, 0), Point(5, 10), Point(10, 20), Point(10, 20)])
    #expect(heard[3].count == 4 && heard[3][0] == .zero && isClose(heard[3][3], Point(500, 1000), within: 1e-6))
    for subscription in subscriptions { subscription.unsubscribe() }
  }

  @Test func factorsAndAnglesHaveAVelocity() {
    var (factors, angles) = ([Double](), [Double]())
    let first = gestureSource(pinch).state(is: .ended).velocity().subscribe { factors.append($0) }
    let second = gestureSource(turn).state(is: .ended).velocity().subscribe { angles.append($0) }
    tell(.down, 0, id: 1)
    tell(.down, 100, id: 2)
    for step in 1...10 { tell(.move, 100 + Double(step), id: 2, time: Double(step) / 100) }
    tell(.up, 110, id: 2, time: 0.1)
    #expect(factors.count == 1 && abs(factors[0] - 1) < 1e-9 && angles == [0])
    first.unsubscribe()
    second.unsubscribe()
  }

  @Test func translatedAddsToTheValueAtTheBeginning() {
    let position = ReactiveProperty(Point(1000, 1000))
    var heard: [Point] = []
    let subscription = gestureSource(drag).translated(from: position, in: card).subscribe {
      heard.append($0)
      // What was written is no new start.
      position.write($0)
    }
    #expect(heard == [], "nothing before it begins")
    tell(.down, 0)
    tell(.move, 10)
    tell(.move, 10, 6)
    tell(.up, 20, 6)
    #expect(heard == [Point(1000, 1000), Point(1005, 1000), Point(1005, 1003)], "nothing on end")
    position.write(Point(1, 1))
    tell(.down, 50)
    tell(.move, 52)
    tell(.cancel, 52)
    #expect(heard.dropFirst(3) == [Point(1, 1), Point(2, 1)], "a new start")
    subscription.unsubscribe()
  }

  @Test func aLateSubscriberStartsWithTheFirstChange() {
    let position = ReactiveProperty(Point(7, 7))
    tell(.down, 0)
    tell(.move, 10)
    var heard: [Point] = []
    let subscription = gestureSource(drag).translated(from: position).subscribe { heard.append($0) }
    #expect(heard == [Point(17, 7)])
    subscription.unsubscribe()
  }

  @Test func twoSubscribersDoNotDisturbEachOther() {
    let position = ReactiveProperty(Point.zero)
    let stream = gestureSource(drag).translated(from: position)
    var (first, second) = ([Point](), [Point]())
    let one = stream.subscribe { first.append($0) }
    tell(.down, 0)
    position.write(Point(100, 0))
    let two = stream.subscribe { second.append($0) }
    tell(.move, 1)
    #expect(first == [.zero, Point(1, 0)] && second == [Point(100, 0), Point(101, 0)])
    one.unsubscribe()
    two.unsubscribe()
  }

  @Test func rotatedAddsAndScaledMultiplies() {
    let (rotation, scale) = (ReactiveProperty(1.0), ReactiveProperty(3.0))
    var (angles, factors) = ([Double](), [Double]())
    let first = gestureSource(turn).rotated(from: rotation).subscribe { angles.append($0) }
    let second = gestureSource(pinch).scaled(from: scale).subscribe { factors.append($0) }
    tell(.down, 0, id: 1)
    tell(.down, 100, id: 2)
    tell(.move, 0, 200, id: 2)
    tell(.move, -100, id: 2)
    tell(.up, 0, id: 1)
    tell(.up, 0, id: 2)
    #expect(angles.count == 2 && abs(angles[0] - 1 - .pi / 2) < 1e-12 && abs(angles[1] - 1 - .pi) < 1e-12)
    #expect(factors.count == 2 && abs(factors[0] - 6) < 1e-12 && abs(factors[1] - 3) < 1e-12)
    first.unsubscribe()
    second.unsubscribe()
  }

  @Test func eachIsToldAsItWasCalled() {
    let drag = gestureSource(Gesture(TranslationGestureRecognizer()))
    let pinch = gestureSource(Gesture(ScaleGestureRecognizer()))
    let turn = gestureSource(Gesture(RotationGestureRecognizer()))
    let (place, number) = (ReactiveProperty(Point(0, 0), named: "place"), ReactiveProperty(1.0, named: "number"))
    func last(_ metadata: Metadata) -> String { metadata.calls.last?.text ?? "" }
    #expect(
      drag.translated(from: place).metadata.debugDescription == """
        gestureSource(: TranslationGestureRecognizer)
          .translated(from: place, in: .surface)
        """)
    #expect(last(drag.onRecognitionState(.ended).metadata) == "onRecognitionState(: .ended)")
    #expect(last(drag.onRecognitionState([.began, .ended]).metadata) == "onRecognitionState(: .began, .ended)")
    #expect(last(drag.state(is: .ended).metadata) == "state(is: .ended)")
    #expect(last(drag.centroid().metadata) == "centroid(in: .surface)")
    #expect(last(drag.location().metadata) == "location(in: .surface)")
    #expect(last(drag.velocity().metadata) == "velocity(in: .surface)")
    #expect(last(pinch.velocity().metadata) == "velocity()")
    #expect(last(drag.translation().metadata) == "translation(in: .surface)")
    #expect(last(pinch.scaled(from: number).metadata) == "scaled(from: number)")
    #expect(last(turn.rotated(from: number).metadata) == "rotated(from: number)")
  }
}

import MotionModel
import MotionPhysics
import MotionStreams
import MotionTestKit
import Testing

struct TweenSourceTests {
  private let clock = ManualFrameClock()
  private let place = ReactiveProperty(4.0, named: "x")

  private func run(_ frames: Int, dt: Double = 0.25) {
    for number in 0..<frames {
      clock.run(Frame(number: UInt64(number), time: clock.time + dt, dt: dt))
    }
  }

  // Clauses: S5.10
  @Test func `a tween is active, emits each frame, and rests exactly at its end`() throws {
    var heard: [String] = []
    let stream = try tweenSource(Tween(values: [0, 8], duration: 1), from: place, clock)
    let subscription = stream.subscribe(
      next: { heard.append("\($0)") }, state: { heard.append($0 == .active ? "+" : ".") })
    run(6)
    #expect(heard == ["+", "2.0", "4.0", "6.0", "8.0", "."])
    #expect(!clock.isWanted)
    subscription.unsubscribe()
  }

  // Clauses: S5.12
  @Test func `a tween's value depends on the time only, not on the frames`() throws {
    var last = 0.0
    let stream = try tweenSource(Tween(values: [0, 1e6], duration: 1e6), from: place, clock)
    clock.run(Frame(number: 0, time: 7, dt: 7))
    let subscription = stream.subscribe { last = $0 }
    // The sum of this many tenths is off by more than a hundred-millionth.
    for number in 1...100_000 {
      clock.run(Frame(number: UInt64(number), time: 7 + Double(number) / 10, dt: 0.1))
    }
    #expect(abs(last - 10_000) < 1e-9)
    subscription.unsubscribe()
  }

  // Clauses: S5.12
  @Test func `a tween begins with its first frame, whatever the clock's earlier time`() throws {
    var heard: [Double] = []
    let subscription = try tweenSource(Tween(values: [0, 8], duration: 1), from: place, clock).subscribe {
      heard.append($0)
    }
    clock.run(Frame(number: 1000, time: 100.25, dt: 0.25))
    clock.run(Frame(number: 1001, time: 100.5, dt: 0.25))
    #expect(heard == [2, 4])
    subscription.unsubscribe()
  }

  // Clauses: S5.13
  @Test func `a paused tween emits the offset, and continues from there`() throws {
    let timeline = Timeline(timeOffset: 0.75)
    var heard: [String] = []
    let tween = Tween(values: [0, 8], duration: 1, timeline: timeline)
    let subscription = try tweenSource(tween, from: place, clock).subscribe(
      next: { heard.append("\($0)") }, state: { heard.append($0 == .active ? "+" : ".") })
    run(1)
    timeline.paused.write(true)
    #expect(heard == ["+", "2.0", "6.0", "."] && !clock.isWanted)
    timeline.paused.write(true)
    run(3)
    timeline.timeOffset.write(0.25)
    timeline.paused.write(false)
    run(1)
    timeline.timeOffset.write(0)
    #expect(heard == ["+", "2.0", "6.0", ".", "2.0", "+", "4.0"], "an offset that does not count is not shown")
    timeline.paused.write(true)
    #expect(heard.suffix(2) == ["0.0", "."])
    subscription.unsubscribe()
  }

  // Clauses: S5.13
  @Test func `a tween paused after its end emits the offset, and ignores NaN`() throws {
    let timeline = Timeline(timeOffset: 0.5)
    var heard: [Double] = []
    let tween = Tween(values: [0, 8], duration: 1, timeline: timeline)
    let subscription = try tweenSource(tween, from: place, clock).subscribe { heard.append($0) }
    run(4)
    timeline.paused.write(true)
    #expect(heard == [2, 4, 6, 8, 4])
    timeline.paused.write(false)
    run(1)
    timeline.timeOffset.write(.nan)
    timeline.paused.write(true)
    timeline.paused.write(false)
    run(1)
    #expect(heard.suffix(2) == [6, 8], "it holds where it was")
    subscription.unsubscribe()
  }

  // Clauses: S5.13
  @Test(arguments: ["+", "4.0", "8.0"]) func `an observer may pause the tween during any event`(moment: String) throws {
    let timeline = Timeline(timeOffset: 0.25)
    var heard: [String] = []
    func hear(_ what: String) {
      heard.append(what)
      if what == moment { timeline.paused.write(true) }
    }
    let subscription = try tweenSource(Tween(values: [0, 8], duration: 1, timeline: timeline), from: place, clock)
      .subscribe(next: { hear("\($0)") }, state: { hear($0 == .active ? "+" : ".") })
    run(8)
    #expect(heard.suffix(3) == [moment, "2.0", "."] && !clock.isWanted, "\(heard)")
    subscription.unsubscribe()
  }

  @Test func `the metadata contains the tween's values`() throws {
    let number = try tweenSource(Tween(values: [0, 8], duration: 1), from: place, clock)
    #expect(number.metadata.debugDescription == "tween(to: 0.0, 8.0, duration: 1.0)")
    let point = try tweenSource(
      Tween(values: [Point(1, 2)], duration: 1), from: ReactiveProperty(Point.zero), clock)
    #expect(point.metadata.debugDescription == "tween(to: (1.0, 2.0), duration: 1.0)")
  }

  @Test func `the velocity is the curve's, and zero while the tween is scrubbed`() throws {
    let timeline = Timeline()
    var heard: [Moving<Double>] = []
    let tween = Tween(values: [0, 8], duration: 1, timeline: timeline)
    let subscription = try movingTweenSource(tween, from: place, clock).subscribe { heard.append($0) }
    run(1)
    timeline.paused.write(true)
    timeline.timeOffset.write(0.5)
    timeline.paused.write(false)
    run(2)
    #expect(heard == [Moving(2, velocity: 8), Moving(0), Moving(4), Moving(6, velocity: 8), Moving(8)])
    subscription.unsubscribe()
  }

  // Clauses: S5.11
  @Test func `a tween of one value begins at the property's value`() throws {
    var heard: [Double] = []
    let subscription = try tweenSource(Tween(values: [8], duration: 1), from: place, clock).subscribe {
      heard.append($0)
    }
    run(4)
    #expect(heard == [5, 6, 7, 8])
    subscription.unsubscribe()
  }

  // Clauses: S5.13
  @Test func `a paused timeline is scrubbed, one that runs is not`() throws {
    let timeline = Timeline(paused: true)
    var (values, states): ([Double], [MotionState]) = ([], [])
    let tween = Tween(values: [0, 8], duration: 1, timeline: timeline)
    let subscription = try tweenSource(tween, from: place, clock).subscribe(
      next: { values.append($0) }, state: { states.append($0) })
    for offset in [0.5, 0.25, 7] { timeline.timeOffset.write(offset) }
    #expect(values == [0, 4, 2, 8] && !clock.isWanted)
    timeline.timeOffset.write(0.5)
    timeline.paused.write(false)
    run(1)
    #expect(values.last == 6)
    timeline.paused.write(true)
    #expect(!clock.isWanted && states == [.active, .atRest] && values.last == 4)
    subscription.unsubscribe()
  }

  // Clauses: S5.14
  @Test func `values that do not match their offsets are refused at once`() {
    #expect(throws: TweenError.self) { try tweenSource(Tween(values: [], duration: 1), from: place, clock) }
    #expect(throws: TweenError.self) {
      try tweenSource(Tween(values: [0, 1, 2], duration: 1, offsets: [0, 1]), from: place, clock)
    }
  }

  // Clauses: S5.22
  @Test func `a path is followed at constant speed`() throws {
    var heard: [Point] = []
    let stream = try pathSource(along: [[0, 0], [3, 0], [3, 1]], duration: 1, clock)
    let subscription = stream.subscribe { heard.append($0) }
    run(4)
    #expect(heard == [[1, 0], [2, 0], [3, 0], [3, 1]])
    subscription.unsubscribe()
    #expect(throws: TweenError.self) { try pathSource(along: [[0, 0]], duration: 1, clock) }
  }

  // Clauses: S5.22
  @Test func `a path ends exactly at its last point, and passes its points`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    for _ in 0..<200 {
      var points = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        Point(.random(in: -100...100, using: &random), .random(in: -100...100, using: &random))
      }
      // A stretch so short that the length of the whole does not change by it.
      if Bool.random(using: &random) { points.append(points[points.count - 1] + Point(1e-14, 0)) }
      var last: Point?
      let subscription = try pathSource(along: points, duration: 0.5, clock).subscribe { last = $0 }
      run(3, dt: 0.2)
      #expect(last == points.last)
      subscription.unsubscribe()
    }
    // There and back, the value at half of the way is the midpoint: the sum of start and way differs from it by a
    // rounding.
    var heard: [Point] = []
    let stream = try pathSource(along: [[0.2, 0], [0.9, 0], [0.2, 0]], duration: 1, clock)
    let subscription = stream.subscribe { heard.append($0) }
    run(2, dt: 0.5)
    #expect(heard == [[0.9, 0], [0.2, 0]])
    subscription.unsubscribe()
  }

  // Clauses: S5.20, S5.21
  @Test func `frameSource and scrollSource emit frames and offsets`() {
    var numbers: [UInt64] = []
    let frames = frameSource(clock).subscribe { numbers.append($0.number) }
    run(2)
    frames.unsubscribe()
    #expect(numbers == [0, 1] && !clock.isWanted)
    let page = Scrollable("page")
    var heard: [String] = []
    let subscription = scrollSource(page).subscribe(
      next: { heard.append("\($0.y)") }, state: { heard.append($0 == .active ? "+" : ".") })
    page.isScrolling.write(true)
    page.offset.write([0, 9])
    page.isScrolling.write(false)
    #expect(heard == [".", "0.0", "+", "9.0", "."])
    subscription.unsubscribe()
  }

  // Clauses: S5.20
  @Test func `a clock is advanced by seconds`() {
    let clock = ManualFrameClock()
    var heard: [Frame] = []
    let subscription = frameSource(clock).subscribe { heard.append($0) }
    #expect(clock.advance(by: 0.25) == Frame(number: 1, time: 0.25, dt: 0.25))
    clock.advance(by: 0.5)
    #expect(heard.map(\.time) == [0.25, 0.75] && clock.frame.number == 2)
    subscription.unsubscribe()
  }
}

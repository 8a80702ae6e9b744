import MotionModel
import MotionPhysics
import MotionStreams
import Testing

struct SpringSourceTests {
  private let clock = ManualFrameClock()
  private let place = ReactiveProperty(0.0, named: "x")
  private let anchor = ReactiveProperty(1.0, named: "anchor")

  /// Frames of `dt`, until no further frame is needed.
  private func run(dt: Double = 1.0 / 60, atMost limit: Int = 10_000) {
    var number = clock.frame.number
    for _ in 0..<limit where clock.isWanted {
      number += 1
      clock.run(Frame(number: number, time: clock.time + dt, dt: dt))
    }
  }

  // Clauses: S5.1
  @Test(arguments: [1.0 / 60, 1.0 / 1000, 0.1]) func `a spring is exact at any rate, also at its end`(dt: Double) {
    var (values, states): ([Double], [MotionState]) = ([], [])
    // So fine that it is not at rest at half a second.
    let spring = Spring(to: anchor, initialValue: place, threshold: 0.0001)
    let subscription = springSource(spring, clock).subscribe(
      next: { values.append($0) }, state: { states.append($0) })
    #expect(states == [.active] && values.isEmpty)
    run(dt: dt)
    // The reference of the specification, §9.
    let references = [(0.1, 0.622017250), (0.2, 0.970531876), (0.5, 1.000234043)]
    for (time, value) in references where Int((time / dt).rounded()) <= values.count {
      let index = Int((time / dt).rounded()) - 1
      guard abs(Double(index + 1) * dt - time) < 1e-9 else { continue }
      #expect(abs(values[index] - value) < 1e-8, "at \(time) s")
    }
    #expect(values.last == 1 && states == [.active, .atRest])
    #expect(!clock.isWanted)
    subscription.unsubscribe()
  }

  // Clauses: S5.3
  @Test func `a new destination keeps value and velocity, and restarts a spring at rest`() {
    var (values, states): ([Double], [MotionState]) = ([], [])
    let spring = Spring(to: anchor, initialValue: place, threshold: 0.01)
    let subscription = springSource(spring, clock).subscribe(
      next: { values.append($0) }, state: { states.append($0) })
    run(atMost: 6)
    let step = values[5] - values[4]
    anchor.write(0)
    run(atMost: 1)
    #expect(abs(values[6] - values[5] - step) < 0.2, "it does not stop at once")
    #expect(values[6] > values[5])
    run()
    #expect(values.last == 0 && states == [.active, .atRest])
    anchor.write(3)
    #expect(states == [.active, .atRest, .active])
    run()
    #expect(values.last == 3)
    subscription.unsubscribe()
  }

  // Clauses: S5.4
  @Test func `a new configuration keeps value and velocity, and ends at the same place`() {
    var movements: [Moving<Double>] = []
    let spring = Spring(to: anchor, initialValue: place, threshold: 0.01)
    let subscription = movingSpringSource(spring, clock).subscribe { movements.append($0) }
    run(dt: 0.001, atMost: 60)
    spring.configuration.write(.init(tension: 20, friction: 2))
    run(dt: 0.001, atMost: 1)
    let (before, after) = (movements[59], movements[60])
    #expect(abs(after.value - before.value - before.velocity * 0.001) < 1e-4)
    #expect(abs(after.velocity - before.velocity) < 0.05, "no longer braked as it was, and not thrown")
    run(dt: 0.001)
    #expect(movements.last == Moving(1) && (movements.map(\.value).max() ?? 0) > 1.2, "it swings as it is told now")
    subscription.unsubscribe()
  }

  // Clauses: S5.2
  @Test func `an initial velocity is used once`() {
    let spring = Spring(to: anchor, initialValue: place, threshold: 0.01)
    spring.initialVelocity.write(-20)
    let stream = springSource(spring, clock)
    var lowest = 0.0
    let first = stream.subscribe { lowest = min(lowest, $0) }
    #expect(spring.initialVelocity.read() == 0)
    run()
    first.unsubscribe()
    #expect(lowest < -0.1)
    lowest = 0
    let second = stream.subscribe { lowest = min(lowest, $0) }
    run()
    #expect(lowest == 0, "the second begins at rest")
    second.unsubscribe()
  }

  // Clauses: S5.2
  @Test func `a spring's threshold is read at each subscription`() {
    var values: [Double] = []
    let spring = Spring(to: anchor, initialValue: place, threshold: 0.001)
    let stream = springSource(spring, clock)
    let first = stream.subscribe { values.append($0) }
    run(atMost: 2)
    spring.threshold.write(1000)
    run(atMost: 1)
    #expect(clock.isWanted && values.count == 3 && values[2] < 0.5)
    first.unsubscribe()
    let second = stream.subscribe { values.append($0) }
    #expect(!clock.isWanted && values.last == 1, "the next subscription reads it again")
    second.unsubscribe()
  }

  // Clauses: S5.5
  @Test func `unsubscribing stops the spring`() {
    var values: [Double] = []
    let subscription = springSource(Spring(to: anchor, initialValue: place), clock).subscribe { values.append($0) }
    run(atMost: 2)
    subscription.unsubscribe()
    #expect(!clock.isWanted && values.count == 2)
    anchor.write(9)
    #expect(!clock.isWanted)
  }

  // Clauses: S5.6
  @Test func `a spring at its destination ends at once`() {
    var heard: [String] = []
    let spring = Spring(to: anchor, initialValue: ReactiveProperty(1.04))
    let subscription = springSource(spring, clock).subscribe(
      next: { heard.append("\($0)") }, state: { heard.append("\($0)") })
    #expect(heard == ["active", "1.0", "atRest"] && !clock.isWanted)
    subscription.unsubscribe()
  }

  // Clauses: S5.7
  @Test func `invalid numbers of a spring give finite values`() {
    for threshold in [0, -1, Double.nan] {
      var values: [Double] = []
      let (goal, start) = (ReactiveProperty(1.0), ReactiveProperty(Double.infinity))
      let spring = Spring(to: goal, initialValue: start, threshold: threshold)
      spring.initialVelocity.write(40)
      let subscription = springSource(spring, clock).subscribe { values.append($0) }
      run(atMost: 2)
      goal.write(.infinity)
      goal.write(.nan)
      spring.configuration.write(.init(tension: -1, friction: 30))
      spring.configuration.write(.init(tension: .nan, friction: 30, mass: 0))
      run(dt: -1, atMost: 1)
      run()
      #expect(values.last == 1 && values.count > 3 && values.allSatisfy(\.isFinite))
      subscription.unsubscribe()
    }
  }

  // Clauses: S5.7
  @Test(arguments: [(0, 1e308), (-1e308, 1e308), (1e308, -1.7e308), (1e300, 5)])
  func `extreme numbers of a spring give finite values`(start: Double, goal: Double) {
    var values: [Double] = []
    let (destination, place) = (ReactiveProperty(goal), ReactiveProperty(start))
    let spring = Spring(to: destination, initialValue: place, threshold: 1)
    spring.initialVelocity.write(1e308)
    let subscription = springSource(spring, clock).subscribe { values.append($0) }
    run(atMost: 500)
    #expect(values.count > 0 && values.allSatisfy(\.isFinite))
    destination.write(values[values.count - 1] + 10)
    run(atMost: 500)
    #expect(values.count > 1 && values.allSatisfy(\.isFinite))
    subscription.unsubscribe()
  }

  // Clauses: S5.8
  @Test func `a spring without tension rests where friction stops it`() {
    var values = [0.0]
    let spring = Spring(to: ReactiveProperty(100), initialValue: place, configuration: .init(tension: 0, friction: 10))
    spring.initialVelocity.write(50)
    let subscription = springSource(spring, clock).subscribe { values.append($0) }
    run()
    // The whole distance that friction permits: v/c; a last tenth of the threshold is not covered.
    #expect(abs((values.last ?? 0) - 5) <= 0.1)
    #expect(zip(values, values.dropFirst()).allSatisfy { abs($1 - $0) < 1 }, "and no jump")
    subscription.unsubscribe()
  }

  // Clauses: S5.9
  @Test func `the velocity beside the value is its derivative`() {
    var movements: [Moving<Double>] = []
    let subscription = movingSpringSource(Spring(to: anchor, initialValue: place, threshold: 0.01), clock)
      .subscribe { movements.append($0) }
    run(dt: 0.001)
    for (before, after) in zip(movements, movements.dropFirst()).dropLast() {
      let mean = (before.velocity + after.velocity) / 2
      #expect(abs((after.value - before.value) / 0.001 - mean) < 1e-3)
    }
    #expect(movements.last == Moving(1))
    subscription.unsubscribe()
  }
}

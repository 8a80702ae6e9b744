import MotionModel
import MotionStreams
import MotionTestKit
import Testing

/// Any sequence of events: no trap, legal states, finite values, and a recogniser that is ready when all fingers are
/// up.
@Suite struct RandomEventsTests {
  /// Sequences of each test.
  static let runs = 400

  private static func event(_ random: inout SeededRandom, after time: inout Double, ids: UInt64) -> PointerEvent {
    let awkward = [
      .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, 1e-4, 1e9, -1e9, 1.1e9, 1e300,
      .greatestFiniteMagnitude,
    ]
    func number(_ range: ClosedRange<Double>) -> Double {
      random.chance(0.05) ? awkward.randomElement(using: &random) ?? 0 : .random(in: range, using: &random)
    }
    // Time that stays, that goes back, that jumps ahead.
    if random.chance(0.7) { time += Double.random(in: 0...0.03, using: &random) }
    if random.chance(0.05) { time -= Double.random(in: 0...1, using: &random) }
    // Places on a coarse grid, so that fingers meet, or on a fine one.
    let location =
      random.chance(0.3)
      ? SIMD2(Double.random(in: 0...3, using: &random).rounded(), 0) : SIMD2(number(-400...400), number(-400...400))
    return PointerEvent(
      id: .random(in: 0..<ids, using: &random), PointerEvent.Phase.allCases.randomElement(using: &random) ?? .up,
      at: location, time: random.chance(0.03) ? number(0...1) : time)
  }

  /// Passes random events to a recogniser and checks the guarantees of every recogniser; `isFinite` checks its values.
  private static func check<Recognizer: GestureRecognizer>(
    _ name: String, _ make: (inout SeededRandom) -> Recognizer, isFinite: (Recognizer, Double) -> Bool
  ) {
    var random = SeededRandom(seed: SeededRandom.seed(of: name))
    for run in 0..<runs {
      var recognizer = make(&random)
      let ids: UInt64 = run % 10 == 0 ? 200 : .random(in: 1...5, using: &random)
      var (time, told) = (0.0, [PointerEvent]())
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        let event = event(&random, after: &time, ids: ids)
        told.append(event)
        let before = recognizer.state
        let heard = random.chance(0.005) ? recognizer.cancel() : recognizer.handle(event)
        checkSteps(from: before, hearing: heard, to: recognizer.state, told)
        if recognizer.pointers.isEmpty { #expect(recognizer.state == .possible, "run \(run), after \(told)") }
        #expect(recognizer.pointers.count <= PointerSet.limit)
        let centre = recognizer.centroid
        #expect(centre.x.isFinite && centre.y.isFinite && isFinite(recognizer, time), "run \(run), after \(told)")
      }
      // All fingers are lifted.
      for pointer in recognizer.pointers.pointers {
        recognizer.handle(PointerEvent(id: pointer.id, .up, at: pointer.location, time: time))
      }
      #expect(recognizer.pointers.isEmpty && recognizer.state == .possible)
    }
  }

  /// From state to state through the received states, each step allowed by the table.
  private static func checkSteps(
    from before: GestureState, hearing heard: GestureState?, to after: GestureState, _ told: [PointerEvent]
  ) {
    var steps = [before]
    if let heard { steps.append(heard) }
    if after != steps[steps.count - 1] { steps.append(after) }
    for (from, to) in zip(steps, steps.dropFirst()) {
      #expect(from.canBecome(to), "\(steps) after \(told)")
    }
    #expect(after != .ended && after != .recognized)
  }

  // Clauses: S6.1
  @Test func `taps keep their invariants under random events`() {
    Self.check("taps") {
      TapGestureRecognizer(slop: .random(in: 0...300, using: &$0))
    } isFinite: { _, _ in
      true
    }
  }

  // Clauses: S6.1
  @Test func `drags keep their invariants under random events`() {
    Self.check("drags") {
      TranslationGestureRecognizer(slop: $0.chance(0.3) ? 0 : .random(in: -1...300, using: &$0))
    } isFinite: { drag, time in
      let (way, velocity) = (drag.translation, drag.velocity(at: time))
      return way.x.isFinite && way.y.isFinite && velocity.x.isFinite && velocity.y.isFinite
    }
  }

  // Clauses: S6.1
  @Test func `pinches keep their invariants under random events`() {
    Self.check("pinches") { _ in
      ScaleGestureRecognizer()
    } isFinite: { pinch, time in
      pinch.scale.isFinite && pinch.scale >= 0 && pinch.scale <= ScaleGestureRecognizer.largest
        && pinch.velocity(at: time).isFinite
    }
  }

  // Clauses: S6.1
  @Test func `rotations keep their invariants under random events`() {
    Self.check("turns") { _ in
      RotationGestureRecognizer()
    } isFinite: { turn, time in
      turn.rotation.isFinite && turn.velocity(at: time).isFinite
    }
  }

  /// However the fingers move, and however many are added and lifted, between two events a value moves no further than
  /// they do.
  // Clauses: S6.7
  @Test func nothingJumps() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "nothingJumps"))
    for _ in 0..<Self.runs {
      var drag = TranslationGestureRecognizer(slop: 0)
      var (locations, time) = ([UInt64: SIMD2<Double>](), 0.0)
      for _ in 0..<100 {
        time += 0.01
        let id = UInt64.random(in: 0..<5, using: &random)
        let before = drag.translation
        guard let location = locations[id] else {
          locations[id] = SIMD2(.random(in: 0...900, using: &random), .random(in: 0...900, using: &random))
          drag.handle(PointerEvent(id: id, .down, at: locations[id] ?? .zero, time: time))
          #expect(drag.translation == (locations.count == 1 ? .zero : before))
          continue
        }
        let step = SIMD2(Double.random(in: -9...9, using: &random), .random(in: -9...9, using: &random))
        let isUp = random.chance(0.2)
        let share = step / Double(locations.count)
        locations[id] = isUp ? nil : location + step
        drag.handle(PointerEvent(id: id, isUp ? .up : .move, at: location + step, time: time))
        #expect(isClose(drag.translation, before + share))
      }
    }
  }
}

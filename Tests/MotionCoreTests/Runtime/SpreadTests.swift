import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans that differ from target to target of a selector.
struct SpreadTests {
  private let runtime = Runtime()

  /// The plans that the runtime makes of one for several targets.
  private func resolved(
    _ intention: Intention, toEach targets: TargetSelector, _ spread: Spread
  ) throws -> [(target: String, plan: Intention)] {
    var transaction = Transaction()
    transaction.add(intention, toEach: targets, spread: spread)
    let resolution = try TargetResolution(transaction, in: runtime)
    while !resolution.isFinished { try resolution.advance(3) }
    let check = try TransactionCheck(resolution, staging: false)
    try check.finish()
    return resolution.log.compactMap { operation in
      if case .add(let plan, _, let target) = operation { (target.text, plan) } else { nil }
    }
  }

  private func destination(_ plan: Intention) -> Double? {
    if case .number(let number)? = plan["destination"] { number } else { nil }
  }

  private func refusal(_ intention: Intention, _ targets: TargetSelector, _ spread: Spread) -> Refusal? {
    #expect(throws: Refusal.self) { try resolved(intention, toEach: targets, spread) }
  }

  // Clauses: S21.13
  @Test func `numbers, vectors and durations lie evenly between the first and the last target`() throws {
    let plans = try resolved(
      .springTo("level", 20), toEach: "lamp{1..5}", Spread(to: [.init("destination", .number(100))]))
    #expect(plans.map(\.target) == ["lamp1", "lamp2", "lamp3", "lamp4", "lamp5"])
    #expect(plans.map { destination($0.plan) } == [20, 40, 60, 80, 100])
    let vectors = try resolved(
      .springTo("p", [0, 1]), toEach: "{a,b,c}", Spread(to: [.init("destination", .vector([1, -1]))]))
    #expect(vectors.map { $0.plan["destination"] } == [.vector([0, 1]), .vector([0.5, 0]), .vector([1, -1])])
    let times = try resolved(
      Intention(
        "Follow",
        [
          .init("property", .property("x")), .init("input", .text("f")), .init("mode", .choice("smoothing")),
          .init("timeConstant", .duration(.seconds(1))),
        ]),
      toEach: "{a,b,c}", Spread(to: [.init("timeConstant", .duration(.seconds(2)))]))
    #expect(times.map { $0.plan["timeConstant"] } == [1, 1.5, 2].map { .duration(.seconds($0)) })
    // The end is exact, whatever the numbers.
    let exact = try resolved(.springTo("x", 0.1), toEach: "t{1..7}", Spread(to: [.init("destination", .number(0.7))]))
    #expect(exact.last?.plan["destination"] == .number(0.7))
  }

  // Clauses: S21.13, S21.14
  @Test func `of one target the plan is that of the operation, and a stagger adds to its delay`() throws {
    let spread = Spread(to: [.init("destination", .number(100))], stagger: 0.5)
    let one = try resolved(Intention.springTo("x", 20).after(1), toEach: "{a,}b", spread)
    #expect(one.map(\.target) == ["ab", "b"])
    #expect(one.map(\.plan.after) == [1, 1.5])
    let single = try resolved(Intention.springTo("x", 20).after(1), toEach: "{a,a}", spread)
    #expect(single.map(\.plan) == [Intention.springTo("x", 20).after(1)])
  }

  // Clauses: S21.14
  @Test func `targets begin one after the other`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("level", 1), toEach: "lamp{1..12}", spread: Spread(stagger: 0.1))
    let receipt = try runtime.commit(transaction)
    #expect(receipt.addressed == [.init(operation: 0, targets: 12)])
    while runtime.frame.time < 0.55 { runtime.advance() }
    let moving = (1...12).filter { runtime.state(of: "level", on: .lamp($0)).map { $0.value[0] > 0 } ?? false }
    #expect(moving == Array(1...6))
    while runtime.wantsFrames || runtime.nextDueTime != nil { runtime.advance() }
    #expect((1...12).allSatisfy { runtime.state(of: "level", on: .lamp($0))?.value[0] == 1 })
    #expect(runtime.frame.time > 1.1)
  }

  // Clauses: S21.15
  @Test func `a property orders the targets, and equal values have one place`() throws {
    let places: [(TargetName, Lanes)] = [
      ("a", [3, 1]), ("b", [1, 2]), ("c", [3, 0]), ("d", [1, 2]), ("e", [2, 5]),
    ]
    var transaction = Transaction()
    for (target, place) in places { transaction.add(.springTo("position", place), to: target) }
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    func order(_ text: String) throws -> [String] {
      try resolved(.springTo("x", 0), toEach: "?", Spread(stagger: 1, by: try SpreadOrder(text)))
        .map { "\($0.target)\(Int($0.plan.after))" }
    }
    #expect(try order("position") == ["b0", "d0", "e1", "c2", "a3"])
    #expect(try order("-position.x") == ["a0", "c0", "e1", "b2", "d2"])
    #expect(try order("position.y") == ["c0", "a1", "b2", "d2", "e3"])
    let values = try resolved(
      .springTo("x", 0), toEach: "?", Spread(to: [.init("destination", .number(3))], by: try SpreadOrder("position")))
    #expect(values.map { destination($0.plan) } == [0, 0, 1, 2, 3])
    // All in one place.
    let flat = try resolved(
      .springTo("x", 7), toEach: "{b,d}",
      Spread(to: [.init("destination", .number(3))], stagger: 1, by: try SpreadOrder("position")))
    #expect(flat.map { destination($0.plan) } == [7, 7] && flat.allSatisfy { $0.plan.after == 0 })
  }

  // Clauses: S21.13, S21.14, S21.15
  @Test func `what cannot be spread or ordered is refused with its field`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("level", 1), to: "lamp1")
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    let plan = Intention.springTo("x", 1)
    #expect(refusal(plan, "t{1..3}", Spread(to: [.init("destination", .vector([1, 2]))]))?.field == "destination")
    #expect(refusal(plan, "t{1..3}", Spread(to: [.init("property", .property("y"))]))?.field == "property")
    #expect(refusal(plan, "t{1..3}", Spread(to: [.init("mass", .number(2))]))?.field == "mass")
    #expect(refusal(plan, "t{1..3}", Spread(to: [.init("destination", .number(.infinity))])) != nil)
    #expect(refusal(plan, "t{1..3}", Spread(stagger: -1))?.field == "stagger")
    #expect(refusal(plan, "t{1..3}", Spread(stagger: .nan))?.field == "stagger")
    #expect(refusal(plan, "t{1..3}", Spread(stagger: Limits.durationSeconds))?.field == "after")
    let missing = refusal(plan, "lamp{1..2}", Spread(stagger: 1, by: SpreadOrder("level" as PropertyName)))
    #expect(missing?.field == "by" && missing?.message.contains("lamp2") == true && missing?.operation == 0)
    #expect(
      refusal(plan, "lamp*", Spread(stagger: 1, by: SpreadOrder("level" as PropertyName, lane: 1)))?.field == "by")
    for text in ["", "-", "a.q", "a.x.y", "a/b", String(repeating: "x", count: 200)] {
      #expect(throws: SpreadOrderError.self) { try SpreadOrder(text) }
    }
    for text in ["x", "-x", "position.y", "-color.w"] { #expect(try SpreadOrder(text).description == text) }
  }

  /// Whatever the pieces, the result is that of sorting everything at once.
  // Clauses: S21.10, S21.15
  @Test func `ordering in pieces gives what sorting gives`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    for round in 0..<40 {
      let runtime = Runtime()
      var setup = Transaction()
      var values: [TargetName: Double] = [:]
      for index in 1...Int.random(in: 1...60, using: &random) {
        let value = Double(Int.random(in: -5...5, using: &random))
        values[.lamp(index)] = value
        setup.add(.springTo("x", Lanes(value)), to: .lamp(index))
      }
      try runtime.commit(setup)
      runtime.advanceUntilRest()
      var transaction = Transaction()
      let isDescending = random.chance(0.5)
      transaction.add(
        .springTo("y", 0), toEach: "lamp*",
        spread: Spread(
          to: [.init("destination", .number(1))], stagger: 1,
          by: SpreadOrder("x" as PropertyName, isDescending: isDescending)))
      let resolution = try TargetResolution(transaction, in: runtime)
      while !resolution.isFinished { try resolution.advance(Int.random(in: 1...9, using: &random)) }
      let ranks = Set(values.values).sorted { isDescending ? $0 > $1 : $0 < $1 }
      let expected = values.sorted {
        ($0.value * (isDescending ? -1 : 1), $0.key.text.count, $0.key.text)
          < ($1.value * (isDescending ? -1 : 1), $1.key.text.count, $1.key.text)
      }
      .map { "\($0.key) \(Double(ranks.firstIndex(of: $0.value) ?? -1))" }
      let found = resolution.log.compactMap { operation in
        if case .add(let plan, _, let target) = operation { "\(target) \(plan.after)" } else { nil }
      }
      #expect(found == expected, "round \(round), seed \(TestSeed.value)")
    }
  }
}

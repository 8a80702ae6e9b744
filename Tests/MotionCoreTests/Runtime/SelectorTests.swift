import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Operations on all targets for which a selector stands, and groups.
@Suite struct SelectorTests {
  private let runtime = Runtime()

  @discardableResult
  private func commit(at: Double? = nil, _ change: (inout Transaction) -> Void) throws -> Receipt {
    var transaction = Transaction()
    change(&transaction)
    return try runtime.commit(transaction, at: at)
  }

  private func makeLamps(_ count: Int) throws {
    try commit { for index in (1...count).reversed() { $0.add(.springTo("level", 0.5), to: TargetName.lamp(index)) } }
    runtime.advance()
  }

  private static func members(_ count: Int) throws -> TargetSelector { try TargetSelector("x{1..\(count)}") }

  private func value(_ target: TargetName) -> Double? { runtime.state(of: "level", on: target)?.value[0] }

  private func settle() { while runtime.wantsFrames { runtime.advance() } }

  // Clauses: S21.2, S21.6
  @Test func `a plan is added to all targets of a pattern, in natural order, and the receipt has their number`() throws
  {
    try makeLamps(12)
    let receipt = try commit { $0.add(.springTo("level", 1), named: "up", toEach: "lamp*") }
    #expect(receipt.addressed == [.init(operation: 0, targets: 12)])
    #expect(receipt.counts == Receipt.Counts(added: 12))
    let applied = try #require(runtime.pendingCommits.first).transaction
    #expect(applied.log.compactMap(\.target) == (1...12).map(TargetName.lamp))
    #expect(applied.selectors.isEmpty)
    settle()
    #expect((1...12).allSatisfy { value(.lamp($0)) == 1 })
  }

  // Clauses: S21.2
  @Test func `targets that come later are not concerned`() throws {
    try makeLamps(2)
    try commit(at: 1) { $0.add(.springTo("level", 1), toEach: "lamp*") }
    try commit { $0.add(.springTo("level", 0.25), to: .lamp(3)) }
    while runtime.frame.time < 1.5 { runtime.advance() }
    settle()
    #expect([1, 2, 3].map { value(.lamp($0)) } == [1, 1, 0.25])
  }

  // Clauses: S21.2
  @Test func `what was committed or stands before in the transaction counts`() throws {
    try makeLamps(3)
    try commit {
      $0.add(.springTo("level", 0.5), to: .lamp(4))
      $0.forget(.lamp(1))
    }
    let receipt = try commit {
      $0.add(.springTo("level", 0.5), to: .lamp(5))
      $0.forget(.lamp(2))
      $0.group("rest", "lamp*")
      $0.add(.springTo("level", 1), toEach: "@rest")
      $0.ungroup("rest")
    }
    #expect(receipt.addressed == [.init(operation: 2, targets: 3), .init(operation: 3, targets: 3)])
    settle()
    #expect([1, 2, 3, 4, 5].map { value(.lamp($0)) } == [nil, nil, 1, 1, 1])
    #expect(runtime.groups == [])
  }

  // Clauses: S21.3
  @Test(arguments: ["spot*", "@nobody", "spot*,@nobody"])
  func `a selector that stands for no target is refused with its operation, and nothing changes`(text: String) throws {
    try makeLamps(2)
    settle()
    let before = runtime.snapshot()
    let selector = try TargetSelector(text)
    let refusal = #expect(throws: Refusal.self) {
      try commit {
        $0.add(.springTo("level", 1), toEach: "lamp*")
        $0.remove(named: "x", fromEach: selector)
      }
    }
    #expect(refusal?.code == .notFound && refusal?.operation == 1 && refusal?.field == "from")
    #expect(refusal?.remedy.isEmpty == false)
    #expect(runtime.snapshot() == before)
  }

  // Clauses: S21.3
  @Test func `a refusal has the operation as it was committed`() throws {
    try makeLamps(3)
    let refusal = #expect(throws: Refusal.self) {
      try commit {
        $0.add(.springTo("level", 1), toEach: "lamp*")
        $0.add(.springTo("level", [1, 2]), toEach: "lamp3,lamp1")
      }
    }
    #expect(refusal?.code == .lanes && refusal?.operation == 1)
  }

  // Clauses: S21.6
  @Test func `displaced and limited plans of a selector are named with their targets`() throws {
    try makeLamps(3)
    try commit {
      $0.add(Intention.anchoredSpring("level", 0).priority(5), to: .lamp(2))
      $0.limit("level", ofEach: "lamp*", .limits(PropertyLimits(velocity: 0.1, acceleration: 1)))
    }
    runtime.advance()
    let receipt = try commit {
      $0.forget("other")
      $0.add(.springTo("level", 1), toEach: "lamp*")
    }
    #expect(receipt.displaced.map(\.operation) == [1] && receipt.displaced.map(\.target) == [.lamp(2)])
    #expect(!receipt.limited.isEmpty && receipt.limited.allSatisfy { $0.operation == 1 && $0.target != nil })
  }

  // Clauses: S21.1, S21.5
  @Test func `a group has names for members, and survives a checkpoint and a snapshot`() throws {
    try makeLamps(2)
    try commit {
      $0.group("front", "lamp{1..3},spot")
      $0.group("all", "@front,lamp*")
    }
    #expect(runtime.groups == [], "it takes effect with the frame")
    runtime.advance()
    let rows = [
      GroupRow("all", [.lamp(1), .lamp(2), .lamp(3), "spot"]),
      GroupRow("front", [.lamp(1), .lamp(2), .lamp(3), "spot"]),
    ]
    #expect(runtime.groups == rows)
    #expect(try runtime.answer(.groups) == .groups(rows))
    try commit { $0.forget(.lamp(1)) }
    try commit { $0.group("front", "spot") }
    runtime.advance()
    #expect(runtime.groups.last?.members == ["spot"])
    #expect(runtime.groups.first?.members.contains(.lamp(1)) == true, "a forgotten target stays a member")
    let other = Runtime()
    other.restore(runtime.checkpoint())
    #expect(other.groups == runtime.groups)
    let same = Runtime()
    try same.restore(try #require(runtime.snapshot()))
    #expect(same.groups == runtime.groups)
  }

  // Clauses: S21.7
  @Test func `too much is refused before it takes memory`() throws {
    try makeLamps(3)
    func refusal(_ change: @escaping (inout Transaction) -> Void) -> Refusal.Code? {
      #expect(throws: Refusal.self) { try commit(change) }?.code
    }
    #expect(refusal { $0.forget(each: "x{1..999999999}") } == .limit)
    #expect(refusal { for _ in 0..<2 { $0.forget(each: "x{1..60000}") } } == .limit)
    #expect(refusal { for _ in 0..<1000 { $0.forget(each: "{a,a}{b,b}{c,c}{d,d}{e,e}{f,f}{g,g}{h,h}") } } == .limit)
    #expect(refusal { for _ in 0...Limits.patternsPerTransaction { $0.forget(each: "lamp*") } } == .limit)
    let (most, more) = try (Self.members(Limits.groupMembers), Self.members(Limits.groupMembers + 1))
    #expect(refusal { $0.group("big", more) } == .limit)
    #expect(refusal { for index in 0...Limits.groups { $0.group(GroupName.number(index), "x") } } == .limit)
    let long = Intention("Text", [.init("text", .text(String(repeating: "x", count: 16_000)))])
    #expect(refusal { $0.add(long, toEach: "x{1..60000}") } == .limit)
    #expect(throws: Never.self) { try commit { $0.group("big", most) } }
    runtime.advance()
    #expect(refusal { $0.group("one", "x") } == .limit)
    #expect(throws: Never.self) { try commit { $0.ungroup("big") } }
    runtime.advance()
    #expect(throws: Never.self) { try commit { $0.group("one", "x") } }
  }

  // Clauses: S21.7
  @Test func `groups beyond the limit that two transactions make together are stored and restored`() throws {
    for half in 0..<2 {
      try commit {
        for index in 0..<Limits.groups { $0.group(GroupName.number(half * Limits.groups + index), "x") }
      }
    }
    runtime.advance()
    #expect(runtime.groups.count == 2 * Limits.groups)
    let other = Runtime()
    other.restore(runtime.checkpoint())
    #expect(other.groups == runtime.groups)
  }

  // Clauses: S21.8
  @Test func `a stop of a selector stops what it stands for, and nothing where it stands for nothing`() throws {
    try makeLamps(3)
    try commit { $0.add(.anchoredSpring("level", 1), toEach: "lamp*,spot") }
    runtime.advance()
    let stop = try runtime.resolve(StopRequest(each: "lamp?", outputs: true))
    #expect(stop.targets == (1...3).map(TargetName.lamp) && stop.selector == nil && stop.outputs)
    #expect(throws: Refusal.self) { try runtime.resolve(StopRequest(each: "bulb*")) }
    #expect(throws: Refusal.self) { try runtime.resolve(StopRequest(each: "@bulbs")) }
    runtime.applyNow(.stop(StopRequest(each: "lamp*")))
    #expect(runtime.counts.intentions == 7, "an unresolved stop stops nothing")
    runtime.applyNow(.stop(stop))
    #expect(runtime.counts.intentions == 1)
  }

  /// A transaction of random operations, resolved in pieces, is the one that a simple model makes.
  // Clauses: S21.2, S21.10
  @Test func `resolving in pieces gives what a simple model gives`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    let names = (1...12).map(TargetName.lamp)
    let plans = RandomPlans(
      on: Array(names.prefix(4)), types: BuiltInIntentions.inProcess, selecting: true, delaying: true)
    var resolved = 0
    for round in 0..<400 {
      let runtime = Runtime()
      var setup = Transaction()
      for name in names.shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random)) {
        setup.add(.springTo("level", 1), to: name)
      }
      setup.group("g1", "lamp{1..2}")
      try runtime.commit(setup)
      runtime.advance()
      for _ in 0..<Int.random(in: 0...2, using: &random) { _ = try? runtime.commit(plans.transaction(&random)) }
      var model = SelectionModel(runtime)
      for waiting in runtime.pendingCommits { _ = model.resolve(waiting.transaction) }
      let request = plans.transaction(&random)
      let expected = model.resolve(request)
      let found: [Transaction.Operation]?
      do {
        let resolution = try TargetResolution(request, in: runtime)
        while !resolution.isFinished { try resolution.advance(Int.random(in: 1...3, using: &random)) }
        found = resolution.log
      } catch {
        found = nil
      }
      #expect(found == expected, "round \(round), seed \(TestSeed.value)")
      resolved += expected == nil || request.selectors.isEmpty ? 0 : 1
    }
    #expect(resolved > 20)
  }
}

/// Resolves selectors with sets.
private struct SelectionModel {
  private var targets: Set<TargetName>
  private var groups: [GroupName: [TargetName]]
  private let runtime: Runtime

  init(_ runtime: Runtime) {
    self.runtime = runtime
    targets = Set(runtime.checkpoint().targets.map(\.name))
    groups = Dictionary(uniqueKeysWithValues: runtime.groups.map { ($0.group, $0.members) })
  }

  /// `nil` if it is refused.
  mutating func resolve(_ transaction: Transaction) -> [Transaction.Operation]? {
    var log: [Transaction.Operation] = []
    for (index, operation) in transaction.log.enumerated() {
      guard let selector = transaction.selectors[index] else {
        log.append(operation)
        note(operation)
        continue
      }
      let rows = groups.map { GroupRow($0.key, $0.value) }
      guard selector.missingGroup(among: rows) == nil,
        let names = selector.names(among: Array(targets), groups: rows), !names.isEmpty
      else { return nil }
      let spreadOut = transaction.spreads[index].map { self.plans(of: operation, on: names, $0) }
      if case .some(nil) = spreadOut { return nil }
      let made: [Transaction.Operation] =
        switch operation {
        case .add(let intention, let name, _): (spreadOut ?? nil) ?? names.map { .add(intention, named: name, to: $0) }
        case .remove(let name, _): names.map { .remove(named: name, from: $0) }
        case .removePlan(let identity, _): names.map { .removePlan(identity, from: $0) }
        case .forget: names.map { .forget($0) }
        case .limit(let property, _, let setting): names.map { .limit(property, of: $0, setting) }
        case .group(let name, _): [.group(name, names)]
        case .scene, .cues: []
        }
      log += made
      for operation in made { note(operation) }
    }
    return log
  }

  /// The plans of an operation with a spread, in order; `nil` if it is refused.
  private func plans(
    of operation: Transaction.Operation, on names: [TargetName], _ spread: Spread
  ) -> [Transaction.Operation]? {
    guard case .add(let intention, let name, _) = operation, (try? spread.check(for: intention)) != nil else {
      return nil
    }
    var places = Array(names.indices)
    var names = names
    if let order = spread.by {
      let keys = names.map { runtime.state(of: order.property, on: $0)?.value[0] }
      guard !keys.contains(nil) else { return nil }
      let keyed = zip(names, keys).map { ($0, ($1 ?? 0) * (order.isDescending ? -1 : 1)) }
      let sorted = keyed.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element)
      let ranks = Set(sorted.map(\.1)).sorted()
      places = sorted.map { ranks.firstIndex(of: $0.1) ?? 0 }
      names = sorted.map(\.0)
    }
    return zip(names, places).map { target, place in
      .add(spread.plan(intention, at: place, of: places.last ?? 0), named: name, to: target)
    }
  }

  private mutating func note(_ operation: Transaction.Operation) {
    switch operation {
    case .add(_, _, let target): targets.insert(target)
    case .forget(let target): targets.remove(target)
    case .group(let name, let members): groups[name] = members.isEmpty ? nil : members
    case .remove, .removePlan, .limit, .scene, .cues: break
    }
  }
}

extension TargetName {
  static func lamp(_ number: Int) -> TargetName {
    do {
      return try TargetName("lamp\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension GroupName {
  fileprivate static func number(_ number: Int) -> GroupName {
    do {
      return try GroupName("g\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

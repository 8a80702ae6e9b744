import Glibc
import MotionCore
import MotionModel
import MotionStreams
import MotionTestKit
import Testing

/// Executors made of streams, in a runtime.
struct StreamExecutorTests {
  /// Sways for ever around the property's previous place.
  private static func sway() -> ExecutorDeclaration {
    StreamExecutor.declaration(
      "Sway",
      [
        IntentionDescription(
          type: "Sway", kind: .standing, executor: "Sway",
          fields: [
            FieldDescription("property", .property, default: .property("x"), access: .writes, "What sways.")
          ], documentation: "Sways.")
      ]
    ) { plan in
      let swing = MotionObservable<Double>(Metadata("swing")) { observer in
        guard let start: Moving<Double> = try? plan.start(of: "x") else { return noopDisconnect }
        var elapsed = 0.0
        observer.state(.active)
        let frames = plan.clock.subscribe {
          elapsed += $0.dt
          observer.next(start.value + 10 * sin(elapsed))
        }
        return { frames.unsubscribe() }
      }
      try plan.write(swing, to: "x")
    }
  }

  /// Rises by 100 a second for half a second, once; it provides its velocity.
  private static func rise() -> ExecutorDeclaration {
    StreamExecutor.declaration(
      "Rise",
      [
        IntentionDescription(
          type: "Rise", kind: .oneShot, executor: "Rise",
          fields: [FieldDescription("property", .property, default: .property("x"), access: .writes, "What rises.")],
          documentation: "Rises.")
      ]
    ) { plan in
      let start: Moving<Double> = try plan.start(of: "x")
      let rise = MotionObservable<Moving<Double>>(Metadata("rise")) { observer in
        var elapsed = 0.0
        observer.state(.active)
        var frames: Subscription?
        frames = plan.clock.subscribe {
          elapsed += $0.dt
          let isOver = elapsed > 0.5 - 1e-9
          observer.next(Moving(start.value + 100 * min(elapsed, 0.5), velocity: isOver ? 0 : 100))
          guard isOver else { return }
          frames?.unsubscribe()
          observer.state(.atRest)
        }
        return { frames?.unsubscribe() }
      }
      try plan.write(rise, to: "x")
    }
  }

  /// Twice the value of another property.
  private static func double() -> ExecutorDeclaration {
    StreamExecutor.declaration(
      "Double",
      [
        IntentionDescription(
          type: "Double", kind: .standing, executor: "Double",
          fields: [
            FieldDescription("property", .property, default: .property("x"), access: .writes, "What is written."),
            FieldDescription("of", .reference, "What is doubled."),
          ], documentation: "Doubles.")
      ]
    ) { plan in
      guard case .reference(let reference)? = plan.intention["of"] else { return }
      let leader: MotionObservable<Moving<Double>> = plan.read(reference)
      try plan.write(
        leader._map(leader.metadata.with("doubled()")) { Moving($0.value * 2, velocity: $0.velocity * 2) }, to: "x")
    }
  }

  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    for declaration in [Self.sway(), Self.rise(), Self.double()] { try registry.register(declaration) }
    return Runtime(registry: registry, ratePerSecond: 100)
  }

  private func add(_ intention: Intention, named name: IntentionName? = nil, to runtime: Runtime) throws {
    var transaction = Transaction()
    if let name { transaction.add(intention, named: name, to: "ball") } else { transaction.add(intention, to: "ball") }
    try runtime.commit(transaction)
  }

  private func x(_ runtime: Runtime) -> PropertyState? { runtime.state(of: "x", on: "ball") }

  // Clauses: S8.23
  @Test func `values are written, with velocities that follow from them, and states are tokens`() throws {
    let runtime = try runtime()
    try add(Intention("Sway"), to: runtime)
    for _ in 1...100 { runtime.advance() }
    let state = try #require(x(runtime))
    #expect(abs(state.value[0] - 10 * sin(1)) < 1e-9)
    #expect(abs(state.velocity[0] - 10 * cos(1)) < 0.1)
    guard case .tokens(let tokens) = try runtime.answer(.tokens(nil)) else { throw UnexpectedResult() }
    #expect(tokens.map(\.token) == ["x 1.0"])
    #expect(runtime.isActive)
  }

  // Clauses: S8.24
  @Test func `a one-shot is finished when its stream rests, and a later one displaces it`() throws {
    let runtime = try runtime()
    runtime.log.keeps = .endings
    try add(Intention("Rise"), to: runtime)
    for _ in 1...10 { runtime.advance() }
    #expect(x(runtime)?.velocity == Lanes(100))
    try add(Intention("Rise"), to: runtime)
    runtime.advance()
    #expect(runtime.log.takeEnded().map(\.outcome) == [.displaced])
    runtime.advanceUntilRest()
    #expect(runtime.log.takeEnded().map(\.outcome) == [.completed])
    #expect(abs((x(runtime)?.value[0] ?? .nan) - 60) < 1e-9)
    #expect(!runtime.isActive)
  }

  // Clauses: S8.25
  @Test func `a displaced stream is unsubscribed, and later resubscribed from the present state`() throws {
    let runtime = try runtime()
    try add(Intention("Sway"), to: runtime)
    for _ in 1...50 { runtime.advance() }
    try add(.springTo("x", 500), to: runtime)
    runtime.advance()
    guard case .tokens(let tokens) = try runtime.answer(.tokens(nil)) else { throw UnexpectedResult() }
    #expect(tokens.isEmpty, "it is not at work while the spring is")
    var last = try #require(x(runtime)).value[0]
    for _ in 1...1000 {
      runtime.advance()
      let next = try #require(x(runtime)).value[0]
      #expect(abs(next - last) < 120)
      last = next
    }
    #expect(abs(last - 500) < 11, "it sways where the spring left it")
    #expect(runtime.isActive)
  }

  @Test func `a plan added after a long rest begins at the present time`() throws {
    var registry = ExecutorRegistry()
    try registry.register(
      StreamExecutor.declaration(
        "Stamp",
        [
          IntentionDescription(
            type: "Stamp", kind: .standing, executor: "Stamp",
            fields: [FieldDescription("property", .property, default: .property("x"), access: .writes, "What tells.")],
            documentation: "Says when it began.")
        ]
      ) { plan in
        let moment = MotionObservable<Double>(Metadata("moment")) { observer in
          observer.state(.active)
          observer.next(plan.clock.time)
          observer.state(.atRest)
          return noopDisconnect
        }
        try plan.write(moment, to: "x")
      })
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    for _ in 1...50 { runtime.advance() }
    try add(Intention("Stamp"), to: runtime)
    runtime.advance()
    #expect(abs((x(runtime)?.value[0] ?? .nan) - 0.5) < 1e-9)
  }

  /// Advances, and returns the largest change of `x` beyond what its velocity explains, and of its velocity.
  private func jumps(_ runtime: Runtime, frames: Int) throws -> (value: Double, velocity: Double) {
    var largest = (value: 0.0, velocity: 0.0)
    for _ in 0..<frames {
      let last = try #require(x(runtime))
      runtime.advance()
      let next = try #require(x(runtime))
      let explained = (last.velocity[0] + next.velocity[0]) / 2 * 0.01
      largest.value = max(largest.value, abs(next.value[0] - last.value[0] - explained))
      largest.velocity = max(largest.velocity, abs(next.velocity[0] - last.velocity[0]))
    }
    return largest
  }

  private func remove(_ name: IntentionName, from runtime: Runtime) throws {
    var transaction = Transaction()
    transaction.remove(named: name, from: "ball")
    try runtime.commit(transaction)
  }

  // Clauses: S8.25
  @Test func `a stream continues from a property in motion, whatever moved it`() throws {
    let runtime = try runtime()
    try add(Intention("Sway"), to: runtime)
    for _ in 1...50 { runtime.advance() }
    try add(.springTo("x", 500), named: "spring", to: runtime)
    for _ in 1...10 { runtime.advance() }
    let fast = try #require(x(runtime)).velocity[0]
    #expect(fast > 1000)
    try remove("spring", from: runtime)
    let jumps = try jumps(runtime, frames: 50)
    // The difference fades within 150 ms: at its end, at most 6 times as steeply as an even fade.
    #expect(jumps.velocity < 6 * fast * 0.01 / 0.15)
    #expect(jumps.value < jumps.velocity * 0.01)
    #expect(runtime.isActive, "it sways")
    #expect(abs(try #require(x(runtime)).velocity[0]) < 11)
  }

  // Clauses: S8.30
  @Test func `the later of two standing plans drives, and the other continues after its end`() throws {
    let runtime = try runtime()
    try add(Intention("Sway"), named: "a", to: runtime)
    for _ in 1...100 { runtime.advance() }
    try add(Intention("Sway"), named: "b", to: runtime)
    // Velocities differ by up to 20; at first the difference fades 4 times as fast as it would evenly.
    let steepest = 4 * 20 * 0.01 / 0.15
    var jumps = try jumps(runtime, frames: 100)
    #expect(jumps.value < 0.01 && jumps.velocity < steepest, "\(jumps)")
    guard case .tokens(let tokens) = try runtime.answer(.tokens(nil)) else { throw UnexpectedResult() }
    #expect(tokens.count == 1, "one of them is at work")
    try remove("b", from: runtime)
    jumps = try self.jumps(runtime, frames: 100)
    #expect(jumps.value < 0.01 && jumps.velocity < steepest, "\(jumps)")
    try add(Intention("Sway"), named: "c", to: runtime)
    _ = try self.jumps(runtime, frames: 50)
    try remove("a", from: runtime)
    jumps = try self.jumps(runtime, frames: 50)
    #expect(jumps.value < 0.01 && jumps.velocity < 0.2, "the one that waited is missed by nobody: \(jumps)")
    try remove("c", from: runtime)
    runtime.advanceUntilRest()
  }

  // Clauses: S8.30
  @Test func `a plan that waits for one at rest begins when that one is removed`() throws {
    var registry = ExecutorRegistry()
    try registry.register(
      StreamExecutor.declaration(
        "Go",
        [
          IntentionDescription(
            type: "Go", kind: .standing, executor: "Go",
            fields: [
              FieldDescription("property", .property, default: .property("x"), access: .writes, "What goes."),
              FieldDescription("for", .number, "The seconds that it goes, by 1 a second."),
            ], documentation: "Goes for a while.")
        ]
      ) { plan in
        guard case .number(let seconds)? = plan.intention["for"] else { return }
        let way = MotionObservable<Double>(Metadata("way")) { observer in
          guard let start: Moving<Double> = try? plan.start(of: "x") else { return noopDisconnect }
          let began = plan.clock.time
          observer.state(.active)
          var frames: Subscription?
          frames = plan.clock.subscribe {
            observer.next(start.value + min($0.time - began, seconds))
            guard $0.time - began >= seconds else { return }
            frames?.unsubscribe()
            observer.state(.atRest)
          }
          return { frames?.unsubscribe() }
        }
        try plan.write(way, to: "x")
      })
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    try add(Intention("Go", [.init("for", .number(5))]), named: "long", to: runtime)
    try add(Intention("Go", [.init("for", .number(0))]), named: "short", to: runtime)
    for _ in 1...300 { runtime.advance() }
    #expect(!runtime.isActive)
    let before = try #require(x(runtime)).value[0]
    try remove("short", from: runtime)
    runtime.advance()
    #expect(abs(try #require(x(runtime)).value[0] - before) < 0.02, "its time begins now")
    runtime.advanceUntilRest()
    #expect(abs(try #require(x(runtime)).value[0] - before - 5) < 0.02)
  }

  @Test func `a removed plan is released although its streams own it`() throws {
    final class Plans { var alive: [() -> Bool] = [] }
    let plans = Plans()
    let sway = Self.sway()
    var registry = ExecutorRegistry()
    try registry.register(
      StreamExecutor.declaration("Sway", sway.descriptions) { plan in
        plans.alive.append { [weak plan] in plan != nil }
        let swing = MotionObservable<Double>(Metadata("swing")) { observer in
          let frames = plan.clock.subscribe { observer.next(sin($0.time - plan.startTime)) }
          return { frames.unsubscribe() }
        }
        try plan.write(swing, to: "x")
      })
    var runtime: Runtime? = Runtime(registry: registry, ratePerSecond: 100)
    for name in ["a", "b", "c"] as [IntentionName] {
      let runtime = try #require(runtime)
      try add(Intention("Sway"), named: name, to: runtime)
      runtime.advance()
      if name != "c" { try remove(name, from: runtime) }
      runtime.advance()
    }
    #expect(plans.alive.map { $0() } == [false, false, true])
    runtime = nil
    #expect(plans.alive.map { $0() } == [false, false, false], "also with the runtime")
  }

  @Test func `a plan refused after a stream was connected is released`() throws {
    final class Plans { var alive: [() -> Bool] = [] }
    let plans = Plans()
    let sway = Self.sway()
    var registry = ExecutorRegistry()
    try registry.register(
      StreamExecutor.declaration("Sway", sway.descriptions) { plan in
        plans.alive.append { [weak plan] in plan != nil }
        try plan.write(frameSource(plan.clock)._map(Metadata("still")) { _ in plan.startTime }, to: "x")
        throw Refusal(.value, field: "property", "it is not to be", remedy: "None.")
      })
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    runtime.log.keeps = .endings
    try add(Intention("Sway"), named: "a", to: runtime)
    runtime.advance()
    #expect(runtime.log.takeEnded().map(\.outcome) == [.failed])
    #expect(plans.alive.map { $0() } == [false])
  }

  // Clauses: S8.25
  @Test func `an executor reads properties as streams`() throws {
    let runtime = try runtime()
    let reference = PropertyReference("leader", "x")
    try add(Intention("Double", [.init("of", .reference(reference))]), named: "double", to: runtime)
    var transaction = Transaction()
    transaction.add(.springTo("x", 21), to: "leader")
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    #expect(x(runtime) == PropertyState(42))
    var removal = Transaction()
    removal.remove(named: "double", from: "ball")
    removal.add(.springTo("x", 0), to: "leader")
    try runtime.commit(removal)
    runtime.advanceUntilRest()
    #expect(x(runtime)?.value == Lanes(42))
  }

  @Test func `a plan that cannot be connected fails with the reason`() throws {
    let runtime = try runtime()
    runtime.log.keeps = .endings
    var transaction = Transaction()
    transaction.add(.springTo("x", [1, 2]), to: "ball")
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    _ = runtime.log.takeEnded()
    try add(Intention("Rise"), to: runtime)
    runtime.advance()
    let ended = runtime.log.takeEnded()
    #expect(ended.first?.outcome == .failed)
    #expect(ended.first?.reason.contains("2 lanes") == true)
  }
}

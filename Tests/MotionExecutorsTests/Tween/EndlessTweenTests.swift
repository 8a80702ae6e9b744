import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// Tweens that repeat for ever, and are standing.
struct EndlessTweenTests {
  private static let dt = 1.0 / 64
  private let endless = Intention.tween(
    "level", from: 0, to: 8, duration: .seconds(1), repetition: .forever, autoreverses: true)

  private func place(_ time: Double) -> Double {
    let run = time.truncatingRemainder(dividingBy: 2)
    return 8 * (run < 1 ? run : 2 - run)
  }

  private func host() -> RecordingExecutorHost {
    RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self), properties: ["level": PropertyState(0)])
  }

  /// Checks that no step of the values is larger than the velocities allow.
  private func expectEven(_ writes: [(time: Double, state: PropertyState)]) {
    for (before, after) in zip(writes, writes.dropFirst()) {
      let step = after.state.value[0] - before.state.value[0]
      let fastest = max(abs(before.state.velocity[0]), abs(after.state.velocity[0]))
      #expect(abs(step) <= 1.5 * fastest * (after.time - before.time) + 1e-9, "at \(after.time)")
    }
  }

  // Clauses: S13.9
  @Test func `a flash interrupts it, and it goes on as if there had been none`() throws {
    let host = host()
    try host.add(endless)
    for _ in 0..<40 { host.advance(by: Self.dt) }
    let flash = try host.add(.tween("level", to: 30, easing: "ease-out", duration: .milliseconds(250)))
    for _ in 0..<16 { host.advance(by: Self.dt) }
    #expect(host.state(of: "level") == PropertyState(30))
    #expect(host.finished.map(\.identity) == [flash] && host.isActive)
    let start = host.writes(of: "level").count - 1
    for _ in 0..<11 { host.advance(by: Self.dt) }
    expectEven(Array(host.writes(of: "level")[start...]))
    #expect(abs((host.state(of: "level")?.value[0] ?? 0) - place(67 * Self.dt)) < 1e-9)
  }

  // Clauses: S13.9
  @Test func `it returns to a property that another executor had, evenly and in step`() throws {
    let host = host()
    try host.add(endless)
    host.advance(by: Self.dt)
    host.displace("level")
    for _ in 0..<100 { host.advance(by: Self.dt) }
    #expect(!host.isActive && host.finished.isEmpty)
    host.resume("level", from: PropertyState(-20, velocity: 5))
    let start = host.writes(of: "level").count
    host.advance(by: Self.dt)
    let first = try #require(host.state(of: "level"))
    #expect(abs(first.value[0] + 20) < 1 && first.velocity[0] > 5)
    for _ in 0..<11 { host.advance(by: Self.dt) }
    expectEven(Array(host.writes(of: "level")[start...]))
    #expect(abs((host.state(of: "level")?.value[0] ?? 0) - place(113 * Self.dt)) < 1e-9)
  }

  // Clauses: S13.9
  @Test func `of several the latest moves the property, and the one below goes on after it`() throws {
    let host = host()
    try host.add(endless)
    host.advance(by: Self.dt)
    let upper = try host.add(.tween("level", from: 100, to: 200, duration: .seconds(1), repetition: .forever))
    for _ in 0..<20 { host.advance(by: Self.dt) }
    #expect((host.state(of: "level")?.value[0] ?? 0) > 100 && host.finished.isEmpty)
    host.remove(upper)
    for _ in 0..<12 { host.advance(by: Self.dt) }
    #expect(abs((host.state(of: "level")?.value[0] ?? 0) - place(33 * Self.dt)) < 1e-9)
  }

  // Clauses: S13.9
  @Test func `in a runtime it stands: it is listed so, and no plan that ends displaces it`() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    var transaction = Transaction()
    transaction.add(endless, named: "pulse", to: "lamp")
    try runtime.commit(transaction)
    for _ in 0..<10 { runtime.advance() }
    var flash = Transaction()
    flash.add(.springTo("level", 50), to: "lamp")
    #expect(try runtime.commit(flash).displaced == [])
    var frames = 0
    repeat {
      runtime.advance()
      frames += 1
    } while try rows(runtime).count == 2 && frames < 1000
    #expect(try rows(runtime).map(\.kind) == [.standing])
    for _ in 0..<10 { runtime.advance() }
    let value = try #require(runtime.state(of: "level", on: "lamp")?.value[0])
    #expect(abs(value - place(runtime.frame.time)) < 1e-9)
  }

  // Clauses: S13.9, S22.3
  @Test(arguments: [SceneRecall.Transition.spring, .fade(0.5)])
  func `a scene has it with its beginning, and a recall approaches that`(_ transition: SceneRecall.Transition) throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    func commit(_ change: (inout Transaction) -> Void) throws {
      var transaction = Transaction()
      change(&transaction)
      try runtime.commit(transaction)
      runtime.advance()
    }
    func value() -> Double { runtime.state(of: "level", on: "lamp")?.value[0] ?? .nan }
    try commit { $0.add(.springTo("level", 3), to: "lamp") }
    runtime.advanceUntilRest()
    let tween = Intention.tween("level", to: 8, duration: .seconds(1), repetition: .forever, autoreverses: true)
    try commit { $0.add(tween, named: "pulse", to: "lamp") }
    for _ in 0..<20 { runtime.advance() }
    try commit { $0.saveScene("pulse", of: "*") }
    try commit { $0.recall(SceneRecall("pulse", transition)) }
    #expect(try rows(runtime).map(\.intention) == [tween], "it is there")
    try commit { $0.remove(named: "pulse", from: "lamp") }
    try commit { $0.add(.springTo("level", 100), to: "lamp") }
    runtime.advanceUntilRest()
    try commit { $0.recall(SceneRecall("pulse", transition)) }
    var (last, frames) = (value(), 0)
    #expect(last > 90)
    while try rows(runtime).count == 2, frames < 500 {
      runtime.advance()
      #expect(abs(value() - last) < 20)
      last = value()
      frames += 1
    }
    #expect(abs(last - 3) < 0.01, "its beginning")
    for _ in 0..<100 {
      runtime.advance()
      #expect(abs(value() - last) < 1)
      last = value()
    }
    // It began after the fade.
    let recalled = if case .fade(let seconds) = transition { tween.from(3).after(seconds) } else { tween.from(3) }
    #expect(try rows(runtime).map(\.intention) == [recalled])
    let identities = try rows(runtime).map(\.identity)
    try commit { $0.recall(SceneRecall("pulse", transition)) }
    #expect(try rows(runtime).map(\.identity) == identities, "it is there")
  }

  private func rows(_ runtime: Runtime) throws -> [IntentionRow] {
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { return [] }
    return rows
  }
}

extension Intention {
  fileprivate func from(_ value: Double) -> Intention {
    var plan = self
    plan["from"] = .number(value)
    return plan
  }
}

import MotionCore
import MotionExecutors
import MotionModel
import MotionPhysics
import MotionTestKit
import Testing

/// A host of a tween executor, and 64 frames a second: a length that sums without rounding.
private func tweenHost(_ properties: [PropertyName: PropertyState] = [:]) -> RecordingExecutorHost {
  RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self), target: "circle", properties: properties)
}

private let dt = 1.0 / 64

@Suite struct TweenExecutorTests {
  @Test func writesValueAndVelocityAtTheFramesTime() throws {
    let host = tweenHost(["opacity": PropertyState(1)])
    try host.add(.tween("opacity", to: 0, duration: .seconds(1)))
    for _ in 0..<3 { host.advance(by: dt) }
    let writes = host.writes(of: "opacity")
    #expect(writes.map(\.time) == [dt, 2 * dt, 3 * dt])
    #expect(writes.map { $0.state.value[0] } == [1 - dt, 1 - 2 * dt, 1 - 3 * dt])
    #expect(writes.allSatisfy { $0.state.velocity == -1 })
  }

  // Clauses: S13.1
  @Test func endsExactlyAtRestAndFinishesOnce() throws {
    let host = tweenHost(["opacity": PropertyState(0.1)])
    let identity = try host.add(.tween("opacity", to: 0.3, easing: "ease-in-out", duration: .milliseconds(300)))
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(host.state(of: "opacity") == PropertyState(0.3))
    #expect(host.finished.map(\.identity) == [identity])
    #expect(host.finished.map(\.outcome) == [.completed])
    // 300 ms are 19.2 frames: the 20th is the first at or beyond the end.
    #expect(host.writes(of: "opacity").count == 20)
    #expect(host.tokens.isEmpty && !host.isActive)
  }

  @Test(arguments: [30.0, 50, 60, 120, 999, 1000]) func `rounding of times takes no extra frame`(rate: Double) throws {
    let host = tweenHost()
    // Up to a time that is a sum of many roundings.
    for _ in 0..<12_345 { host.advance(by: 1 / rate) }
    try host.add(.tween("opacity", to: 0, duration: .seconds(2)))
    #expect(host.advance(by: 1 / rate, untilIdleWithin: 4000))
    #expect(host.writes(of: "opacity").count == Int(2 * rate))
  }

  @Test func `a tween's stream is described with the property's lanes`() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    transaction.add(.tween("opacity", to: 0, duration: .seconds(1)), to: "ball")
    transaction.add(.tween("position", to: [3, 4], duration: .seconds(2)), to: "ball")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(
      try runtime.streamLines(on: "ball") == [
        "curve(through: 1.0, 0.0, duration: 1.0) -> opacity",
        "curve(through: [0.0, 0.0], [3.0, 4.0], duration: 2.0) -> position",
      ])
  }

  // Clauses: S11.9
  @Test func startsWithTheFrameThatAppliedIt() throws {
    let host = tweenHost(["opacity": PropertyState(0)])
    for _ in 0..<10 { host.advance(by: dt) }
    try host.add(.tween("opacity", to: 1, duration: .seconds(1)))
    host.advance(by: dt)
    #expect(host.state(of: "opacity")?.value == Lanes(dt))
  }

  @Test func `a provisioned tween continues at its present time`() throws {
    let host = tweenHost(["opacity": PropertyState(0.5)])
    for _ in 0..<32 { host.advance(by: dt) }
    try host.add(
      PlannedIntention(
        identity: .init(sequence: 1, operation: 0), intention: .tween("opacity", to: 0, duration: .seconds(1)),
        startFrame: 1, startTime: 0,
        starts: [.init("opacity", handle: PropertyHandle(1), state: PropertyState(1))]))
    host.advance(by: dt)
    #expect(host.state(of: "opacity") == PropertyState(Lanes(0.5 - dt), velocity: -1))
  }

  @Test func `skipped frames do not change a tween's course`() throws {
    let host = tweenHost(["opacity": PropertyState(0)])
    try host.add(.tween("opacity", to: 1, duration: .seconds(1)))
    host.advance(by: 0.75)
    #expect(host.state(of: "opacity") == PropertyState(0.75, velocity: 1))
    host.advance(by: 10)
    #expect(host.state(of: "opacity") == PropertyState(1))
    #expect(!host.isActive)
  }

  // Clauses: S13.4
  @Test func laterTweenOnThePropertyDisplacesTheEarlier() throws {
    let host = tweenHost(["position": PropertyState([0, 0])])
    let first = try host.add(.tween("position", to: [100, 0], duration: .seconds(1)))
    for _ in 0..<32 { host.advance(by: dt) }
    let second = try host.add(.tween("position", to: [0, 100], duration: .seconds(1)))
    #expect(host.finished.map(\.identity) == [first] && host.finished.map(\.outcome) == [.displaced])
    let before = try #require(host.state(of: "position"))
    #expect(before == PropertyState([50, 0], velocity: [100, 0]))
    host.advance(by: 1e-6)
    let after = try #require(host.state(of: "position"))
    // Carried: it continues with its previous velocity.
    #expect(abs(after.value[0] - 50 - 100e-6) < 1e-7 && abs(after.velocity[0] - 100) < 0.01)
    #expect(abs(after.velocity[1]) < 0.01)
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(
      host.finished.map(\.identity) == [first, second] && host.finished.map(\.outcome) == [.displaced, .completed])
    #expect(host.state(of: "position") == PropertyState([0, 100]))
  }

  // Clauses: S13.4
  @Test func tweensOnSeveralPropertiesRunSideBySide() throws {
    let host = tweenHost()
    let ids = try [
      host.add(.tween("opacity", to: 0, duration: .milliseconds(100))),
      host.add(.tween("position", to: [10, 20], duration: .milliseconds(200))),
    ]
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(host.finished.map(\.identity) == ids)
    #expect(host.state(of: "opacity") == PropertyState(0))
    #expect(host.state(of: "position") == PropertyState([10, 20]))
  }

  @Test func `a removed or displaced tween writes nothing more`() throws {
    for stop: (RecordingExecutorHost, IntentionIdentity) -> Void in [
      { host, identity in host.remove(identity) },
      { host, _ in host.remove(named: "fade") },
      { host, _ in host.displace("opacity") },
    ] {
      let host = tweenHost()
      let identity = try host.add(.tween("opacity", to: 0), named: "fade")
      host.advance(by: dt)
      stop(host, identity)
      let said = host.reports.count
      for _ in 0..<100 { host.advance(by: dt) }
      #expect(host.reports.count == said && !host.isActive)
    }
  }

  @Test func displacementOfOnePropertyLeavesTheOthers() throws {
    let host = tweenHost()
    try host.add(.tween("opacity", to: 0))
    try host.add(.tween("rotation", to: 1))
    host.displace("opacity")
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(host.writes(of: "opacity").isEmpty)
    #expect(host.state(of: "rotation") == PropertyState(1))
  }

  @Test func `a tween imposes value and velocity in its first frame of any length`() throws {
    let host = tweenHost()
    try host.add(.tween("opacity", from: 0, to: 1, duration: .seconds(5)))
    host.advance(by: 1)
    guard case .wrote(_, _, let imposing, _, _)? = host.reports.last?.content else { throw NoWrite() }
    #expect(imposing == [.value, .velocity])
  }

  @Test func `a tween imposes what it does not carry`() throws {
    func imposed(_ tween: TweenIntention, velocity: Lanes = 1, after frames: Int = 1) throws -> Imposed? {
      let host = tweenHost(["opacity": PropertyState(0.5, velocity: velocity)])
      try host.add(tween.intention)
      for _ in 0..<frames { host.advance(by: dt) }
      guard case .wrote(_, _, let imposing, _, _)? = host.reports.last?.content else { return nil }
      return imposing
    }
    #expect(try imposed(TweenIntention("opacity", values: [1])) == [])
    #expect(try imposed(TweenIntention("opacity", values: [1], carries: false)) == .velocity)
    #expect(try imposed(TweenIntention("opacity", values: [1], from: 0)) == .value)
    #expect(try imposed(TweenIntention("opacity", values: [0, 1])) == .value)
    #expect(try imposed(TweenIntention("opacity", values: [0, 1], carries: false)) == [.value, .velocity])
    // From rest there is no velocity to carry.
    #expect(try imposed(TweenIntention("opacity", values: [1]), velocity: 0) == .velocity)
    // In the middle, where only a restarted worker takes over, nothing may jump.
    #expect(try imposed(TweenIntention("opacity", values: [0, 1], carries: false), after: 8) == [])
  }

  // Clauses: S13.5
  @Test func `a tween without duration jumps, also where its worker comes late`() throws {
    let host = tweenHost()
    let planned = PlannedIntention(
      identity: .init(sequence: 1, operation: 0), intention: .tween("opacity", to: 0, duration: .zero),
      startFrame: 1, startTime: 0,
      starts: [.init("opacity", handle: PropertyHandle(1), state: PropertyState(1, velocity: 3))])
    for _ in 0..<64 { host.advance(by: dt) }
    try host.add(planned)
    host.advance(by: dt)
    let writes = host.reports.compactMap { report -> (PropertyState, Imposed)? in
      if case .wrote(_, let state, let imposing, _, _) = report.content { (state, imposing) } else { nil }
    }
    #expect(writes.map(\.0) == [PropertyState(0)] && writes.map(\.1) == [[.value, .velocity]])
  }

  // Clauses: S13.8
  @Test func `a tween reports in which time its carried velocity is to be blended out`() throws {
    func carry(_ tween: TweenIntention, velocity: Lanes = 5) throws -> Double? {
      let host = tweenHost(["opacity": PropertyState(0.5, velocity: velocity)])
      try host.add(tween.intention)
      host.advance(by: dt)
      guard case .wrote(_, _, _, _, let carry)? = host.reports.first?.content else { throw NoWrite() }
      return carry
    }
    // T = A / (2 ‖Δv‖), within 1/60 s and 150 ms.
    #expect(try carry(TweenIntention("opacity", values: [0], easing: ["ease-in-out"])) == 0.05)
    #expect(try carry(TweenIntention("opacity", values: [0]), velocity: 50) == 1.0 / 60)
    #expect(try carry(TweenIntention("opacity", values: [0], easing: ["ease-in-out"]), velocity: 0.01) == 0.15)
    #expect(try carry(TweenIntention("opacity", values: [0], carries: false)) == nil)
    #expect(try carry(TweenIntention("opacity", values: [0]), velocity: 0) == nil)
  }

  @Test func `a tween reports its remaining time`() throws {
    func remaining(_ tween: TweenIntention) throws -> Double? {
      let host = tweenHost()
      try host.add(tween.intention)
      host.advance(by: 0.25)
      guard case .wrote(_, _, _, let remaining, _)? = host.reports.first?.content else { throw NoWrite() }
      return remaining
    }
    #expect(try remaining(TweenIntention("opacity", values: [0], duration: .seconds(1))) == 0.75)
    #expect(
      try remaining(
        TweenIntention("opacity", values: [0], duration: .seconds(1), delay: .seconds(1), repetition: .times(3)))
        == 3.75)
    #expect(try remaining(TweenIntention("opacity", values: [0], repetition: .forever)) == nil)
    #expect(try remaining(TweenIntention("opacity", values: [0], duration: .milliseconds(200))) == 0)
  }
}

private struct NoWrite: Error {}

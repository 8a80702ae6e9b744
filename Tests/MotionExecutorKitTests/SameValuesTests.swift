import MotionCore
import MotionExecutorKit
import MotionExecutors
import MotionModel
import MotionStreams
import MotionTestKit
import Testing

/// One test body runs an executor in this process, in a worker's session, and in a worker behind sockets: the same
/// values in every frame, bit for bit.
@Suite(.timeLimit(.minutes(3))) struct SameValuesTests {
  private static let properties: [PropertyName: PropertyState] = [
    "opacity": PropertyState(1), "position": PropertyState([10, 20], velocity: [3, 0]),
  ]
  private static let dt = 1.0 / 60

  /// The comparable part of a frame: the last value of each property, and the events, in order.
  private struct Moment: Equatable {
    var time: Double
    var states: [PropertyName: ExecutorReport.Content] = [:]
    var events: [ExecutorReport.Content] = []
  }

  private func moments(_ reports: [ExecutorReport]) -> [Moment] {
    var moments: [Moment] = []
    for report in reports {
      if moments.last?.time != report.time { moments.append(Moment(time: report.time)) }
      switch report.content {
      case .wrote(let property, _, _, _, _): moments[moments.count - 1].states[property] = report.content
      case .wroteDisplaced, .wroteRefused: break
      default: moments[moments.count - 1].events.append(report.content)
      }
    }
    return moments
  }

  /// The life of a tween: begun, interrupted by another, next to a third with a name, displaced, resumed.
  private func play(_ driver: any ExecutorDriver) throws -> [Moment] {
    _ = try driver.add(
      Intention("Tween", [.init("property", .property("opacity")), .init("to", .number(0))]), named: nil)
    for _ in 0..<6 { driver.advance(by: Self.dt) }
    _ = try driver.add(
      Intention(
        "Tween",
        [
          .init("property", .property("opacity")), .init("to", .number(0.75)),
          .init("duration", .duration(.milliseconds(150))),
        ]), named: nil)
    _ = try driver.add(
      Intention("Tween", [.init("property", .property("position")), .init("to", .vector([100, 50]))]), named: "move")
    for _ in 0..<4 { driver.advance(by: Self.dt) }
    driver.remove(named: "move")
    for _ in 0..<20 { driver.advance(by: Self.dt) }
    let last = try driver.add(
      Intention("Tween", [.init("property", .property("position")), .init("to", .vector([0, 0]))]), named: "move")
    for _ in 0..<3 { driver.advance(by: Self.dt) }
    driver.displace("position")
    for _ in 0..<3 { driver.advance(by: Self.dt) }
    driver.remove(last)
    return moments(driver.takeReports())
  }

  @Test func `a tween in a worker produces the same values as in process`() throws {
    let declaration = ExecutorDeclaration(TweenExecutor.self)
    let here = try play(RecordingExecutorHost(declaration, properties: Self.properties))
    let inSession = try play(
      WorkerDriver(declaration, SessionTransport(declaration), properties: Self.properties))
    let behindSockets = try play(
      WorkerDriver(
        declaration, try SocketTransport { ExecutorDeclaration(TweenExecutor.self) }, properties: Self.properties))
    #expect(here.count > 15)
    #expect(here.contains { !$0.events.isEmpty })
    #expect(here == inSession)
    #expect(here == behindSockets)
  }

  /// Rises for ever from the property's value, by `speed` a second.
  private static func rise() -> ExecutorDeclaration {
    StreamExecutor.declaration(
      "Rise",
      [
        IntentionDescription(
          type: "Rise", kind: .standing, executor: "Rise",
          fields: [
            FieldDescription("property", .property, default: .property("opacity"), access: .writes, "What rises."),
            FieldDescription("speed", .number, "How fast."),
          ], documentation: "Rises.")
      ]
    ) { plan in
      guard case .number(let speed)? = plan.intention["speed"] else { return }
      let way = MotionObservable<Double>(Metadata("way")) { observer in
        guard let start: Moving<Double> = try? plan.start(of: "opacity") else { return noopDisconnect }
        let began = plan.clock.time
        let frames = frameSource(plan.clock).subscribe(
          next: { observer.next(start.value + speed * ($0.time - began)) }, state: observer.state)
        return { frames.unsubscribe() }
      }
      try plan.write(way, to: "opacity")
    }
  }

  /// Two standing plans of streams that write the same property: the later one moves it, then the earlier one.
  private func alternate(_ driver: any ExecutorDriver) throws -> [Moment] {
    _ = try driver.add(Intention("Rise", [.init("speed", .number(1))]), named: "slow")
    for _ in 0..<20 { driver.advance(by: Self.dt) }
    _ = try driver.add(Intention("Rise", [.init("speed", .number(10))]), named: "fast")
    for _ in 0..<20 { driver.advance(by: Self.dt) }
    driver.remove(named: "fast")
    for _ in 0..<20 { driver.advance(by: Self.dt) }
    return moments(driver.takeReports())
  }

  @Test func `alternating standing plans of streams produce the same values in a worker`() throws {
    let here = try alternate(RecordingExecutorHost(Self.rise(), properties: Self.properties))
    let inSession = try alternate(
      WorkerDriver(Self.rise(), SessionTransport(Self.rise()), properties: Self.properties))
    #expect(here.map(\.states) == inSession.map(\.states))
    var states: [PropertyState] = []
    for case .wrote(_, let state, _, _, _)? in here.map({ $0.states["opacity"] }) { states.append(state) }
    #expect(states.count == 60)
    for (last, next) in zip(states, states.dropFirst(1)) {
      let explained = (last.velocity[0] + next.velocity[0]) / 2 * Self.dt
      #expect(abs(next.value[0] - last.value[0] - explained) < 0.02, "\(last), \(next)")
      #expect(abs(next.velocity[0] - last.velocity[0]) < 6 * 9 * Self.dt / 0.15, "\(last), \(next)")
    }
    #expect(try abs(#require(states.last).velocity[0] - 1) < 1e-9)
    #expect(abs(states[38].velocity[0] - 10) < 1e-9)
  }

  @Test func `an executor in a worker conforms`() {
    let declaration = ExecutorDeclaration(TweenExecutor.self)
    let plans = [
      Intention("Tween", [.init("property", .property("opacity")), .init("to", .number(0))]),
      Intention("Tween", [.init("property", .property("position")), .init("to", .vector([100, 50]))]),
    ]
    let conformance = ExecutorConformance(plans: plans) {
      WorkerDriver(declaration, SessionTransport(declaration), properties: Self.properties)
    }
    #expect(conformance.violations() == [])
  }

  @Test func `an executor of streams that reads conforms in a worker`() {
    let declaration = ExecutorDeclaration(SquashAndStretchExecutor.self)
    let conformance = ExecutorConformance(plans: [.squashAndStretch()]) {
      WorkerDriver(
        declaration, SessionTransport(declaration),
        properties: ["position": PropertyState([0, 0]), "scale": PropertyState([1, 1])])
    }
    // When scale is resumed with another volume it keeps its own at once; the runtime blends the difference.
    #expect(conformance.violations().filter { $0.rule != .resumesFromState } == [])
  }
}

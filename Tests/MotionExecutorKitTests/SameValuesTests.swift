import MotionCore
import MotionExecutorKit
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// One test body runs an executor in this process, in a worker's session, and in a worker behind sockets: the same values
/// in every frame, bit for bit.
@Suite(.timeLimit(.minutes(3))) struct SameValuesTests {
  private static let properties: [PropertyName: PropertyState] = [
    "opacity": PropertyState(1), "position": PropertyState([10, 20], velocity: [3, 0]),
  ]
  private static let dt = 1.0 / 60

  /// What is comparable of a frame: the last value of each property, and what happened, in order.
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
      case .wrote(let property, _, _, _): moments[moments.count - 1].states[property] = report.content
      case .wroteDisplaced, .wroteRefused: break
      default: moments[moments.count - 1].events.append(report.content)
      }
    }
    return moments
  }

  /// The life of a tween: begun, interrupted by another, next to a third with a name, taken away, given again.
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

  @Test func aTweenMovesInAWorkerAsItDoesHere() throws {
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

  @Test func anExecutorConformsInAWorkerToo() {
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

  @Test func anExecutorOfStreamsThatReadsConformsInAWorkerToo() {
    let declaration = ExecutorDeclaration(SquashAndStretchExecutor.self)
    let conformance = ExecutorConformance(plans: [.squashAndStretch()]) {
      WorkerDriver(
        declaration, SessionTransport(declaration),
        properties: ["position": PropertyState([0, 0]), "scale": PropertyState([1, 1])])
    }
    // Given scale back with another volume it keeps its own at once; the runtime blends what differs.
    #expect(conformance.violations().filter { $0.rule != .resumesFromState } == [])
  }
}

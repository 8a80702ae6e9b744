import Glibc
import MotionCore
import MotionModel
import MotionStreams
import Testing

// guide begins
/// Lets a property breathe around where it was, for ever.
func breathing() -> ExecutorDeclaration {
  let description = IntentionDescription(
    type: "Breathe", kind: .standing, executor: "Breathe",
    fields: [
      FieldDescription("property", .property, default: .property("opacity"), access: .writes, "What breathes."),
      FieldDescription("period", .duration, default: .duration(.seconds(4)), "How long a breath takes."),
    ], documentation: "Lets a property breathe around where it was.")
  return StreamExecutor.declaration("Breathe", [description]) { plan in
    guard case .property(let property)? = description.value(of: "property", in: plan.intention),
      case .duration(let period)? = description.value(of: "period", in: plan.intention)
    else { return }
    let turns = 2 * Double.pi / (period / .seconds(1))
    let breath = MotionObservable<Double>(Metadata("breath")) { observer in
      guard let start: Moving<Double> = try? plan.start(of: property) else { return noopDisconnect }
      let began = plan.clock.time
      let frames = frameSource(plan.clock).subscribe(
        next: { observer.next(start.value - 0.2 + 0.2 * cos(turns * ($0.time - began))) }, state: observer.state)
      return { frames.unsubscribe() }
    }
    try plan.write(breath, to: property)
  }
}
// guide ends

/// The executor of docs/writing-an-executor.md: the guide's code is compiled here, and it works.
struct WritingAnExecutorTests {
  @Test func `the executor of the guide moves the opacity as stated`() throws {
    var registry = ExecutorRegistry()
    try registry.register(breathing())
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    var transaction = Transaction()
    transaction.add(Intention("Breathe", [.init("period", .duration(.seconds(2)))]), to: "lamp")
    try runtime.commit(transaction)
    var (lowest, highest) = (1.0, 0.0)
    for frame in 1...400 {
      runtime.advance()
      let opacity = try #require(runtime.state(of: "opacity", on: "lamp")).value[0]
      if frame > 200 { (lowest, highest) = (min(lowest, opacity), max(highest, opacity)) }
    }
    #expect(abs(lowest - 0.6) < 0.001 && abs(highest - 1) < 0.001)
  }

  @Test func `the guide contains this code, in less than 30 lines`() throws {
    let code = try #require(Guide.parts(of: "Tests/MotionCoreTests/Streams/WritingAnExecutorTests.swift").first)
    #expect(code.split(separator: "\n").count < 30)
    let block = try #require(Guide.blocks(of: "docs/writing-an-executor.md").first)
    #expect(block == "import Glibc\nimport MotionCore\nimport MotionModel\nimport MotionStreams\n\n" + code)
  }
}

import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// The queries of a runtime.
struct InspectionTests {
  private func scene() throws -> Scene {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.anchoredSpring("position", [10, 10]), named: "hold", to: "circle")
    try scene.add(.springTo("position", [50, 50]), to: "circle")
    try scene.add(.draggable(), named: "drag", to: "circle")
    try scene.add(.stay("x"), to: "square")
    scene.advance()
    hand.say(.started(ExecutorHandle(2), "drag", moving: ["position"]))
    hand.send()
    scene.advance()
    return scene
  }

  @Test func targets() throws {
    let answer = try scene().runtime.answer(.targets)
    #expect(
      answer
        == .targets([
          TargetRow(target: "circle", properties: 1, executors: 2, intentions: 3, isActive: true),
          TargetRow(target: "square", properties: 1, executors: 1, intentions: 1, isActive: false),
        ]))
  }

  @Test func properties() throws {
    let row = try #require(try scene().row("position", on: "circle"))
    #expect(row.driver == "Gesture")
    #expect(row.because.map(\.description) == ["3.0"])
    #expect(row.waiting == ["Physics"])
    #expect(row.changedFrame == 2)
    #expect(!row.isLate)
  }

  @Test func executors() throws {
    guard case .executors(let rows)? = try scene().runtime.answer(.executors("circle")) else {
      throw UnexpectedResult()
    }
    #expect(rows.map(\.key.type) == ["Physics", "Gesture"])
    #expect(rows.map(\.worker) == [nil, WorkerAddress("gesture", 0)])
    #expect(rows.map(\.tokens) == [[], ["drag"]])
    #expect(rows.map(\.drives) == [[], ["position"]])
    #expect(rows.map(\.intentions) == [2, 1])
  }

  @Test func `intentions and tokens are listed`() throws {
    let scene = try scene()
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    #expect(rows.map(\.identity.sequence) == [1, 2, 3, 4])
    #expect(rows.map(\.kind) == [.standing, .oneShot, .manipulation, .standing])
    #expect(
      try scene.runtime.answer(.tokens(nil))
        == .tokens([TokenRow(executor: ExecutorKey("circle", "Gesture"), token: "drag")]))
    #expect(scene.runtime.counts.tokens == 1)
  }

  // Clauses: S11.26
  @Test func `what waits for the next frame is listed before what waits for a later time`() throws {
    let scene = try Scene()
    scene.advance()
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "circle")
    try scene.runtime.commit(transaction, at: 1000)
    for _ in 0..<3 { try scene.runtime.commit(transaction) }
    let inspection = try #require(try RuntimeInspection(.waiting, of: scene.runtime))
    var answer = WholeAnswer()
    while !inspection.isFinished { answer.add(inspection.advance(1)) }
    guard case .waiting(let rows) = answer.answer(to: .waiting) else { throw UnexpectedResult() }
    #expect(rows.map(\.sequence) == [2, 3, 4, 1])
    #expect(rows.map(\.at) == Array(repeating: scene.runtime.frame.time, count: 3) + [1000])
    #expect(scene.runtime.counts.waiting == 4)
    scene.advance()
    guard case .waiting(let left)? = try scene.runtime.answer(.waiting) else { throw UnexpectedResult() }
    #expect(left.map(\.sequence) == [1])
    #expect(scene.runtime.counts.waiting == 1)
  }

  @Test func types() throws {
    let scene = try scene()
    #expect(try scene.runtime.answer(.types("Tween")) == .types([TweenIntention.description]))
    #expect { try scene.runtime.answer(.types("Twen")) } throws: { ($0 as? Refusal)?.remedy.contains("Tween") == true }
    #expect(try scene.runtime.answer(.status) == nil)
  }

  @Test func `a query about an unknown target is refused`() throws {
    let scene = try scene()
    #expect { try scene.runtime.answer(.properties("triangle")) } throws: { ($0 as? Refusal)?.code == .notFound }
  }

  @Test func `the refusal of an unknown target suggests a similar one`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 1), to: "circle")
    scene.advance()
    #expect { try scene.runtime.answer(.tokens("circel")) } throws: {
      ($0 as? Refusal)?.remedy == "Did you mean \"circle\"?"
    }
    #expect { try scene.runtime.answer(.tokens("wall")) } throws: {
      ($0 as? Refusal)?.remedy.contains("lists the targets") == true
    }
  }

  @Test func `a bounded number of failures is kept`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { _, _ in throw Refusal(.value, "no") }
    var transaction = Transaction()
    for _ in 0..<3 * Runtime.failuresKept { transaction.add(.show(), to: "ball") }
    #expect { try scene.runtime.commit(transaction) } throws: { ($0 as? Refusal)?.code == .limit }
    for _ in 0..<3 * Runtime.failuresKept { try scene.add(.show()) }
    scene.advance()
    #expect(scene.runtime.failures.count < 2 * Runtime.failuresKept)
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    #expect(rows.count == Runtime.failuresKept)
    #expect(rows.last?.identity.sequence == UInt64(3 * Runtime.failuresKept))
  }
}

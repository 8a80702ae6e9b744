import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// The transaction of the Motion Runtime document: Tween, Draggable, Pinchable and Rotatable on two targets.
struct SpecificationTests {
  private var transaction: Transaction {
    var transaction = Transaction()
    transaction.add(.tween("opacity", from: 0, to: 1), to: "circleView")
    transaction.add(.draggable(), to: "squareView")
    transaction.add(PinchableIntention(), named: "name1", to: "squareView")
    transaction.add(RotatableIntention(), named: "name2", to: "squareView")
    transaction.remove(named: "name2", from: "squareView")
    transaction.add(.draggable(), to: "circleView")
    return transaction
  }

  // Clauses: S8.1
  @Test func `the log is in the order of the operations`() {
    #expect(transaction.targets == ["circleView", "squareView"])
    #expect(
      transaction.log.map(\.target) == [
        "circleView", "squareView", "squareView", "squareView", "squareView", "circleView",
      ])
  }

  // Clauses: S8.3, S8.4, S8.5
  @Test func `the example creates exactly the executors of the document`() throws {
    let scene = try Scene()
    _ = scene.worker("tween")
    _ = scene.worker("gesture")
    try scene.runtime.commit(transaction)
    scene.advance()

    guard case .executors(let rows)? = try scene.runtime.answer(.executors(nil)) else { throw UnexpectedResult() }
    #expect(rows.map(\.key.description) == ["Tween on circleView", "Gesture on squareView", "Gesture on circleView"])
    #expect(rows.map(\.intentions) == [1, 2, 1])
    #expect(
      scene.trace.lines == [
        "active",
        "executor Tween on circleView", "add 1.0 Tween on circleView",
        "executor Gesture on squareView", "add 1.1 Gesture on squareView",
        "add 1.2 \"name1\" Gesture on squareView", "add 1.3 \"name2\" Gesture on squareView",
        "remove 1.3 \"name2\" Gesture on squareView",
        "executor Gesture on circleView", "add 1.5 Gesture on circleView",
        "driver circleView/opacity Tween on circleView", "commit 1",
      ])
    guard case .intentions(let intentions)? = try scene.runtime.answer(.intentions(nil)) else {
      throw UnexpectedResult()
    }
    #expect(intentions.map(\.intention.type) == ["Tween", "Draggable", "Pinchable", "Draggable"])
  }

  @Test func `the workers receive the plans of the example`() throws {
    let scene = try Scene()
    _ = scene.worker("tween")
    _ = scene.worker("gesture")
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(scene.port.needs.map(\.description) == ["tween.0", "gesture.0", "gesture.0"])
    #expect(scene.port.take(WorkerAddress("tween", 0)) == ["add 1 Tween on circleView 1.0"])
    #expect(
      scene.port.take(WorkerAddress("gesture", 0)) == [
        "add 2 Gesture on squareView 1.1", "add 2 Gesture on squareView 1.2", "add 2 Gesture on squareView 1.3",
        "remove 2 1.3", "add 3 Gesture on circleView 1.5",
      ])
  }

  // Clauses: S8.3
  @Test func `an executor is created even for an intention removed later in the same log`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.show(), named: "a", to: "ball")
    transaction.remove(named: "a", from: "ball")
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(
      scene.trace.lines.prefix(5) == [
        "active", "executor Player on ball", "add 1.0 \"a\" Player on ball", "remove 1.0 \"a\" Player on ball",
        "commit 1",
      ])
    #expect(scene.stage.puppet("Player")?.calls == ["add 1.0 \"a\"", "remove \"a\""])
  }
}

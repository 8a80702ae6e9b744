import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans of different priorities that compete for a property.
struct PriorityTests {
  // Clauses: S10.23, S10.25
  @Test func `a standing plan of a lower priority waits and begins when the higher one ends`() throws {
    let scene = try Scene()
    try scene.add(.stay().priority(5), named: "emergency")
    try scene.add(.follow("x", "fader", .direct))
    scene.advance()
    #expect(try scene.driver() == "Stayer")
    #expect(try scene.intentions().map(\.state) == [.added, .waiting])
    try #require(scene.stage.puppet("Stayer")).context.write("x", PropertyState(3, velocity: 2))
    scene.advance()
    try scene.remove("emergency")
    scene.advance()
    #expect(try scene.driver() == "Follow")
    #expect(try scene.intentions().map(\.state) == [.added])
    #expect(abs(scene.value() - 3) < 0.1 && scene.velocity() > 0, "it continues with value and velocity")
  }

  // Clauses: S10.23
  /// They are fulfilled by one executor, and of its plans only those of the highest priority act.
  @Test func `the row of a property names the plans for which it is driven, and none of a lower priority`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 10))
    scene.advance()
    try scene.add(.anchoredSpring("x", 20).priority(2), named: "up")
    scene.advance()
    try scene.add(.anchoredSpring("x", 30))
    scene.advance()
    #expect(try scene.row()?.because.map(\.description) == ["2.0"])
    try scene.remove("up")
    scene.advance()
    #expect(try scene.row()?.because.map(\.description) == ["1.0", "3.0"])
  }

  // Clauses: S10.23
  @Test func `a higher priority drives over later plans and over plans that have begun`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    scene.advance()
    try scene.add(.anchoredSpring("x", 10).priority(-1))
    scene.advance()
    #expect(try scene.driver() == "Stayer", "-1 is below a plan that states nothing")
    try scene.add(.follow("x", "fader", .direct).priority(1), named: "up")
    scene.advance()
    #expect(try scene.driver() == "Follow")
    #expect(scene.stage.puppet("Stayer")?.takeCalls() == ["add 1.0", "displaced x"])
    let row = try scene.row()
    #expect(row?.waiting == ["Stayer", "Physics"])
    try scene.remove("up")
    scene.advance()
    #expect(try scene.driver() == "Stayer")
  }

  // Clauses: S10.24
  @Test func `a one-shot of a lower priority ends at once, and receipt and report say by what`() throws {
    let scene = try Scene()
    try scene.add(.stay().priority(7), named: "pose")
    scene.advance()
    var transaction = Transaction()
    transaction.add(.springTo("y", 1), to: "ball")
    transaction.add(.springTo("x", 1).priority(6), to: "ball")
    let receipt = try scene.runtime.commit(transaction)
    let pose = IntentionIdentity(sequence: 1, operation: 0)
    #expect(
      receipt.displaced == [
        Receipt.Displaced(operation: 1, property: "x", by: pose, type: "Stay", name: "pose", priority: 7)
      ])
    scene.advance()
    let ended = scene.trace.takeEnded()
    #expect(ended.map(\.outcome) == [.displaced])
    #expect(ended[0].reason == "intention 1.0 (Stay \"pose\") has the priority 7")
    #expect(scene.value() == 0 && scene.value("y") > 0)
    // An equal priority is a matter of age, as ever.
    #expect(try scene.runtime.commit(of: .springTo("x", 1).priority(7)).displaced == [])
    scene.advance()
    #expect(try scene.driver() == "Physics")
  }

  // Clauses: S10.24
  @Test func `a receipt counts plans that were committed for the same frame, and not those that it removes`() throws {
    let scene = try Scene()
    try scene.add(.stay().priority(5), named: "pose")
    #expect(try scene.runtime.commit(of: .springTo("x", 1)).displaced.map(\.by.sequence) == [1])
    scene.advance()
    var transaction = Transaction()
    transaction.remove(named: "pose", from: "ball")
    transaction.add(.springTo("x", 1), to: "ball")
    #expect(try scene.runtime.commit(transaction).displaced == [])
    #expect(try scene.runtime.commit(of: .springTo("x", 2)).displaced == [])
    scene.advance()
    #expect(try scene.intentions().map(\.identity.sequence) == [4])
    transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    transaction.add(.stay().priority(1), to: "ball")
    #expect(try scene.runtime.commit(transaction).displaced.map(\.operation) == [0])
  }

  // Clauses: S10.24
  @Test func `a one-shot on several properties ends if it may not drive one of them`() throws {
    let scene = try Scene()
    try scene.add(.stay("y").priority(5))
    let receipt = try scene.runtime.commit(of: Intention("Pair"))
    #expect(receipt.displaced.map(\.property) == ["y"])
    scene.advance()
    #expect(scene.ended() == ["2.0 displaced"])
    #expect(scene.stage.puppet("Player")?.takeCalls() ?? [] == [])
  }

  // Clauses: S10.23
  @Test func `of forces on one property only those of the highest priority act`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 100), named: "ambient")
    scene.runtime.advanceUntilRest()
    try scene.add(.springTo("x", 0).priority(5))
    scene.advance(3)
    #expect(scene.velocity() < 0)
    // The lower force waits, and the sum is that of one spring: it arrives at its own destination.
    try scene.add(.anchoredSpring("x", -50), named: "late")
    scene.advance()
    #expect(try scene.intentions().map(\.state) == [.added, .added, .waiting])
    var lowest = 0.0
    while try scene.intentions().count == 3 {
      scene.advance()
      lowest = min(lowest, scene.value())
    }
    #expect(lowest > -5, "neither of the other springs pulls")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 25, "the two springs share it again")
  }

  // Clauses: S10.24
  @Test func `a standing force of a higher priority displaces a spring to a place`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100))
    scene.advance(5)
    let (value, velocity) = (scene.value(), scene.velocity())
    try scene.add(.anchoredSpring("x", 0).priority(1))
    scene.advance()
    #expect(scene.ended() == ["1.0 displaced"])
    #expect(abs(scene.value() - value - velocity * 0.01) < 2, "it continues with value and velocity")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0)
  }

  // Clauses: S10.26
  @Test func `a hand does not take a property from a higher priority, and takes it when that ends`() throws {
    let scene = try Scene()
    try scene.add(.stay().priority(5), named: "pose")
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.write("x", PropertyState(50, velocity: 10))
    scene.advance()
    #expect(try scene.driver() == "Stayer")
    #expect(scene.value() == 0, "what the hand writes has no effect")
    #expect(hand.takeCalls().contains("displaced x"))
    try scene.remove("pose")
    scene.advance()
    #expect(try scene.driver() == "Hand")
    #expect(hand.takeCalls() == ["resumed x 0.0 0.0"])
    hand.context.write("x", PropertyState(60, velocity: 10))
    #expect(scene.value() == 60)

    try scene.add(.follow("x", "fader", .direct).priority(1), named: "up")
    scene.advance()
    #expect(try scene.driver() == "Follow", "it takes the property out of the hand")
    try scene.remove("up")
    scene.advance()
    hand.context.remoteExecutionDidEnd("drag")
    #expect(try scene.driver() == nil)
  }

  // Clauses: S10.26
  @Test func `a hand of a higher priority drives over equal and lower plans, and one-shots below it end`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    try scene.add(.grab().priority(5))
    scene.advance()
    #expect(try scene.driver() == "Stayer", "an idle manipulation does not drive")
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    #expect(try scene.driver() == "Hand")
    #expect(try scene.runtime.commit(of: .springTo("x", 1).priority(4)).displaced.map(\.priority) == [5])
    try scene.add(.springTo("x", 1).priority(5))
    scene.advance()
    #expect(scene.ended() == ["3.0 displaced"])
    #expect(try scene.intentions().map(\.state) == [.added, .added, .waiting], "one of its priority waits")
    try scene.add(.springTo("x", 1).priority(6))
    scene.advance()
    #expect(try scene.driver() == "Physics", "one of a higher priority takes the property out of the hand")
    #expect(scene.ended() == ["4.0 displaced"])
    scene.runtime.advanceUntilRest()
    #expect(try scene.driver() == "Hand")
  }

  // Clauses: S10.17, S10.23
  @Test func `a plan that begins late drives over lower plans that were added after it`() throws {
    let scene = try Scene()
    try scene.add(.grab("y").priority(5))
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["y"])
    try scene.add(Intention("Pair").priority(5))
    try scene.add(.stay())
    scene.advance()
    #expect(try scene.driver() == "Stayer", "what waits for another property keeps nobody from this one")
    hand.context.remoteExecutionDidEnd("drag")
    #expect(try scene.driver() == "Player" && scene.driver("y") == "Player")
    try #require(scene.stage.puppet("Player")).context.finish(IntentionIdentity(sequence: 2, operation: 0))
    #expect(try scene.driver() == "Stayer")
  }

  // Clauses: S10.27
  @Test func `emitted plans have the priority of the plan that emits them`() throws {
    let scene = try Scene()
    try scene.add(.fadeIn(duration: .milliseconds(100)).priority(3))
    scene.advance()
    #expect(try scene.intentions().map(\.intention.priority) == [3, 3])
    let receipt = try scene.runtime.commit(of: .fadeOut(duration: .milliseconds(100)))
    #expect(receipt.displaced.map(\.type) == ["Tween"])
    scene.advance()
    #expect(scene.ended() == ["2.0.0 displaced", "2.0 displaced"])
  }

  // Clauses: S10.24, S9.27
  @Test func `a move that may not drive leaves the timing of its group`() throws {
    let scene = try Scene()
    try scene.add(.stay("y").priority(1))
    scene.advance()
    var transaction = Transaction()
    for property: PropertyName in ["x", "y"] {
      transaction.add(try MoveToIntention.fast(property, property == "x" ? 1 : 100), to: "ball")
    }
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(scene.ended() == ["2.1 displaced"])
    // Alone: 1 unit at an acceleration of 100 takes 0.2 s.
    scene.advance(20)
    #expect(scene.ended() == ["2.0 completed"])
  }

  // Clauses: S10.28
  @Test func `a transaction that waits competes when it is due`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    #expect(try scene.runtime.commit(transaction, at: 0.03).displaced == [])
    try scene.add(.stay().priority(1))
    scene.advance(4)
    #expect(scene.ended() == ["1.0 displaced"])
  }

  // Clauses: S10.28
  @Test func `a plan that takes a name ends the plan of that name, whatever their priorities`() throws {
    let scene = try Scene()
    try scene.add(.stay().priority(5), named: "a")
    scene.advance()
    try scene.add(.anchoredSpring("x", 1), named: "a")
    scene.advance()
    #expect(try scene.driver() == "Physics")
  }

  // Clauses: S8.36, S10.28
  @Test func `plans with a priority in a large transaction have the effects of small ones`() throws {
    func survivors(_ targets: Int) throws -> Set<UInt32> {
      let scene = try Scene()
      var transaction = Transaction()
      for index in 0..<targets {
        let target = try TargetName("t\(index)")
        for priority: Int32 in [0, 2, 1, 2, 0] { transaction.add(.springTo("x", 1).priority(priority), to: target) }
      }
      let check = try TransactionCheck(transaction, in: scene.runtime, staging: true)
      while !check.isFinished { try check.advance(100) }
      try scene.runtime.commit(check)
      scene.advance(2)
      let plans = try scene.intentions()
      #expect(plans.count == targets && plans.allSatisfy { $0.intention.priority == 2 })
      return Set(plans.map { $0.identity.operation % 5 })
    }
    #expect(try survivors(2) == [3])
    #expect(try survivors(2000) == [3])
  }

  // Clauses: S10.29
  @Test func `a priority beyond its bounds is refused`() throws {
    let scene = try Scene()
    for priority: Int32 in [101, -101, .max, .min] {
      let refusal = #expect(throws: Refusal.self) { try scene.add(.stay().priority(priority)) }
      #expect(refusal?.field == "priority" && refusal?.operation == 0 && refusal?.code == .value)
    }
    for priority: Int32 in [100, -100] { try scene.add(.stay().priority(priority)) }
  }

  // Clauses: S10.29
  @Test func `no type has a field of this name`() throws {
    var registry = ExecutorRegistry()
    let description = IntentionDescription(
      type: "Loud", kind: .standing, executor: "Loud",
      fields: [FieldDescription("priority", .number, "Of its own.")], documentation: "For tests.")
    let refusal = #expect(throws: Refusal.self) {
      try registry.register(PluginManifest(name: "loud", executable: "loud", intentions: [description]))
    }
    #expect(refusal?.message.contains("priority") == true && refusal?.remedy.isEmpty == false)
  }

  // Clauses: S10.24
  @Test func `the receipts of the library name emitted plans and plans of the same transaction`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.fadeOut(duration: .seconds(1)), to: "ball")
    transaction.add(.tween("opacity", to: 1).priority(2), named: "on", to: "ball")
    #expect(
      try scene.runtime.commit(transaction).displaced.map { "\($0.operation) \($0.by) \($0.name ?? "")" } == [
        "0 1.1 on"
      ])
    scene.advance()
    transaction = Transaction()
    transaction.forget("ball")
    transaction.add(.tween("opacity", to: 1), to: "ball")
    #expect(try scene.runtime.commit(transaction).displaced == [])
    transaction = Transaction()
    transaction.add(.stay("opacity").priority(1), named: "on", to: "ball")
    transaction.remove(IntentionIdentity(sequence: 3, operation: 0), from: "ball")
    transaction.add(.tween("opacity", to: 1).priority(1), to: "ball")
    #expect(try scene.runtime.commit(transaction).displaced == [])
  }

  // Clauses: S10.30
  @Test func `plans keep their priorities and their order in a checkpoint`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 1))
    try scene.add(.anchoredSpring("x", 50).priority(5), named: "up")
    try scene.add(.anchoredSpring("x", 2), named: "late")
    scene.advance(3)
    let other = try Scene()
    other.runtime.restore(scene.runtime.checkpoint())
    #expect(try other.intentions().map(\.intention.priority) == [0, 5, 0])
    #expect(try other.intentions().map(\.state) == [.added, .added, .waiting])
    scene.advance(10)
    other.advance(10)
    #expect(scene.value() == other.value() && scene.velocity() == other.velocity())
    for runtime in [scene, other] {
      try runtime.remove("up")
      runtime.runtime.advanceUntilRest()
    }
    #expect(scene.value() == 1.5 && other.value() == 1.5)
  }
}

extension Runtime {
  @discardableResult
  fileprivate func commit(of intention: Intention) throws -> Receipt {
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    return try commit(transaction)
  }
}

extension MoveToIntention {
  fileprivate static func fast(_ property: PropertyName, _ destination: Double) throws -> Intention {
    Intention(
      description.type,
      [
        .init("property", .property(property)), .init("destination", .number(destination)),
        .init("maxAcceleration", .number(100)), .init("maxVelocity", .number(1000)), .init("maxJerk", .number(1e12)),
        .init("arriveTogether", .flag(true)),
      ])
  }
}

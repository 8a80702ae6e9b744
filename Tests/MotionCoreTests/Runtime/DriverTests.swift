import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// The rules of the stack as seen by executors in this process and by clients.
struct DriverTests {
  // Clauses: S10.1, S10.2, S10.3, S10.8
  @Test func `the latest plan drives, and the standing one below resumes from the present state`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    scene.advance()
    try scene.add(.show())
    scene.advance()
    let (stayer, player) = (try #require(scene.stage.puppet("Stayer")), try #require(scene.stage.puppet("Player")))
    #expect(try scene.driver() == "Player")
    #expect(stayer.takeCalls() == ["add 1.0", "displaced x"])

    player.context.write("x", PropertyState(7, velocity: 3))
    stayer.context.write("x", PropertyState(1))
    #expect(scene.value() == 7)
    player.context.finish(IntentionIdentity(sequence: 2, operation: 0))
    #expect(try scene.driver() == "Stayer")
    #expect(stayer.takeCalls() == ["resumed x 7.0 3.0"])
    #expect(player.takeCalls() == ["add 2.0"])
    #expect(scene.ended() == ["2.0 completed"])
  }

  @Test func `driver changes are kept only if requested`() throws {
    let scene = try Scene()
    scene.runtime.log.keeps = []
    try scene.add(.stay())
    scene.advance()
    #expect(scene.trace.takeDrivers() == [], "nobody asked for it yet")
    scene.runtime.log.keeps = .drivers
    try scene.add(.show(), named: "show")
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    let shown = DriverChange.Driver(
      executor: "Player", identity: IntentionIdentity(sequence: 2, operation: 0), type: "Show", name: "show")
    #expect(
      scene.trace.takeDrivers() == [
        DriverChange(PropertyReference("ball", "x"), frame: 2, time: 0.01, driver: shown)
      ])
    #expect(scene.trace.takeDrivers() == [])

    // The same executor for another plan counts as another driver, since the reason differs.
    try scene.add(.show())
    scene.advance()
    #expect(scene.trace.takeDrivers().map(\.driver?.identity.sequence) == [3])
    player.context.finish(IntentionIdentity(sequence: 3, operation: 0))
    player.context.finish(IntentionIdentity(sequence: 2, operation: 0))
    scene.advance()
    #expect(scene.trace.takeDrivers().last?.driver?.executor == "Stayer")
    scene.runtime.log.keeps = []
    try scene.add(.show())
    scene.advance()
    #expect(scene.trace.takeDrivers() == [])
  }

  @Test func `a manipulation is a driver from its start`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 0))
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.remoteExecutionDidEnd("drag")
    let changes = scene.trace.takeDrivers()
    #expect(changes.map { $0.driver?.type } == ["AnchoredSpring", "Grab", "AnchoredSpring"])
    // Between frames they take effect at the end of the last one.
    #expect(changes.map(\.time) == [0, 0.01, 0.01])
  }

  // Clauses: S10.3
  @Test func `a displaced one-shot does not return`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    try scene.add(.stay(), named: "stay")
    scene.advance()
    #expect(scene.ended() == ["1.0 displaced"])
    #expect(scene.stage.puppet("Player")?.takeCalls() == ["add 1.0", "remove 1.0"])
    try scene.remove("stay")
    scene.advance()
    #expect(try scene.driver() == nil)
  }

  // Clauses: S10.7
  @Test func `the velocity becomes 0 without a writer below`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    player.context.write("x", PropertyState(5, velocity: 100))
    #expect(scene.velocity() == 100)
    player.context.finish(IntentionIdentity(sequence: 1, operation: 0))
    scene.advance()
    #expect(scene.value() == 5)
    #expect(scene.velocity() == 0)
    #expect(!scene.runtime.isActive)
  }

  // Clauses: S10.4, S10.5
  @Test func `an active manipulation drives before all others, and passes on its velocity`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 0))
    try scene.add(.grab())
    scene.advance(3)
    let hand = try #require(scene.stage.puppet("Hand"))
    #expect(try scene.driver() == "Physics")

    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    #expect(try scene.driver() == "Hand")
    for step in 1...5 {
      hand.context.write("x", PropertyState(Lanes(Double(step) * 10), velocity: 1000))
      scene.advance()
      #expect(scene.value() == Double(step) * 10, "the spring is silent")
    }
    try scene.add(.anchoredSpring("x", 5))
    scene.advance()
    #expect(scene.value() == 50, "a spring that is added under the hand is silent, too")
    #expect(try scene.driver() == "Hand")

    hand.context.remoteExecutionDidEnd("drag")
    #expect(try scene.driver() == "Physics")
    #expect(scene.velocity() == 1000)
    scene.advance()
    #expect(scene.value() > 50 && scene.velocity() < 1000 && scene.velocity() > 0, "a throw goes on, braked")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 2.5, "two springs settle in between")
  }

  // Clauses: S10.4
  @Test func `the manipulation that started last drives`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.add(.grasp())
    scene.advance()
    let (hand, glove) = (try #require(scene.stage.puppet("Hand")), try #require(scene.stage.puppet("Glove")))
    glove.context.remoteExecutionWillStart("g", moving: ["x"])
    hand.context.remoteExecutionWillStart("h", moving: ["x"])
    #expect(try scene.driver() == "Hand")
    #expect(glove.takeCalls() == ["add 2.0", "displaced x"])
    hand.context.write("x", PropertyState(4, velocity: 2))
    hand.context.remoteExecutionDidEnd("h")
    #expect(glove.takeCalls() == ["resumed x 4.0 2.0"])
    #expect(try scene.driver() == "Glove")
    glove.context.remoteExecutionDidEnd("g")
    #expect(try scene.driver() == nil)
    #expect(scene.velocity() == 0, "nobody goes on with the hand's velocity")
  }

  // Clauses: S10.4
  @Test func anIdleManipulationNeverDrives() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.write("x", PropertyState(9))
    #expect(scene.value() == 0)
    #expect(scene.runtime.refusedWrites == 0, "it may write, it only does not drive")
    #expect(!scene.runtime.isActive)
  }

  // Clauses: S10.18
  @Test func `a token without properties holds the properties that its executor writes`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag")
    #expect(try scene.driver() == nil)
    hand.context.write("x", PropertyState(9))
    #expect(scene.value() == 9)
    #expect(try scene.driver() == "Hand")
    hand.context.remoteExecutionWillStart("pinch")
    hand.context.remoteExecutionDidEnd("drag")
    #expect(try scene.driver() == "Hand")
    hand.context.remoteExecutionDidEnd("pinch")
    #expect(try scene.driver() == nil)
  }

  @Test func `a token for an undeclared property holds nothing`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["y"])
    hand.context.write("x", PropertyState(9))
    #expect(scene.value() == 0)
  }

  @Test func `a manipulation ends when its plan is removed, and resumes when it is added again`() throws {
    let scene = try Scene()
    try scene.add(.grab(), named: "drag")
    try scene.add(.stay())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("finger", moving: ["x"])
    #expect(try scene.driver() == "Hand")
    try scene.remove("drag")
    scene.advance()
    #expect(try scene.driver() == "Stayer")
    try scene.add(.grab(), named: "drag")
    scene.advance()
    #expect(try scene.driver() == "Hand", "the finger is still down")
    hand.context.remoteExecutionDidEnd("finger")
    #expect(try scene.driver() == "Stayer")
  }

  // Clauses: S10.6
  @Test func `one-shots under a manipulation wait, and their time starts when they drive`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.write("x", PropertyState(3, velocity: 5))
    let waiting = try scene.add(.show())
    scene.advance(10)
    #expect(scene.stage.puppet("Player")?.calls == [])
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions("ball")) else { throw UnexpectedResult() }
    #expect(rows.map(\.state) == [.added, .waiting])

    hand.context.remoteExecutionDidEnd("drag")
    let plan = try #require(scene.stage.puppet("Player")?.plans.first)
    #expect(plan.identity == waiting)
    #expect(plan.startTime == scene.runtime.frame.time)
    #expect(plan.start(of: "x") == PropertyState(3, velocity: 5))
    #expect(try scene.driver() == "Player")
  }

  // Clauses: S10.6
  @Test func `the last of several waiting one-shots remains`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    try scene.add(.show())
    try scene.add(.springTo("x", 10))
    scene.advance()
    hand.context.remoteExecutionDidEnd("drag")
    #expect(scene.ended() == ["2.0 displaced"])
    #expect(scene.stage.puppet("Player")?.calls == [], "it never was given")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 10)
  }

  // Clauses: S10.17
  @Test func `a one-shot on two properties waits until it can drive both`() throws {
    let scene = try Scene()
    try scene.add(.grab("x"))
    try scene.add(.grasp("y"))
    try scene.add(.stay("y"))
    scene.advance()
    let (hand, glove) = (try #require(scene.stage.puppet("Hand")), try #require(scene.stage.puppet("Glove")))
    hand.context.remoteExecutionWillStart("h", moving: ["x"])
    try scene.add(Intention("Pair"))
    scene.advance()
    #expect(try scene.driver("y") == "Stayer", "it does not drive the one while it waits for the other")
    glove.context.remoteExecutionWillStart("g", moving: ["y"])
    hand.context.remoteExecutionDidEnd("h")
    #expect(scene.stage.puppet("Player")?.calls == [])
    glove.context.remoteExecutionDidEnd("g")
    #expect(scene.stage.puppet("Player")?.calls == ["add 4.0"])
    #expect(try scene.driver("x") == "Player")
    #expect(try scene.driver("y") == "Player")
  }

  @Test func `a plan that replaces a displaced one is displaced, too`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.add(.anchoredSpring("x", 100), named: "spring")
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.write("x", PropertyState(1))
    try scene.add(.anchoredSpring("x", 50, initialVelocity: 10), named: "spring")
    scene.advance(5)
    #expect(scene.value() == 1, "the new spring is silent like the one it replaced")
    #expect(scene.velocity() == 0)
    hand.context.remoteExecutionDidEnd("drag")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 50)
  }

  @Test func `a displaced executor is displaced again for each new plan`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.add(.stay(), named: "s")
    scene.advance()
    try #require(scene.stage.puppet("Hand")).context.remoteExecutionWillStart("drag", moving: ["x"])
    try scene.add(.stay(), named: "s")
    scene.advance()
    #expect(
      scene.stage.puppet("Stayer")?.calls == [
        "add 2.0 \"s\"", "displaced x", "remove \"s\"", "add 3.0 \"s\"", "displaced x",
      ])
  }

  @Test func `changes of drivers are traced`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 1))
    scene.advance()
    try scene.add(.show())
    scene.advance()
    try scene.forget()
    scene.advance()
    #expect(
      scene.trace.lines.filter { $0.hasPrefix("driver") } == [
        "driver ball/x Physics on ball", "driver ball/x Player on ball",
      ])
  }
}

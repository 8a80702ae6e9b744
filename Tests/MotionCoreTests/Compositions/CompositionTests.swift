import MotionCore
import MotionModel
import Testing

/// Plans that consist of others.
struct CompositionTests {
  private func commit(_ intention: Intention, named name: IntentionName? = nil, to runtime: Runtime) throws {
    var transaction = Transaction()
    if let name { transaction.add(intention, named: name, to: "ball") } else { transaction.add(intention, to: "ball") }
    try runtime.commit(transaction)
  }

  // Clauses: S7.15
  @Test func `a tossable is a spring and a drag that takes over`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.tossable(destination: [100, 0], slop: 4), named: "toss")
    scene.advance()
    #expect(try scene.driver("position") == "Physics")
    let hand = try #require(scene.port.take(worker.address).first { $0.hasPrefix("add") })
    #expect(hand == "add 3 Gesture on ball 1.0.1")
    scene.advance(5)

    // Grabbed in flight: the hand drives at once, and the spring no longer pulls.
    worker.say(.started(ExecutorHandle(3), "drag", moving: ["position"]))
    try worker.write(3, at: [40, 7], velocity: [600, 60])
    worker.send()
    scene.advance()
    #expect(try scene.driver("position") == "Gesture")
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [40, 7])
    worker.send()
    scene.advance()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [40, 7])

    // Released: in the same frame the spring continues from the last dragged position, with the hand's velocity.
    _ = scene.trace.take()
    try worker.write(3, at: [50, 8], velocity: [900, 90])
    worker.say(.ended(ExecutorHandle(3), "drag"))
    worker.send()
    scene.advance()
    let released = try #require(scene.runtime.state(of: "position", on: "ball"))
    #expect(try scene.driver("position") == "Physics")
    #expect(released.value == [50, 8] && released.velocity == [900, 90])
    #expect(!scene.trace.take().contains { $0.contains("active") }, "no rest in between")
    scene.advance()
    let next = try #require(scene.runtime.state(of: "position", on: "ball"))
    #expect(abs(next.value[0] - (50 + 9)) < 1, "a frame of 0.01 s at 900 a second, braked a little")
    #expect(next.velocity[0] < 900 && next.velocity[0] > 600)

    try scene.remove("toss")
    scene.advance()
    #expect(scene.runtime.counts.intentions == 0)
  }

  // Clauses: S7.16
  @Test func `a directly manipulable target is dragged, pinched and rotated`() throws {
    let scene = try Scene()
    try scene.add(.directlyManipulable())
    scene.advance()
    let types = try scene.intentions().map(\.intention.type)
    #expect(types == ["DirectlyManipulable", "Draggable", "Pinchable", "Rotatable"])
  }

  // Clauses: S7.17, S7.29
  @Test(arguments: [Intention.fadeIn(duration: .seconds(1)), .fadeOut(duration: .seconds(1))])
  func `a fade ends with its tween, completed or not`(fade: Intention) throws {
    for outcome in Outcome.allCases {
      let scene = try Scene()
      let worker = scene.worker("tween")
      try scene.add(fade)
      scene.advance()
      let tween = IntentionIdentity(sequence: 1, operation: 0, path: [0])
      #expect(try scene.intentions().map(\.identity) == [tween.parent, tween])
      worker.say(.finished(ExecutorHandle(2), tween, outcome))
      worker.send()
      scene.advance()
      #expect(scene.ended() == ["1.0.0 \(outcome)", "1.0 \(outcome)"])
    }
  }

  // Clauses: S7.17, S7.29, S8.35
  @Test func `a composition whose plugin is missing is refused at commit`() throws {
    for fade in [Intention.fadeIn(), .fadeOut()] {
      let refusal = #expect(throws: Refusal.self) { try commit(fade, to: Runtime()) }
      #expect(refusal?.code == .unknownType && refusal?.operation == 0)
      #expect(
        refusal?.message
          == "\(fade.type) consists of Tween: the intention type \"Tween\" belongs to plugin \"tween\", which is not loaded"
      )
      #expect(refusal?.remedy == "Register an executor for Tween.")
    }
  }

  // Clauses: S8.35
  @Test func `a composition is refused if a part at any depth is`() throws {
    var registry = ExecutorRegistry()
    let outer = IntentionDescription(
      type: "Outer", kind: .oneShot, executor: "Outer", fields: [], documentation: "Two.")
    try registry.register(Composition.declaration(outer) { _ in [.fadeIn()] })
    let circle = IntentionDescription(
      type: "Circle", kind: .oneShot, executor: "Circle", fields: [], documentation: "Itself.")
    try registry.register(Composition.declaration(circle) { _ in [Intention("Circle")] })
    let runtime = Runtime(registry: registry)
    let refusal = #expect(throws: Refusal.self) { try commit(Intention("Outer"), to: runtime) }
    #expect(refusal?.message.hasPrefix("Outer consists of FadeIn: FadeIn consists of Tween: ") == true)
    // A plan that emits itself does not expand without a limit: it fails when it is 16 deep, as before.
    try commit(Intention("Circle"), to: runtime)
  }

  @Test func `a composition reads the properties that it wrote`() throws {
    let toss = TossableIntention(
      "x", destination: 3, .perceived(duration: .milliseconds(400), bounce: 0.2), axis: .x, maxLength: 20, slop: 0)
    #expect(try TossableIntention(toss.intention) == toss)
    #expect(toss.intention.fields.count { $0.name == "property" } == 1)
    for fade in [FadeInIntention(), FadeInIntention(duration: .seconds(2), from: nil), FadeInIntention(from: 0.5)] {
      #expect(try FadeInIntention(fade.intention) == fade)
    }
    for fade in [FadeOutIntention(), FadeOutIntention(duration: .seconds(2), from: 1), FadeOutIntention(from: 0.5)] {
      #expect(try FadeOutIntention(fade.intention) == fade)
    }
    #expect(FadeOutIntention().tween == .tween("opacity", to: 0))
    #expect(throws: Refusal.self) { try TossableIntention(.tossable(destination: 1, slop: -1)) }
  }
}

import MotionCore
import MotionModel
import MotionStreams
import Testing

/// The guide docs/embedding.md: its code is compiled here, and has the effect that it states.
struct EmbeddingTests {
  @Test func `the guide shows this code`() throws {
    let shown = try Guide.blocks(of: "docs/embedding.md")
    let package = try ["Package.swift", "Sources/embedding/main.swift"].map { file in
      try Guide.text(of: "examples/embedding/\(file)")
    }
    let parts = try Guide.parts(of: "Tests/MotionCoreTests/Guides/EmbeddingCode.swift")
    #expect(parts.count == 10)
    #expect(shown == package + parts)
  }

  @Test func `the products that the guide's package uses exist`() throws {
    let ours = try Guide.text(of: "Package.swift")
    let guide = try Guide.text(of: "docs/embedding.md")
    for product in ["MotionCore", "MotionModel", "MotionExecutors", "MotionStreams"] {
      #expect(ours.contains(".library(name: \"\(product)\""))
      #expect(guide.contains("`\(product)`"))
    }
  }

  @Test func `a new destination in flight changes the velocity continuously`() throws {
    let runtime = Runtime(ratePerSecond: 60)
    runtime.log.keeps = .endings
    let (before, after) = try #require(try turn(runtime))
    // A spring of tension 342, pulled by at most 100 and braked by friction 30, in a sixtieth of a second.
    #expect(before[0] > 100)
    #expect(abs(after[0] - before[0]) < (342 * 100 + 30 * before[0]) / 60)
    #expect(runtime.advanceUntilRest() < 60)
    #expect(runtime.state(of: "position", on: "ball") == PropertyState([0, 0]))
    #expect(runtime.log.takeEnded().map(\.outcome) == [.displaced, .completed])
  }

  // Clauses: S10.25
  @Test func `a plan of a lower priority waits and takes over`() throws {
    #expect(try lead(Runtime(ratePerSecond: 60)) == [1, -1])
  }

  @Test func `the value of a spring does not depend on the frame rate`() throws {
    let places = try [30, 60, 120].map { rate in
      let runtime = Runtime(ratePerSecond: rate)
      var transaction = Transaction()
      transaction.add(.springTo("position", [100, 50]), to: "ball")
      try runtime.commit(transaction)
      for _ in 1...Int(rate / 5) { runtime.advance() }
      return try #require(runtime.state(of: "position", on: "ball")).value[0]
    }
    #expect(places.allSatisfy { abs($0 - places[0]) < 1e-9 }, "\(places)")
  }

  @Test func `an invalid transaction is refused as a whole`() throws {
    let runtime = Runtime()
    var transaction = Transaction()
    transaction.add(.springTo("opacity", 1), to: "lamp")
    transaction.add(Intention("SpringTo", [.init("property", .property("opacity"))]), to: "lamp")
    #expect(complaint(about: transaction, in: runtime)?.hasPrefix("operation 1, destination: ") == true)
    #expect(!runtime.isActive && runtime.counts.intentions == 0)
    transaction = Transaction(log: [transaction.log[0]])
    #expect(complaint(about: transaction, in: runtime) == nil)
  }

  @Test func `a waiting transaction requests no frames`() throws {
    let runtime = Runtime(ratePerSecond: 60)
    var transaction = Transaction()
    transaction.add(.springTo("opacity", 0), to: "lamp")
    try runtime.commit(transaction, at: 2)
    #expect(!runtime.isActive && runtime.nextDueTime == 2)
    while runtime.frame.time < 2.1 { runtime.advance() }
    #expect(runtime.isActive && runtime.nextDueTime == nil)
  }

  @Test func `an intention without a registered executor is refused`() throws {
    var transaction = Transaction()
    transaction.add(.tween("opacity", to: 0, duration: .seconds(1)), to: "lamp")
    let refusal = #expect(throws: Refusal.self) { try Runtime().commit(transaction) }
    #expect(refusal?.code == .unknownType)
  }

  @Test func `a runtime with the standard executors runs tweens and drags`() throws {
    let runtime = try furnished()
    var transaction = Transaction()
    transaction.add(.tween("opacity", to: 0, duration: .seconds(1)), to: "lamp")
    try runtime.commit(transaction)
    #expect(runtime.advanceUntilRest() < 70)
    #expect(runtime.state(of: "opacity", on: "lamp")?.value == 0)
    try drag(runtime)
    // A slop of 16 is left before the drag begins; the step that leaves it is the drag's first.
    let x = try #require(runtime.state(of: "position", on: "ball")).value[0]
    #expect(x > 80 && x <= 100)
  }

  @Test func `a ball is caught, tossed and comes back`() {
    let surface = Surface(middle: Point(500, 0))
    var time = 0.0
    func run() {
      time += 1 / 60
      surface.run(to: time)
    }
    while surface.ball.read().x < 200 { run() }
    let caught = surface.ball.read().x
    surface.finger.handle(PointerEvent(id: 1, .down, at: Point(0, 0), time: time))
    #expect(!surface.isMoving)
    for step in 1...10 {
      run()
      surface.finger.handle(PointerEvent(id: 1, .move, at: Point(-20 * Double(step), 0), time: time))
    }
    #expect(abs(surface.ball.read().x - (caught - 200)) < 1e-9)
    surface.finger.handle(PointerEvent(id: 1, .up, at: Point(-200, 0), time: time))
    #expect(surface.isMoving)
    let released = surface.ball.read().x
    run()
    // The distance that this spring moves from rest in its first frame, as in LibraryTests.
    let pulled = 0.040173209 * (500 - released)
    #expect(surface.ball.read().x < released + pulled - 10, "the hand's velocity is against it")
    for _ in 1...120 where surface.isMoving { run() }
    #expect(surface.ball.read() == Point(500, 0) && !surface.isMoving)
    #expect(surface.motion.toGraphViz().contains("position of ball"))
  }

  @Test func `a paused timeline can be scrubbed`() throws {
    #expect(try scrub(to: [1, 0.5, 2, 3]) == [0.5, 0.25, 1, 1])
  }

  @Test func `a recording replays to the same bits`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    var frames = try record(transaction)
    #expect(frames.count == 30)
    #expect(try replay(frames) == [])
    frames[7].hash ^= 1
    #expect(try replay(frames).map(\.frame) == [8])
  }

  @Test func `names from data are validated`() throws {
    let runtime = Runtime()
    try raise(["lamp1": 3, "lamp2": 4], in: runtime)
    #expect(runtime.advanceUntilRest() > 0)
    #expect(runtime.state(of: "height", on: "lamp2")?.value == 4)
    #expect(throws: NameError.self) { try raise(["lamp/1": 3], in: runtime) }
    #expect(runtime.currentTargets.map(\.target) == ["lamp1", "lamp2"])
    #expect(runtime.currentProperties.map(\.state.value) == [3, 4])
    #expect(runtime.currentTokens.isEmpty && runtime.currentIntentions.isEmpty)
  }

  // Clauses: S1.11
  @Test func `a custom source object is connected while it has subscribers`() {
    let dial = Dial()
    var angles: [Double] = []
    var subscription: Subscription? = dialSource(dial).subscribe { angles.append($0) }
    dial.turn(to: 1)
    subscription = nil
    dial.turn(to: 2)
    #expect(angles == [1] && subscription == nil)
  }
}

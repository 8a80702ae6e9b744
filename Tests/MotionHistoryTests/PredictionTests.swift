import MotionCore
import MotionHistory
import MotionModel
import MotionTestKit
import Testing

/// What would follow from a transaction, and what then follows. Random tests print their seed.
struct PredictionTests {
  private static let types = BuiltInIntentions.all.filter {
    ["SpringTo", "AnchoredSpring", "MoveTo", "Friction", "ConstantForce"].contains($0.type.text)
  }

  private func header(of runtime: Runtime) throws -> RecordingHeader {
    var header = RecordingHeader(ratePerSecond: runtime.ratePerSecond, plugins: [])
    header.snapshot = try #require(runtime.snapshot())
    return header
  }

  // Clauses: S11.39
  @Test func `what is predicted happens, to the bit`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "prediction"))
    var (count, round) = (0, 0)
    // Some transactions move nothing: rounds go on until there are more courses than rounds were wanted.
    while round < SeededRandom.rounds(60) || count <= SeededRandom.rounds(60) {
      defer { round += 1 }
      try #require(round < 10 * SeededRandom.rounds(60), "\(count) courses")
      let plans = RandomPlans(on: ["a", "b"], names: ["a"], types: Self.types, delaying: true)
      let runtime = Runtime(ratePerSecond: 100)
      for _ in 0..<Int.random(in: 1...80, using: &random) {
        if random.chance(0.1) { _ = try? runtime.commit(plans.transaction(&random)) }
        runtime.advance()
      }
      let transaction = plans.transaction(&random)
      guard
        let prediction = try? Prediction(
          of: transaction, after: try header(of: runtime), by: ExecutorRegistry(), horizon: 1)
      else {
        #expect(throws: Refusal.self, "round \(round)") { try runtime.commit(transaction) }
        continue
      }
      let without = Runtime(ratePerSecond: 100)
      try without.restore(try #require(runtime.snapshot()))
      var different: Set<PropertyReference> = []
      _ = try runtime.commit(transaction)
      var highest: [PropertyReference: Lanes] = [:]
      for course in prediction.courses { highest[course.reference] = course.start.value }
      for _ in 0..<prediction.frames {
        runtime.advance()
        without.advance()
        for property in runtime.allProperties where without.state(of: property.reference) != property.state {
          different.insert(property.reference)
        }
        for course in prediction.courses {
          guard let value = runtime.state(of: course.reference)?.value, var top = highest[course.reference] else {
            continue
          }
          // Forgotten, and added with other lanes.
          if top.count != value.count { top = value }
          for lane in 0..<value.count { top.storage[lane] = max(top[lane], value[lane]) }
          highest[course.reference] = top
        }
      }
      #expect(prediction.courses.map(\.reference) == different.sorted(), "round \(round)")
      for course in prediction.courses {
        #expect(runtime.state(of: course.reference) == course.end, "round \(round), \(course.reference)")
        #expect(highest[course.reference] == course.highest, "round \(round), \(course.reference)")
        count += 1
      }
      #expect(prediction.isAtRest == !runtime.wantsFrames, "round \(round)")
    }
  }

  // Clauses: S11.39
  @Test func `a spring that swings has an overshoot, peaks and a frame of rest, and displaces another`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    var first = Transaction()
    first.add(.springTo("x", 10), to: "ball")
    first.add(.springTo("y", 3), to: "ball")
    try runtime.commit(first)
    runtime.advance()
    var limits = PropertyLimits()
    limits.velocity = 50
    var second = Transaction()
    second.add(.springTo("x", 100, .physical(tension: 200, friction: 4)), to: "ball")
    second.add(.springTo("z", 100), to: "lamp")
    second.limit("z", of: "lamp", limits)
    let prediction = try Prediction(of: second, after: try header(of: runtime), by: ExecutorRegistry(), horizon: 60)
    #expect(prediction.courses.map(\.reference.description) == ["ball/x", "lamp/z"], "y moves as it did")
    let ball = try #require(prediction.courses.first)
    #expect(ball.end.value == 100 && prediction.isAtRest)
    #expect(ball.overshoot[0] > 30 && ball.highest[0] == 100 + ball.overshoot[0])
    #expect(ball.peakVelocity[0] > 500 && ball.peakAcceleration[0] > 1_000 && ball.held == nil)
    let rest = try #require(ball.rest)
    #expect(rest.number > 100 && Int(rest.number) <= prediction.frames + 1)
    let lamp = try #require(prediction.courses.last)
    #expect(lamp.held?.1.limits == [.velocity] && lamp.peakVelocity[0] <= 50)
    #expect(prediction.ended.contains { $0.identity.sequence == 1 && $0.outcome == .displaced })
    #expect(runtime.frame.number == 1 && runtime.state(of: "z", on: "lamp") == nil, "nothing has happened")
  }

  // Clauses: S11.39
  @Test func `a property that is forgotten and comes back with other lanes has the course of the new ones`() throws {
    for (before, after) in [([10, 20], [3]), ([3], [10, 20])] as [(Lanes, Lanes)] {
      let runtime = Runtime(ratePerSecond: 100)
      var first = Transaction()
      first.add(.springTo("x", before), to: "ball")
      try runtime.commit(first)
      for _ in 0..<5 { runtime.advance() }
      var second = Transaction()
      second.forget("ball")
      second.add(.springTo("x", after), to: "ball")
      let prediction = try Prediction(of: second, after: try header(of: runtime), by: ExecutorRegistry(), horizon: 60)
      let course = try #require(prediction.courses.first)
      #expect(course.start.value.count == before.count && course.end.value == after)
      #expect(
        [course.highest, course.peakVelocity, course.peakAcceleration, course.overshoot].allSatisfy {
          $0.count == after.count
        })
    }
  }

  // Clauses: S11.39
  @Test func `what would be removed or forgotten is told, and a hand that is down`() throws {
    let plugin = PluginManifest(name: "gesture", executable: "gesture", intentions: [DraggableIntention.description])
    var registry = ExecutorRegistry()
    try registry.register(plugin)
    let runtime = Runtime(registry: registry)
    let worker = WorkerAddress("gesture", 0)
    var first = Transaction()
    first.add(.springTo("x", 10), named: "go", to: "ball")
    first.add(.springTo("x", 10), to: "lamp")
    first.add(.draggable(), to: "card")
    try runtime.commit(first)
    runtime.applyNow(.provisioned(worker))
    runtime.advance()
    let start = WorkerUpdate.NumberedEvent(1, .started(ExecutorHandle(3), "hand", moving: ["position"]))
    runtime.submit(.update(worker, WorkerUpdate(frame: 2, events: [start], commandsApplied: 1)))
    runtime.advance()
    var header = try header(of: runtime)
    header.plugins = [plugin]
    var second = Transaction()
    second.remove(named: "go", from: "ball")
    second.forget("lamp")
    let prediction = try Prediction(of: second, after: header, by: registry)
    #expect(prediction.removed.map(\.target) == ["ball", "lamp"])
    #expect(prediction.forgotten.map(\.description) == ["lamp/x"])
    #expect(prediction.letGo.map(\.target) == ["card"])
  }

  // Clauses: S11.39
  @Test func `what stands because of a transaction, and would have moved later, has a course`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    var first = Transaction()
    var held = Intention.anchoredSpring("x", 0)
    first.add(held, to: "ball")
    try runtime.commit(first)
    var later = Transaction()
    later.add(.springTo("x", 10), to: "ball")
    try runtime.commit(later, at: 0.5)
    for _ in 0..<10 { runtime.advance() }
    held.priority = 5
    var second = Transaction()
    second.add(held, to: "ball")
    let prediction = try Prediction(of: second, after: try header(of: runtime), by: ExecutorRegistry(), horizon: 2)
    let course = try #require(prediction.courses.first)
    #expect(course.start.value == 0 && course.end.value == 0 && course.highest == 0 && course.peakVelocity == 0)
  }

  // Clauses: S11.39
  @Test func `a transaction that would be refused is refused, and a plan of a plugin is held`() throws {
    let plugin = PluginManifest(name: "tween", executable: "tween", intentions: [TweenIntention.description])
    var registry = ExecutorRegistry()
    try registry.register(plugin)
    let runtime = Runtime(registry: registry)
    runtime.advance()
    var header = try header(of: runtime)
    header.plugins = [plugin]
    var transaction = Transaction()
    transaction.add(Intention("Unknown"), to: "a")
    #expect(throws: Refusal.self) { try Prediction(of: transaction, after: header, by: registry) }
    var tween = Transaction()
    tween.add(.tween("x", to: 5, duration: .seconds(1)), to: "a")
    let prediction = try Prediction(of: tween, after: header, by: registry, horizon: 1)
    #expect(prediction.held.map(\.intention.type) == ["Tween"])
  }
}

import MotionCore
import MotionFiles
import MotionModel
import MotionStreams
import Testing

/// The graph of a runtime.
struct GraphTests {
  /// The edges as `from kind to`, a property with its target.
  private func lines(_ graph: RuntimeGraph, but kinds: [RuntimeGraph.Edge.Kind] = [.holds]) -> [String] {
    func name(_ index: Int) -> String {
      if case .property(let row) = graph.nodes[index] { return row.reference.description }
      return graph.nodes[index].label
    }
    return graph.edges.filter { !kinds.contains($0.kind) }.map { "\(name($0.from)) \($0.kind) \(name($0.to))" }
  }

  private func scene() throws -> Scene {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.anchoredSpring("position", [10, 10]), named: "hold", to: "circle")
    try scene.add(.draggable(), named: "drag", to: "circle")
    try scene.add(.attachWithSpring(to: PropertyReference("circle", "position")), to: "square")
    scene.advance()
    hand.say(.started(ExecutorHandle(2), "drag", moving: ["position"]))
    hand.send()
    scene.advance()
    return scene
  }

  @Test func `the graph connects targets with properties and executors, and these with tokens and plans`() throws {
    let graph = try scene().runtime.graph(of: "circle")
    #expect(
      graph.nodes.map(\.label) == [
        "circle", "position", "Physics in motiond", "1.0 AnchoredSpring \"hold\"", "Gesture in gesture.0", "drag",
        "2.0 Draggable \"drag\"", "3.0 AttachWithSpring",
      ])
    #expect(
      lines(graph, but: RuntimeGraph.Edge.Kind.allCases.filter { $0 != .holds }) == [
        "circle holds circle/position", "circle holds Physics in motiond",
        "Physics in motiond holds 1.0 AnchoredSpring \"hold\"", "circle holds Gesture in gesture.0",
        "Gesture in gesture.0 holds drag", "Gesture in gesture.0 holds 2.0 Draggable \"drag\"",
      ])
  }

  @Test func `the graph contains drivers, waiting executors, writers, tokens and readers`() throws {
    let scene = try scene()
    #expect(
      lines(try scene.runtime.graph()) == [
        "drag moves circle/position", "Gesture in gesture.0 drives circle/position",
        "Physics in motiond waits circle/position", "1.0 AnchoredSpring \"hold\" writes circle/position",
        "2.0 Draggable \"drag\" writes circle/position", "Physics in motiond drives square/position",
        "3.0 AttachWithSpring writes square/position", "circle/position reads 3.0 AttachWithSpring",
      ])
    #expect(
      lines(try scene.runtime.graph(of: "square")) == [
        "Physics in motiond drives square/position", "3.0 AttachWithSpring writes square/position",
        "circle/position reads 3.0 AttachWithSpring",
      ], "of one target, with what its plans read")
    #expect(
      lines(try scene.runtime.graph(of: "circle")).last == "circle/position reads 3.0 AttachWithSpring",
      "and of the other, with who reads it")
  }

  @Test func `the graph connects a composition with its emitted plans`() throws {
    let scene = try Scene()
    try scene.add(.tossable(destination: [10, 10]), named: "toss")
    scene.advance()
    #expect(
      lines(try scene.runtime.graph()).filter { $0.contains("emits") } == [
        "1.0 Tossable \"toss\" emits 1.0.0 AnchoredSpring", "1.0 Tossable \"toss\" emits 1.0.1 Draggable",
      ])
  }

  @Test func `the graph connects a plan through its streams with the written properties`() throws {
    var registry = ExecutorRegistry()
    try registry.register(breathing())
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    transaction.add(Intention("Breathe"), named: "breath", to: "lamp")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(
      lines(try runtime.graph(), but: [.holds, .moves]) == [
        "Breathe in motiond drives lamp/opacity", "1.0 Breathe \"breath\" connects breath()",
        "breath() writes lamp/opacity",
      ])
    var removal = Transaction()
    removal.remove(named: "breath", from: "lamp")
    try runtime.commit(removal)
    runtime.advance()
    #expect(lines(try runtime.graph()) == [], "and when the plan is gone they are")
  }

  @Test func `the graph contains the streams that workers report, for existing plans only`() throws {
    let scene = try Scene()
    let tween = scene.worker("tween")
    _ = tween
    let plan = try scene.add(.tween("opacity", to: 0))
    scene.advance()
    let said = [
      StreamDescription("opacity", calls: ["tween()", "scaled(by: 2.0)"]), StreamDescription("blur", calls: []),
    ]
    let graph = try scene.runtime.graph(streams: [plan: said, plan.child(7): said])
    #expect(
      lines(graph) == [
        "Tween in tween.0 drives ball/opacity", "1.0 Tween connects tween()", "tween() values scaled(by: 2.0)",
        "scaled(by: 2.0) writes ball/opacity",
      ], "a property that is not there is passed over")
    #expect(graph.nodes.map(\.kind).suffix(2) == [.source, .operator])
    #expect(try scene.runtime.answer(.graph("ball")) == .graph(scene.runtime.graph(of: "ball")))
    #expect(scene.runtime.hasPlan(plan, in: WorkerAddress("tween", 0)))
    #expect(!scene.runtime.hasPlan(plan, in: WorkerAddress("tween", 1)))
    #expect(!scene.runtime.hasPlan(plan.child(7), in: WorkerAddress("tween", 0)))
    #expect(try scene.runtime.executors(on: "ball") == [WorkerAddress("tween", 0): [ExecutorHandle(1)]])
    #expect(try scene.runtime.executors(on: nil) == [WorkerAddress("tween", 0): []], "of all, only the workers")
  }

  // Clauses: S2.13
  @Test func `stream arguments are streams in the graph, and a call is one node`() throws {
    let scene = try Scene()
    _ = scene.worker("tween")
    let plan = try scene.add(.tween("opacity", to: 0))
    try scene.add(.anchoredSpring("blur", 1))
    scene.advance()
    let said = [
      StreamDescription("opacity", calls: ["swing()", "offset(by: …)", "dedupe()"]),
      StreamDescription(.argument(of: .init(stream: 0, call: 1)), calls: ["wind()", "scaled(by: 2.0)"]),
      StreamDescription(
        .argument(of: .init(stream: 1, call: 1)), following: .init(stream: 0, call: 0), calls: ["inverted()"]),
      StreamDescription(.property("blur"), following: .init(stream: 1, call: 0), calls: []),
    ]
    let graph = try scene.runtime.graph(streams: [plan: said])
    #expect(
      lines(graph, but: [.holds, .drives]).filter { !$0.contains("AnchoredSpring") } == [
        "1.0 Tween connects swing()", "swing() values offset(by: …)", "offset(by: …) values dedupe()",
        "dedupe() writes ball/opacity", "1.0 Tween connects wind()", "wind() values scaled(by: 2.0)",
        "scaled(by: 2.0) argument offset(by: …)", "swing() values inverted()",
        "inverted() argument scaled(by: 2.0)", "wind() writes ball/blur",
      ])
    #expect(graph.graphViz.contains("style=dashed];"), "drawn without a word")

    // A worker's report may refer to streams that do not exist, or not yet, or to itself.
    let wild = [
      StreamDescription(.property("opacity"), following: .init(stream: 0, call: 0), calls: ["swing()"]),
      StreamDescription(.argument(of: .init(stream: 1, call: 0)), calls: ["wind()"]),
      StreamDescription(.argument(of: .init(stream: 0, call: 7)), following: .init(stream: 9, call: 0), calls: []),
      StreamDescription(
        .argument(of: .init(stream: 0, call: 0)), following: .init(stream: 0, call: 0), calls: []),
    ]
    #expect(
      lines(try scene.runtime.graph(streams: [plan: wild]), but: [.holds, .drives])
        .filter { !$0.contains("AnchoredSpring") } == [
          "1.0 Tween connects swing()", "swing() writes ball/opacity", "1.0 Tween connects wind()",
        ])
  }

  // Clauses: S2.13
  @Test func `an executor describes the arguments of its streams`() throws {
    var registry = ExecutorRegistry()
    let description = IntentionDescription(
      type: "Drift", kind: .standing, executor: "Drift", fields: [], writes: ["opacity"], documentation: "For tests.")
    try registry.register(
      StreamExecutor.declaration("Drift", [description]) { plan in
        let frames = frameSource(plan.clock)._map(Metadata("time")) { $0.time }
        try plan.write(frames.offset(by: frames.scaled(by: 0.5)), to: "opacity")
      })
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    transaction.add(Intention("Drift"), to: "lamp")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(
      lines(try runtime.graph(), but: [.holds, .moves, .drives]) == [
        "1.0 Drift connects time()", "time() values offset(by: …)", "offset(by: …) writes lamp/opacity",
        "time() values scaled(by: 0.5)", "scaled(by: 0.5) argument offset(by: …)",
      ])
  }

  @Test func `a graph of an unknown target is refused`() throws {
    let runtime = try scene().runtime
    #expect(throws: Refusal.self) { try runtime.graph(of: "circel") }
    #expect(throws: Refusal.self) { try runtime.executors(on: "circel") }
    #expect(try Scene().runtime.graph() == RuntimeGraph())
  }
}

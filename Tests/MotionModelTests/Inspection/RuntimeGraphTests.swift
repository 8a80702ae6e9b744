import MotionModel
import Testing

struct RuntimeGraphTests {
  private let target = RuntimeGraph.Node.target(
    TargetRow(target: "ball", properties: 1, executors: 1, intentions: 1, isActive: true))
  private let property = RuntimeGraph.Node.property(
    PropertyRow(
      reference: PropertyReference("ball", "x"), handle: PropertyHandle(1), state: PropertyState(1), driver: "Sway",
      because: [], waiting: [], changedFrame: 1, isLate: false))
  private let lamp = RuntimeGraph.Node.property(
    PropertyRow(
      reference: PropertyReference("lamp", "level"), handle: PropertyHandle(2), state: PropertyState(1), driver: nil,
      because: [], waiting: [], changedFrame: 1, isLate: false))
  private let executor = RuntimeGraph.Node.executor(
    ExecutorRow(
      key: ExecutorKey("ball", "Sway"), worker: WorkerAddress("sway", 0), intentions: 1, tokens: [], isActive: true,
      drives: ["x"]))
  private let plan = RuntimeGraph.Node.intention(
    IntentionRow(
      identity: IntentionIdentity(sequence: 3, operation: 0), target: "ball", name: "s\"w",
      intention: Intention("Sway"),
      kind: .standing, executor: "Sway", state: .added))

  private func graph() -> RuntimeGraph {
    var graph = RuntimeGraph()
    let nodes = [target, property, executor, plan, lamp].map { graph.add($0) }
    graph.connect(nodes[0], .holds, nodes[1])
    graph.connect(nodes[2], .holds, nodes[3])
    graph.connect(nodes[2], .drives, nodes[1])
    graph.connect(nodes[4], .reads, nodes[3])
    let source = graph.add(.source("frames()"))
    let last = graph.add(.operator("toggled(with: pan\n    .active())"))
    graph.connect(nodes[3], .connects, source)
    graph.connect(source, .values, last)
    graph.connect(last, .writes, nodes[1])
    return graph
  }

  @Test func `an edge to a missing node is refused`() {
    let edge = RuntimeGraph.Edge(from: 0, to: 1, kind: .holds)
    #expect(RuntimeGraph(nodes: [target, property], edges: [edge], remarks: ["a"])?.remarks == ["a"])
    #expect(RuntimeGraph(nodes: [target], edges: [edge]) == nil)
    #expect(RuntimeGraph(nodes: [], edges: [.init(from: -1, to: 0, kind: .holds)]) == nil)
  }

  @Test func `nodes have a label, a kind and their target`() {
    let graph = graph()
    #expect(graph.nodes.map(\.label).prefix(5) == ["ball", "x", "Sway in sway.0", "3.0 Sway \"s\"w\"", "level"])
    #expect(graph.nodes.map(\.target) == ["ball", "ball", "ball", "ball", "lamp", nil, nil])
    #expect(graph.nodes.map(\.kind) == [.target, .property, .executor, .intention, .property, .source, .operator])
  }
}

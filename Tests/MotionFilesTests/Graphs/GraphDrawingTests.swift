import MotionFiles
import MotionModel
import Testing

struct GraphDrawingTests {
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

  @Test func `a drawing has a box for each target, with its streams in it`() {
    #expect(
      graph().graphViz == #"""
        digraph G {
          rankdir=LR;
          node [fontname="sans-serif", fontsize=10];
          subgraph cluster_0 {
            label="ball";
            n1 [label="x", shape=note];
            n2 [label="Sway in sway.0", shape=box, style=bold];
            n3 [label="3.0 Sway \"s\"w\"", shape=box, style=rounded];
            n5 [label="frames()", shape=plaintext];
            n6 [label="toggled(with: pan\l    .active())\l", shape=plaintext];
          }
          subgraph cluster_1 {
            label="lamp";
            n4 [label="level", shape=note];
          }
          n2 -> n3 [label="holds", style=dotted, fontsize=8];
          n2 -> n1 [label="drives", style=bold, fontsize=8];
          n4 -> n3 [label="reads", style=dashed, fontsize=8];
          n3 -> n5 [label="connects", style=dotted, fontsize=8];
          n5 -> n6 [style=solid];
          n6 -> n1 [label="writes", style=solid, fontsize=8];
        }

        """#)
  }

  @Test func `a drawing of a cyclic graph ends`() {
    var graph = RuntimeGraph()
    let calls = (0..<3).map { _ in graph.add(.operator("loop")) }
    for call in calls { graph.connect(call, .values, calls[(call + 1) % 3]) }
    #expect(graph.graphViz.hasPrefix("digraph G {"))
  }
}

import MotionFiles
import MotionModel
import Testing

@testable import MotionStudio

/// The connection graph, as differences.
struct GraphUpdateTests {
  private func property(_ name: PropertyName) -> PropertyRow {
    PropertyRow(
      reference: PropertyReference("ball", name), handle: PropertyHandle(1), state: PropertyState([0]), driver: nil,
      because: [], waiting: [], changedFrame: 0, isLate: false)
  }

  private func graph(_ names: [PropertyName], driven: Bool) throws -> RuntimeGraph {
    var graph = RuntimeGraph()
    let executor = graph.add(
      .executor(
        ExecutorRow(
          key: ExecutorKey("ball", "Physics"), worker: nil, intentions: 1, tokens: [], isActive: true,
          drives: [])))
    for name in names {
      let node = graph.add(.property(property(name)))
      if driven { graph.connect(executor, .drives, node) }
    }
    return graph
  }

  private func json(_ message: SocketMessage?) throws -> JSONOutput {
    guard case .text(let text)? = message else { return .null }
    return JSONOutput(try JSONDocument(Array(text.utf8)).root)
  }

  @Test func `the first message has everything, the next ones what has changed`() throws {
    var update = GraphUpdate()
    let first = update.message(to: try graph(["x"], driven: true), services: [.why])
    #expect(
      try json(first) == [
        "op": .text("connectionGraphUpdate"),
        "publishedTopics": [["name": .text("values/ball/x"), "publisherIds": .texts(["Physics in motiond on ball"])]],
        "subscribedTopics": [],
        "advertisedServices": [["name": .text("/motiond/why"), "providerIds": .texts(["motiond"])]],
        "removedTopics": [], "removedServices": [],
      ])
    let same = update.message(to: try graph(["x"], driven: true), services: [.why])
    #expect(same == nil)
    let released = update.message(to: try graph(["x", "y"], driven: false), services: [.why])
    #expect(
      try json(released) == [
        "op": .text("connectionGraphUpdate"),
        "publishedTopics": [
          ["name": .text("values/ball/x"), "publisherIds": []], ["name": .text("values/ball/y"), "publisherIds": []],
        ], "subscribedTopics": [], "advertisedServices": [], "removedTopics": [], "removedServices": [],
      ])
    let gone = update.message(to: try graph(["y"], driven: false), services: [.why])
    #expect(
      try json(gone) == [
        "op": .text("connectionGraphUpdate"), "publishedTopics": [], "subscribedTopics": [], "advertisedServices": [],
        "removedTopics": .texts(["values/ball/x"]), "removedServices": [],
      ])
  }
}

import MotionFiles
package import MotionModel
import MotionWire

/// Who moves what, as a viewer's connection graph: properties are topics, executors that drive them publish, plans that
/// read them subscribe. Each update has the differences only.
package struct GraphUpdate {
  private var published: [String: [String]] = [:]
  private var subscribed: [String: [String]] = [:]
  private var isFirst = true

  /// A graph of which nothing was sent.
  package init() {}

  /// The message that leads from the last graph to this one; `nil` if they are equal.
  package mutating func message(to graph: RuntimeGraph, services: [Service]) -> SocketMessage? {
    var (nextPublished, nextSubscribed): ([String: [String]], [String: [String]]) = ([:], [:])
    for node in graph.nodes {
      if case .property(let row) = node { nextPublished[SampleMessage.topic(of: row.reference)] = [] }
    }
    for edge in graph.edges {
      let (from, to) = (graph.nodes[edge.from], graph.nodes[edge.to])
      if edge.kind == .drives, case .property(let row) = to {
        nextPublished[SampleMessage.topic(of: row.reference), default: []].append(Self.name(from))
      } else if edge.kind == .reads, case .property(let row) = from {
        nextSubscribed[SampleMessage.topic(of: row.reference), default: []].append(Self.name(to))
      }
    }
    defer { (published, subscribed, isFirst) = (nextPublished, nextSubscribed, false) }
    let removed = Set(published.keys).union(subscribed.keys).subtracting(nextPublished.keys)
      .subtracting(nextSubscribed.keys)
    let changedPublished = Self.changes(published, nextPublished).filter { !removed.contains($0.0) }
    let changedSubscribed = Self.changes(subscribed, nextSubscribed).filter { !removed.contains($0.0) }
    guard isFirst || !removed.isEmpty || !changedPublished.isEmpty || !changedSubscribed.isEmpty else { return nil }
    let offered = isFirst ? services : []
    return ServerMessage.text([
      "op": .text("connectionGraphUpdate"),
      "publishedTopics": .list(changedPublished.map { ["name": .text($0), "publisherIds": .texts($1)] }),
      "subscribedTopics": .list(changedSubscribed.map { ["name": .text($0), "subscriberIds": .texts($1)] }),
      "advertisedServices": .list(offered.map { ["name": .text($0.name), "providerIds": .texts(["motiond"])] }),
      "removedTopics": .texts(removed.sorted()), "removedServices": [],
    ])
  }

  private static func changes(_ old: [String: [String]], _ new: [String: [String]]) -> [(String, [String])] {
    // A topic that has lost its last reader is sent with none.
    let keys = Set(new.keys).union(old.keys.filter { new[$0] == nil })
    return keys.filter { old[$0] != new[$0] }.sorted().map { ($0, new[$0] ?? []) }
  }

  private static func name(_ node: RuntimeGraph.Node) -> String {
    node.label + (node.target.map { " on \($0)" } ?? "")
  }
}

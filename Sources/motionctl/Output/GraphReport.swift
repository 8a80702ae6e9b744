import MotionFiles
import MotionModel

/// A graph for people: a tree for each target. It contains the properties with their drivers, and the executors with
/// their plans and streams.
struct GraphReport {
  private let graph: RuntimeGraph
  private let style: Style
  private let longestFields: Int
  private var outgoing: [Int: [RuntimeGraph.Edge]] = [:]
  private var incoming: [Int: [RuntimeGraph.Edge]] = [:]

  /// - Parameter longestFields: longer fields of plans are cut, with an ellipsis.
  init(_ graph: RuntimeGraph, style: Style, longestFields: Int = Int.max) {
    self.graph = graph
    self.style = style
    self.longestFields = longestFields
    for edge in graph.edges {
      outgoing[edge.from, default: []].append(edge)
      incoming[edge.to, default: []].append(edge)
    }
  }

  /// The lines of the report.
  var lines: [String] {
    graph.nodes.indices.flatMap { index in
      guard case .target(let row) = graph.nodes[index] else { return [String]() }
      let name = style.bold(row.target.text) + (row.isActive ? style.green("  active") : "")
      return Tree(name, held(by: index)).lines
    }
  }

  /// The nodes that an edge of this kind leads to, in order.
  private func targets(of index: Int, _ kind: RuntimeGraph.Edge.Kind) -> [Int] {
    outgoing[index]?.filter { $0.kind == kind }.map(\.to) ?? []
  }

  /// The nodes that an edge of this kind comes from, in order.
  private func sources(of index: Int, _ kind: RuntimeGraph.Edge.Kind) -> [Int] {
    incoming[index]?.filter { $0.kind == kind }.map(\.from) ?? []
  }

  private func held(by index: Int) -> [Tree] {
    targets(of: index, .holds).compactMap { held in
      switch graph.nodes[held] {
      case .property(let row): Tree(property(row), movers(of: held, row))
      case .executor(let row): Tree(executor(row), self.held(by: held))
      case .token(let row): Tree(token(row, held))
      case .intention(let row): Tree(intention(row), facts(of: held, row))
      case .target, .source, .operator: nil
      }
    }
  }

  // MARK: Lines

  private func property(_ row: PropertyRow) -> String {
    let text = "\(row.reference.property) \(NumberText.lanes(row.state.value))"
    guard let demand = row.demand else { return text }
    return "\(text), \(style.yellow("held back by its limits from \(NumberText.lanes(demand.value))"))"
  }

  private func executor(_ row: ExecutorRow) -> String {
    "\(style.cyan(row.key.type.text)) in \(row.worker?.description ?? "motiond")" + (row.isActive ? ", active" : "")
  }

  private func token(_ row: TokenRow, _ index: Int) -> String {
    let moved = targets(of: index, .moves).map { graph.nodes[$0].label }
    return "token \(row.token)".shownOnOneLine + (moved.isEmpty ? "" : " moves \(moved.joined(separator: ", "))")
  }

  private func intention(_ row: IntentionRow) -> String {
    let label = RuntimeGraph.Node.intention(row).label.shownOnOneLine
    let state = row.stateText == "added" ? "" : " \(style.yellow("(\(row.stateText))"))"
    let fields = FieldText.arguments(of: row.intention).shownOnOneLine.shortened(to: longestFields)
    return label + state + (fields.isEmpty ? "" : " \(style.dim(fields))")
  }

  /// The drivers of a property with the reason, the executors that wait to drive it, and those that read it.
  private func movers(of index: Int, _ row: PropertyRow) -> [Tree] {
    var movers: [Tree] = []
    let drivers = sources(of: index, .drives).map { name(of: $0, seenFrom: row.reference.target) }
    let waiting = sources(of: index, .waits).map { name(of: $0, seenFrom: row.reference.target) }
    if !drivers.isEmpty {
      let reason = row.because.isEmpty ? "" : " for " + row.because.map(\.description).joined(separator: " ")
      let late = row.isLate ? style.yellow(" (late)") : ""
      movers.append(Tree("driven by \(drivers.joined(separator: ", "))\(reason)\(late)"))
    }
    if !waiting.isEmpty { movers.append(Tree("then by \(waiting.joined(separator: ", "))")) }
    return movers
      + targets(of: index, .reads).map { Tree("read by \(name(of: $0, seenFrom: row.reference.target))") }
  }

  /// The properties that a plan reads and writes, its streams, and the plans that it emitted.
  private func facts(of index: Int, _ row: IntentionRow) -> [Tree] {
    let read = sources(of: index, .reads).map { Tree("reads \(name(of: $0, seenFrom: row.target))") }
    let input = row.inputText.map { [Tree("follows an input: \($0)".shownOnOneLine)] } ?? []
    let written = targets(of: index, .writes).map { Tree("writes \(name(of: $0, seenFrom: row.target))") }
    let streams = ends(of: index).map { stream(to: $0, on: row.target) }
    let emitted = targets(of: index, .emits).map { Tree("emits \(name(of: $0, seenFrom: row.target))") }
    let parent = sources(of: index, .emits).map { Tree("emitted by \(name(of: $0, seenFrom: row.target))") }
    let origin = row.identity.parent == nil ? row.provenance.map { [Tree(client($0))] } ?? [] : parent
    return origin + read + input + written + streams + emitted
  }

  /// The client that committed a plan, with its comment.
  private func client(_ provenance: Provenance) -> String {
    let comment = provenance.comment.isEmpty ? "" : ": \(provenance.comment)"
    return "committed by \(provenance)\(comment)".shownOnOneLine
  }

  /// The last calls of a plan's streams: those that are written to a property, and those without a successor.
  private func ends(of plan: Int) -> [Int] {
    var ends: [Int] = []
    var seen: Set<Int> = []
    var waiting = Array(targets(of: plan, .connects).reversed())
    while let call = waiting.popLast() {
      // A graph from another process may contain a cycle.
      guard seen.insert(call).inserted else { continue }
      let next = targets(of: call, .values).filter { !seen.contains($0) }
      let leadsNowhere = next.isEmpty && targets(of: call, .argument).isEmpty
      if leadsNowhere || !targets(of: call, .writes).isEmpty { ends.append(call) }
      waiting += next.reversed()
    }
    return ends
  }

  /// A stream: the property that it is written to, and below it the source and the operators.
  private func stream(to end: Int, on target: TargetName) -> Tree {
    let written = targets(of: end, .writes).map { name(of: $0, seenFrom: target) }
    var shown: Set<Int> = []
    return Tree(
      "writes \(written.isEmpty ? "nothing" : written.joined(separator: ", "))", more: calls(to: end, &shown))
  }

  /// The calls of a stream, from its source on, each with its arguments indented below it. Arguments that were already
  /// shown are not shown again.
  private func calls(to end: Int, _ shown: inout Set<Int>) -> [String] {
    var path: [Int] = []
    var next: Int? = end
    while let call = next, !path.contains(call) {
      path.append(call)
      next = sources(of: call, .values).first
    }
    var lines: [String] = []
    for (index, call) in path.reversed().enumerated() {
      let label = ShownText.escaping(graph.nodes[call].label).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in label.enumerated() { lines.append((index > 0 && number == 0 ? "  ." : "") + line) }
      guard shown.insert(call).inserted else { continue }
      for argument in sources(of: call, .argument) { lines += calls(to: argument, &shown).map { "      " + $0 } }
    }
    return lines
  }

  /// The name of a node in the context of a target; other targets are named in it.
  private func name(of index: Int, seenFrom target: TargetName) -> String {
    let node = graph.nodes[index]
    switch node {
    case .property(let row) where row.reference.target != target: return row.reference.description
    case .executor(let row): return row.key.type.text
    case .intention(let row) where row.target != target: return "\(node.label) on \(row.target)".shownOnOneLine
    default: return node.label.shownOnOneLine
    }
  }
}

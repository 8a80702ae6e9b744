import MotionModel

extension Permissions {
  /// The answer without the rows and fields that the client may not see.
  func filtered(_ answer: Answer) -> Answer {
    let answer = allowed.isDisjoint(with: [.why, .clients]) ? answer.withoutClients : answer
    switch answer {
    case .status(var status):
      if !allowed.contains(.plugins) {
        // Logs of workers and paths of files are of no use to untrusted clients.
        status.plugins = []
        // Who may begin a recording may see it.
        if !allowed.contains(.history) { status.recording = nil }
        status.journal = nil
        status.pluginPaths = []
      }
      return .status(status)
    case .targets, .properties, .executors, .intentions, .tokens:
      return isRestricted ? ofAllowedTargets(answer) : answer
    case .inputs(let rows): return .inputs(rows.filter { allows($0.name) })
    case .groups(let rows):
      let visible = rows.map { GroupRow($0.group, $0.members.filter(allows)) }
      return .groups(isRestricted ? visible.filter { !$0.members.isEmpty } : rows)
    case .why(let explanation): return .why(filtered(explanation))
    case .plugins, .types, .graph, .waiting, .scenes, .cues, .clients, .snapshot: return answer
    }
  }

  /// An explanation without plans on targets that the client may not see, and without what a worker printed.
  private func filtered(_ explanation: Explanation) -> Explanation {
    var explanation = explanation
    if isRestricted { explanation.ancestors.removeAll { !allows($0.target) } }
    if !allowed.contains(.plugins), explanation.worker?.quarantine.isEmpty == false {
      explanation.worker?.quarantine = "ask an operator of motiond"
    }
    return explanation
  }

  /// A refusal from motiond without names that the client may not see: its remedy may suggest a target of another
  /// client.
  func filtered(_ refusal: Refusal) -> Refusal {
    var refusal = refusal
    if !allowed.contains(.plugins) {
      // Where motiond looks for plugins, and what a worker printed last, are of no use to strangers.
      if refusal.code == .unknownType, refusal.message.contains("plugin") {
        refusal.remedy = "Ask an operator of motiond for that plugin"
      } else if refusal.code == .quarantined {
        refusal.message = String(refusal.message.prefix { $0 != ":" })
        refusal.remedy = "Ask an operator of motiond to restart that plugin"
      }
    }
    guard isRestricted, refusal.code == .notFound else { return refusal }
    refusal.remedy = "List the targets for clients of this gateway: motionctl list targets"
    return refusal
  }

  private func ofAllowedTargets(_ answer: Answer) -> Answer {
    switch answer {
    case .targets(let rows): .targets(rows.filter { allows($0.target) })
    case .properties(let rows): .properties(rows.filter { allows($0.reference.target) })
    case .executors(let rows): .executors(rows.filter { allows($0.key.target) })
    case .intentions(let rows): .intentions(rows.filter { allows($0.target) })
    case .tokens(let rows): .tokens(rows.filter { allows($0.executor.target) })
    case .plugins, .types, .graph, .waiting, .inputs, .groups, .scenes, .cues, .clients, .why, .snapshot, .status:
      answer
    }
  }
}

extension Answer {
  /// The answer without the clients of plans and transactions.
  fileprivate var withoutClients: Answer {
    func filtered(_ row: IntentionRow) -> IntentionRow {
      var row = row
      row.provenance = nil
      return row
    }
    switch self {
    case .intentions(let rows): return .intentions(rows.map(filtered))
    case .waiting(var rows):
      for index in rows.indices { rows[index].provenance = nil }
      return .waiting(rows)
    case .graph(let graph):
      let nodes = graph.nodes.map { node -> RuntimeGraph.Node in
        if case .intention(let row) = node { .intention(filtered(row)) } else { node }
      }
      return RuntimeGraph(nodes: nodes, edges: graph.edges, remarks: graph.remarks).map(Answer.graph) ?? self
    default: return self
    }
  }
}

import MotionFiles
import MotionModel

extension IntentionRow {
  /// Its state as a word. A plan that is displaced, and moves its property until the next one does, is no longer "added".
  var stateText: String {
    if let begins { return "waits until \(NumberText.fixed(begins, digits: 3)) s" }
    return isDisplaced ? "displaced" : state.rawValue
  }

  /// The input that it follows, with the present value; `nil` if it follows none.
  var inputText: String? {
    intention.followedInput.map { name in "\(name) is \(input.map { NumberText.lanes($0) } ?? "absent")" }
  }
}

/// The answers to queries as tables, for people.
extension Table {
  init(_ rows: [TargetRow]) {
    self.init(
      Column("TARGET"), Column("PROPERTIES", .right), Column("EXECUTORS", .right), Column("INTENTIONS", .right),
      Column("ACTIVE"))
    for row in rows {
      add(
        row.target.text, "\(row.properties)", "\(row.executors)", "\(row.intentions)", row.isActive ? "yes" : "no")
    }
  }

  init(_ rows: [PropertyRow]) {
    // Few runtimes have limits: without any, their columns are left out.
    let isLimited = rows.contains { $0.limits != nil }
    let columns = [
      Column("PROPERTY"), Column("VALUE", .right), Column("VELOCITY", .right), Column("DRIVER"), Column("BECAUSE"),
      Column("WAITING"),
    ]
    self.init(columns + (isLimited ? [Column("DEMAND", .right), Column("LIMITS")] : []))
    for row in rows {
      let cells = [
        row.reference.description, NumberText.lanes(row.state.value), NumberText.lanes(row.state.velocity),
        row.driver.map { $0.text + (row.isLate ? " (late)" : "") } ?? "-", Self.list(row.because),
        Self.list(row.waiting),
      ]
      let limits = [row.demand.map { NumberText.lanes($0.value) } ?? "-", row.limits?.description ?? "-"]
      add(cells + (isLimited ? limits : []))
    }
  }

  init(_ rows: [ExecutorRow]) {
    self.init(
      Column("TARGET"), Column("EXECUTOR"), Column("WORKER"), Column("INTENTIONS", .right), Column("ACTIVE"),
      Column("DRIVES"), Column("TOKENS"))
    for row in rows {
      add(
        row.key.target.text, row.key.type.text, row.worker?.description ?? "-", "\(row.intentions)",
        row.isActive ? "yes" : "no", Self.list(row.drives), Self.list(row.tokens))
    }
  }

  /// - Parameter longestReason: longer reasons of failures are cut, with an ellipsis.
  init(_ rows: [IntentionRow], longestReason: Int = Int.max) {
    // Columns that would be empty are left out.
    let (areEmitted, haveClients) = (
      rows.contains { $0.identity.parent != nil }, rows.contains { $0.provenance != nil }
    )
    let columns = [Column("INTENTION"), Column("TARGET"), Column("NAME"), Column("TYPE"), Column("STATE")]
    self.init(
      columns + (areEmitted ? [Column("PARENT")] : []) + (haveClients ? [Column("CLIENT")] : []) + [Column("FIELDS")])
    for row in rows {
      let cells = [
        row.identity.description, row.target.text, row.name?.text ?? "-", row.intention.type.text,
        row.reason.isEmpty ? row.stateText : "\(row.stateText): \(row.reason.shortened(to: longestReason))",
      ]
      let parent = row.identity.parent?.description ?? "-"
      let client = row.provenance?.description.shownOnOneLine ?? "-"
      let fields = FieldText.arguments(of: row.intention).shownOnOneLine + (row.inputText.map { " (\($0))" } ?? "")
      add(cells + (areEmitted ? [parent] : []) + (haveClients ? [client] : []) + [fields])
    }
  }

  init(_ rows: [TokenRow]) {
    self.init(Column("TARGET"), Column("EXECUTOR"), Column("TOKEN"))
    for row in rows { add(row.executor.target.text, row.executor.type.text, row.token.text) }
  }

  init(_ rows: [InputRow]) {
    self.init(
      Column("INPUT"), Column("VALUE", .right), Column("TIME", .right), Column("DEVICE"), Column("HELD"),
      Column("FOLLOWERS", .right))
    for row in rows {
      add(
        row.name.text, NumberText.lanes(row.value), "\(NumberText.fixed(row.time, digits: 3)) s",
        row.device.text.shownOnOneLine, row.isHeld ? "yes" : "no", "\(row.followers)")
    }
  }

  init(_ rows: [SceneRow]) {
    self.init(Column("SCENE"), Column("TARGETS", .right), Column("VALUES", .right), Column("PLANS", .right))
    for row in rows { add(row.scene.text, "\(row.targets)", "\(row.values)", "\(row.plans)") }
  }

  init(_ rows: [CueListRow]) {
    self.init(Column("LIST"), Column("CUES", .right), Column("CUE"), Column("NEXT"), Column("GOES ON"))
    for row in rows {
      let waits = row.position.waits ? " (waits)" : row.position.leftOut == nil ? "" : " (left out)"
      add(
        row.list.text, "\(row.count)", (row.current?.text ?? "–") + waits, row.next?.text ?? "–",
        row.position.due.map { "at \(NumberText.fixed($0, digits: 3)) s" } ?? "–")
    }
  }

  init(_ rows: [GroupRow]) {
    self.init(Column("GROUP"), Column("TARGETS", .right), Column("NAMES"))
    for row in rows {
      let names = row.members.prefix(Self.namesOfGroup).map(\.text).joined(separator: " ")
      add("@\(row.group)", "\(row.members.count)", row.members.count > Self.namesOfGroup ? names + " …" : names)
    }
  }

  /// The members of a group that a row shows; `--json` has all.
  private static let namesOfGroup = 12

  init(_ rows: [ClientRow]) {
    self.init(
      Column("CLIENT"), Column("SINCE"), Column("SILENT", .right), Column("TRANSACTIONS", .right),
      Column("POINTERS", .right), Column("INPUTS", .right))
    for row in rows {
      add(
        row.client.description.shownOnOneLine, WallTimeText.text(row.since),
        "\(NumberText.fixed(row.silent, digits: 1)) s",
        "\(row.held.transactions)", "\(row.held.pointers)", "\(row.held.inputs)")
    }
  }

  init(_ rows: [PluginRow]) {
    self.init(
      Column("PLUGIN"), Column("WORKER"), Column("STATE"), Column("PID", .right), Column("RESTARTS", .right),
      Column("EXECUTORS", .right), Column("TYPES"))
    for row in rows {
      let types = row.types.map(\.text).joined(separator: " ")
      // The problem of a plugin in quarantine is that of its worker.
      let isUnusable = !row.problem.isEmpty && !row.workers.contains { $0.state == .quarantined }
      if isUnusable || row.workers.isEmpty {
        add(row.name.text, "-", row.problem.isEmpty ? "stopped" : "unusable", "-", "-", "-", types)
      }
      for worker in row.workers {
        add(
          row.name.text, worker.address.description, worker.state.rawValue,
          worker.processID == 0 ? "-" : "\(worker.processID)", "\(worker.restarts)", "\(worker.executors)", types)
      }
    }
  }

  init(_ types: [IntentionDescription]) {
    self.init(Column("TYPE"), Column("KIND"), Column("EXECUTOR"), Column("DESCRIPTION"))
    for type in types {
      add(type.type.text, type.kind.rawValue, type.executor.text, type.documentation.firstSentence)
    }
  }

  /// - Parameter due: converts the times to the wall clock; `nil` if that is not possible.
  init(_ rows: [WaitingRow], due: DueTimes?) {
    self.init(
      Column("SEQUENCE", .right), Column("AT", .right), Column("DUE"), Column("FROM"), Column("COMMITTED"),
      Column("WHAT"),
      Column("COMMENT"))
    for row in rows {
      let comment = row.provenance?.comment ?? ""
      let isDue = due?.hasCome(row.at) ?? false
      add(
        "\(row.sequence)", "\(NumberText.fixed(row.at, digits: 3)) s",
        isDue ? "next frame" : due?.text(at: row.at) ?? "-",
        row.provenance?.description.shownOnOneLine ?? "-", row.provenance.map { WallTimeText.text($0.wallTime) } ?? "-",
        row.summary,
        comment.isEmpty ? "-" : comment.shownOnOneLine)
    }
  }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    values.isEmpty ? "-" : values.map(\.description).joined(separator: " ")
  }
}

extension Table {
  /// The table of an answer; a status has a report of its own, and a graph is a tree.
  ///
  /// - Parameter longestReason: longer reasons of failures are cut, with an ellipsis.
  init?(_ answer: Answer, longestReason: Int = Int.max) {
    switch answer {
    case .targets(let rows): self.init(rows)
    case .properties(let rows): self.init(rows)
    case .executors(let rows): self.init(rows)
    case .intentions(let rows): self.init(rows, longestReason: longestReason)
    case .tokens(let rows): self.init(rows)
    case .plugins(let rows): self.init(rows)
    case .types(let types): self.init(types)
    case .waiting(let rows): self.init(rows, due: nil)
    case .inputs(let rows): self.init(rows)
    case .groups(let rows): self.init(rows)
    case .scenes(let rows): self.init(rows)
    case .cues(let rows): self.init(rows)
    case .clients(let rows): self.init(rows)
    case .status, .graph, .why, .snapshot: return nil
    }
  }
}

import MotionModel
import SwiftProtobuf

extension ProtoTargetRow: WireRepresentation {
  init(_ row: TargetRow) {
    target = row.target.text
    properties = Encode.count(row.properties)
    executors = Encode.count(row.executors)
    intentions = Encode.count(row.intentions)
    active = row.isActive
  }

  func model() throws(WireError) -> TargetRow {
    TargetRow(
      target: try Decode.name(target, "target"), properties: Int(properties), executors: Int(executors),
      intentions: Int(intentions), isActive: active)
  }
}

extension ProtoPropertyRow: WireRepresentation {
  init(_ row: PropertyRow) {
    property = ProtoPropertyReference(row.reference)
    handle = row.handle.rawValue
    state = ProtoPropertyState(row.state)
    if let driver = row.driver { self.driver = driver.text }
    because = row.because.map(ProtoIntentionIdentity.init)
    waiting = row.waiting.map(\.text)
    changedFrame = row.changedFrame
    late = row.isLate
    if let limits = row.limits { self.limits = ProtoLimitSetting(limits) }
    if let demand = row.demand { self.demand = ProtoPropertyState(demand) }
  }

  func model() throws(WireError) -> PropertyRow {
    var row = PropertyRow(
      reference: try Decode.required(hasProperty, property, "property"), handle: PropertyHandle(handle),
      state: try Decode.required(hasState, state, "state"), driver: try Decode.name(hasDriver, driver, "driver"),
      because: try Decode.list(because, "because"), waiting: try Decode.names(waiting, "waiting"),
      changedFrame: changedFrame, isLate: late)
    row.limits = try Decode.optional(hasLimits, limits, "limits")
    row.demand = try Decode.optional(hasDemand, demand, "demand")
    return row
  }
}

extension ProtoExecutorRow: WireRepresentation {
  init(_ row: ExecutorRow) {
    key = ProtoExecutorKey(row.key)
    if let worker = row.worker { self.worker = ProtoWorkerAddress(worker) }
    intentions = Encode.count(row.intentions)
    tokens = row.tokens.map(\.text)
    active = row.isActive
    drives = row.drives.map(\.text)
  }

  func model() throws(WireError) -> ExecutorRow {
    ExecutorRow(
      key: try Decode.required(hasKey, key, "key"), worker: try Decode.optional(hasWorker, worker, "worker"),
      intentions: Int(intentions),
      tokens: try Decode.names(tokens, "tokens", atMost: Limits.tokensPerExecutor), isActive: active,
      drives: try Decode.names(drives, "drives", atMost: Limits.propertiesPerTarget))
  }
}

extension ProtoIntentionRow: WireRepresentation {
  init(_ row: IntentionRow) {
    identity = ProtoIntentionIdentity(row.identity)
    target = row.target.text
    if let name = row.name { self.name = name.text }
    intention = ProtoIntention(row.intention)
    kind = ProtoIntentionKind(row.kind)
    executor = row.executor.text
    state = State(row.state)
    reason = Encode.text(row.reason)
    if let provenance = row.provenance { self.provenance = ProtoProvenance(provenance) }
    displaced = row.isDisplaced
    inputValue = row.input?.array ?? []
    if let begins = row.begins { self.begins = begins }
  }

  func model() throws(WireError) -> IntentionRow {
    var row = IntentionRow(
      identity: try Decode.required(hasIdentity, identity, "identity"), target: try Decode.name(target, "target"),
      name: try Decode.name(hasName, name, "name"),
      intention: try Decode.required(hasIntention, intention, "intention"), kind: try Decode.part(kind, "kind"),
      executor: try Decode.name(executor, "executor"), state: try Decode.part(state, "state"),
      reason: try Decode.text(reason, "reason"),
      provenance: try Decode.optional(hasProvenance, provenance, "provenance"))
    row.isDisplaced = displaced
    row.input = inputValue.isEmpty ? nil : try Decode.lanes(inputValue, "input_value")
    row.begins = try Decode.finite(hasBegins, begins, "begins")
    return row
  }
}

extension ProtoIntentionRow.State: WireRepresentation {
  init(_ state: IntentionRow.State) {
    self =
      switch state {
      case .added: .added
      case .waiting: .waiting
      case .owed: .owed
      case .failed: .failed
      }
  }

  func model() throws(WireError) -> IntentionRow.State {
    switch self {
    case .added: .added
    case .waiting: .waiting
    case .owed: .owed
    case .failed: .failed
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}

extension ProtoTokenRow: WireRepresentation {
  init(_ row: TokenRow) {
    executor = ProtoExecutorKey(row.executor)
    token = row.token.text
  }

  func model() throws(WireError) -> TokenRow {
    TokenRow(
      executor: try Decode.required(hasExecutor, executor, "executor"), token: try Decode.name(token, "token"))
  }
}

extension ProtoInputRow: WireRepresentation {
  init(_ row: InputRow) {
    name = row.name.text
    lanes = row.value.array
    time = row.time
    device = row.device.text
    hold = row.isHeld
    followers = Encode.count(row.followers)
  }

  func model() throws(WireError) -> InputRow {
    InputRow(
      try Decode.name(name, "name"), try Decode.lanes(lanes, "lanes"), time: try Decode.finite(time, "time"),
      device: try Decode.name(device, "device"), isHeld: hold, followers: Int(followers))
  }
}

extension ProtoClientRow: WireRepresentation {
  init(_ row: ClientRow) {
    client = ProtoCommitter(row.client)
    since = row.since
    silent = row.silent
    transactions = Encode.count(row.held.transactions)
    pointers = Encode.count(row.held.pointers)
    inputs = Encode.count(row.held.inputs)
  }

  func model() throws(WireError) -> ClientRow {
    ClientRow(
      try Decode.required(hasClient, client, "client"), since: since, silent: try Decode.finite(silent, "silent"),
      .init(transactions: Int(transactions), pointers: Int(pointers), inputs: Int(inputs)))
  }
}

extension ProtoAnswer: WireRepresentation {
  init(_ answer: Answer) {
    self.answer =
      switch answer {
      case .targets(let rows): .targets(.with { $0.rows = rows.map(ProtoTargetRow.init) })
      case .properties(let rows): .properties(.with { $0.rows = rows.map(ProtoPropertyRow.init) })
      case .executors(let rows): .executors(.with { $0.rows = rows.map(ProtoExecutorRow.init) })
      case .intentions(let rows): .intentions(.with { $0.rows = rows.map(ProtoIntentionRow.init) })
      case .tokens(let rows): .tokens(.with { $0.rows = rows.map(ProtoTokenRow.init) })
      case .plugins(let rows): .plugins(.with { $0.rows = rows.map(ProtoPluginRow.init) })
      case .types(let rows): .types(.with { $0.rows = rows.map(ProtoIntentionDescription.init) })
      case .status(let status): .status(ProtoStatus(status))
      case .graph(let graph): .graph(ProtoGraph(graph))
      case .waiting(let rows): .waiting(.with { $0.rows = rows.map(ProtoWaitingRow.init) })
      case .inputs(let rows): .inputs(.with { $0.rows = rows.map(ProtoInputRow.init) })
      case .groups(let rows): .groups(.with { $0.rows = rows.map(ProtoOperation.Group.init) })
      case .scenes(let rows): .scenes(.with { $0.rows = rows.map(ProtoSceneRow.init) })
      case .cues(let rows): .cues(.with { $0.rows = rows.map(ProtoCueListRow.init) })
      case .clients(let rows): .clients(.with { $0.rows = rows.map(ProtoClientRow.init) })
      case .snapshot(let header): .snapshot(ProtoRecordingHeader(header))
      case .why(let explanation): .why(ProtoExplanation(explanation))
      }
  }

  func model() throws(WireError) -> Answer {
    switch answer {
    case .targets(let list): .targets(try Decode.list(list.rows, "targets.rows"))
    case .properties(let list): .properties(try Decode.list(list.rows, "properties.rows"))
    case .executors(let list): .executors(try Decode.list(list.rows, "executors.rows"))
    case .intentions(let list): .intentions(try Decode.list(list.rows, "intentions.rows"))
    case .tokens(let list): .tokens(try Decode.list(list.rows, "tokens.rows"))
    case .plugins(let list): .plugins(try Decode.list(list.rows, "plugins.rows", atMost: Limits.plugins))
    case .types(let list): .types(try Decode.list(list.rows, "types.rows"))
    case .status(let status): .status(try Decode.part(status, "status"))
    case .graph(let graph): .graph(try Decode.part(graph, "graph"))
    case .waiting(let list):
      .waiting(try Decode.list(list.rows, "waiting.rows", atMost: Limits.storedTransactions))
    case .inputs(let list): .inputs(try Decode.list(list.rows, "inputs.rows", atMost: Limits.inputValues))
    case .groups(let list): .groups(try Decode.list(list.rows, "groups.rows"))
    case .scenes(let list): .scenes(try Decode.list(list.rows, "scenes.rows", atMost: Limits.scenes))
    case .cues(let list): .cues(try Decode.list(list.rows, "cues.rows", atMost: Limits.cueLists))
    case .clients(let list): .clients(try Decode.list(list.rows, "clients.rows", atMost: Limits.clients))
    case .snapshot(let header): .snapshot(try Decode.part(header, "snapshot"))
    case .why(let explanation): .why(try Decode.part(explanation, "why"))
    case nil: throw .nothingChosen("answer")
    }
  }
}

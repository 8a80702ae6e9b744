import MotionModel

/// The list structure of a kind of message, for the census: its lists, and the members that lead to lists.
///
/// Lists of packed numbers are left out: in memory they take at most four times their bytes. Enums take sixteen times
/// theirs, so these are counted. A test compares the lists in this table with motion.proto.
enum Shape: Int, CaseIterable {
  case envelope, commit, operation, addition, intention, field, fieldValue, list, stop, input, receipt, hello
  case answer, targets, properties, executors, intentions, tokens, plugins, types, status, graph, graphNode, waitingRows
  case propertyRow, executorRow, intentionRow, pluginRow, workerRow
  case description, fieldDescription, fieldNames
  case names, ended, drivers, snapshot, snapshotExecutor, planned, command, add, propertiesCommand, executorInput
  case update, event, execution, emitted, streamReport, streamPlan, stream
  case recordingHeader, manifest, recordedFrame, runtimeEvent, committed, updated, withheld
  case journalEntry, journalled, checkpoint, checkpointTarget, plan, waiting
  /// A message without lists.
  case leaf

  /// The members that the census examines.
  var members: [Member] { Self.table[rawValue] }

  private static let table: [[Member]] = allCases.map(describe)

  private static func describe(_ shape: Shape) -> [Member] {
    switch shape {
    case .envelope, .commit, .operation, .addition, .intention, .field, .fieldValue, .list, .stop, .input, .receipt,
      .hello:
      describeRequests(shape)
    case .answer, .targets, .properties, .executors, .intentions, .tokens, .plugins, .types, .status, .graph,
      .graphNode, .waitingRows,
      .propertyRow, .executorRow, .intentionRow, .pluginRow, .workerRow:
      describeAnswers(shape)
    case .description, .fieldDescription, .fieldNames: describeTypes(shape)
    case .names, .ended, .drivers, .snapshot, .snapshotExecutor, .planned, .command, .add, .propertiesCommand,
      .executorInput, .update, .event, .execution, .emitted, .streamReport, .streamPlan, .stream:
      describeWorkers(shape)
    case .recordingHeader, .manifest, .recordedFrame, .runtimeEvent, .committed, .updated, .withheld:
      describeRecordings(shape)
    case .journalEntry, .journalled, .checkpoint, .checkpointTarget, .plan, .waiting:
      describeJournals(shape)
    case .leaf: []
    }
  }

  private static func describeRequests(_ shape: Shape) -> [Member] {
    switch shape {
    case .envelope:
      [
        .one("commit", 11, .commit), .one("stop", 14, .stop), .one("input", 17, .input), .one("receipt", 21, .receipt),
        .one("answer", 23, .answer), .one("names", 31, .names), .one("ended", 32, .ended),
        .one("drivers", 33, .drivers),
        .one("hello", 40, .hello), .one("snapshot", 43, .snapshot), .one("stream_report", 45, .streamReport),
        .one("command", 50, .command), .one("update", 70, .update),
      ]
    case .commit: [.many("operations", 3, .operation, atMost: Limits.operationsPerTransaction)]
    case .operation: [.one("add", 1, .addition)]
    case .addition: [.one("intention", 1, .intention)]
    case .intention: [.many("fields", 2, .field, atMost: Limits.fieldsPerIntention)]
    case .field: [.one("value", 2, .fieldValue)]
    case .fieldValue: [.one("list", 8, .list)]
    case .list: [.many("elements", 1, .fieldValue, atMost: Limits.listElements)]
    case .stop: [.many("targets", 1)]
    case .input: [.many("events", 3, atMost: Limits.pointerEventsPerInput)]
    case .receipt: [.many("plugins", 5, atMost: Limits.plugins)]
    case .hello: [.many("executors", 5, atMost: Limits.intentionsPerPlugin)]
    default: []
    }
  }

  private static func describeAnswers(_ shape: Shape) -> [Member] {
    switch shape {
    case .answer:
      [
        .one("targets", 1, .targets), .one("properties", 2, .properties), .one("executors", 3, .executors),
        .one("intentions", 4, .intentions), .one("tokens", 5, .tokens), .one("plugins", 6, .plugins),
        .one("types", 7, .types), .one("status", 8, .status), .one("graph", 9, .graph),
        .one("waiting", 12, .waitingRows),
      ]
    case .targets, .tokens: [.many("rows", 1)]
    case .waitingRows: [.many("rows", 1, atMost: Limits.waitingTransactions)]
    case .properties: [.many("rows", 1, .propertyRow)]
    case .executors: [.many("rows", 1, .executorRow)]
    case .intentions: [.many("rows", 1, .intentionRow)]
    case .plugins: [.many("rows", 1, .pluginRow, atMost: Limits.plugins)]
    case .types: [.many("rows", 1, .description)]
    case .status:
      [.many("counters", 10), .many("plugins", 11, .pluginRow, atMost: Limits.plugins), .many("plugin_paths", 17)]
    case .graph: [.many("nodes", 1, .graphNode), .many("edges", 2), .many("remarks", 3)]
    case .graphNode:
      [.one("property", 2, .propertyRow), .one("executor", 3, .executorRow), .one("intention", 4, .intentionRow)]
    case .propertyRow: [.many("because", 5), .many("waiting", 6)]
    case .executorRow:
      [
        .many("tokens", 4, atMost: Limits.tokensPerExecutor),
        .many("drives", 6, atMost: Limits.propertiesPerTarget),
      ]
    case .intentionRow: [.one("intention", 4, .intention)]
    case .pluginRow:
      [
        .many("types", 4, atMost: Limits.intentionsPerPlugin),
        .many("workers", 5, .workerRow, atMost: Limits.instancesPerPlugin),
      ]
    case .workerRow: [.many("log", 8)]
    default: []
    }
  }

  private static func describeTypes(_ shape: Shape) -> [Member] {
    switch shape {
    case .description:
      [
        .many("fields", 4, .fieldDescription, atMost: Limits.fieldsPerIntention),
        .many("writes", 5, atMost: Limits.propertiesPerTarget), .many("reads", 6, atMost: Limits.propertiesPerTarget),
        .many("exclusive", 7, .fieldNames, atMost: Limits.fieldsPerIntention),
        .many("requires_one_of", 8, .fieldNames, atMost: Limits.fieldsPerIntention),
      ]
    case .fieldDescription:
      [
        .numbers("accepts", 2, atMost: Limits.fieldsPerIntention), .one("default_value", 4, .fieldValue),
        .many("choices", 8), .numbers("elements", 9, atMost: Limits.fieldsPerIntention),
      ]
    case .fieldNames: [.many("names", 1)]
    default: []
    }
  }

  private static func describeWorkers(_ shape: Shape) -> [Member] {
    switch shape {
    case .names: [.many("names", 1)]
    case .ended: [.many("intentions", 1)]
    case .drivers: [.many("changes", 1)]
    case .snapshot: [.many("executors", 3, .snapshotExecutor), .many("properties", 4)]
    case .snapshotExecutor:
      [
        .many("intentions", 3, .planned), .many("displaced", 4, atMost: Limits.propertiesPerTarget),
        .many("driven", 5, atMost: Limits.propertiesPerTarget),
      ]
    case .planned: [.one("intention", 2, .intention), .many("starts", 6, atMost: Limits.propertiesPerTarget)]
    case .command: [.one("add", 2, .add), .one("properties", 7, .propertiesCommand), .one("input", 9, .executorInput)]
    case .add: [.one("intention", 3, .planned)]
    case .propertiesCommand: [.many("properties", 1)]
    case .executorInput: [.one("input", 2, .input), .many("properties", 3, atMost: Limits.propertiesPerTarget)]
    case .update: [.many("events", 10, .event, atMost: Limits.unacknowledgedEvents)]
    case .event:
      [.one("started", 3, .execution), .one("ended", 4, .execution), .one("emitted", 7, .emitted)]
    case .execution: [.many("moving", 3, atMost: Limits.propertiesPerTarget)]
    case .emitted: [.one("intention", 4, .intention)]
    case .streamReport: [.many("plans", 1, .streamPlan, atMost: Limits.plansPerStreamReport)]
    case .streamPlan: [.many("streams", 2, .stream, atMost: Limits.streamsPerIntention)]
    case .stream: [.many("calls", 2, atMost: Limits.callsPerStream)]
    default: []
    }
  }

  private static func describeRecordings(_ shape: Shape) -> [Member] {
    switch shape {
    case .recordingHeader:
      [.many("plugins", 3, .manifest, atMost: Limits.plugins), .one("checkpoint", 4, .checkpoint)]
    case .manifest:
      [
        .many("arguments", 3), .many("environment", 4),
        .many("intentions", 6, .description, atMost: Limits.intentionsPerPlugin),
        .many("unnamed_only", 7, atMost: Limits.intentionsPerPlugin),
      ]
    case .recordedFrame: [.many("events", 2, .runtimeEvent), .many("between_frames", 5, .runtimeEvent)]
    case .runtimeEvent:
      [
        .one("commit", 1, .committed), .one("update", 2, .updated), .one("stop", 7, .stop), .one("input", 9, .input),
        .one("withheld", 10, .withheld),
      ]
    case .withheld: [.many("identities", 2)]
    case .committed: [.many("operations", 2, .operation, atMost: Limits.operationsPerTransaction)]
    case .updated: [.one("update", 2, .update)]
    default: []
    }
  }

  private static func describeJournals(_ shape: Shape) -> [Member] {
    switch shape {
    case .journalEntry: [.one("commit", 3, .journalled), .one("stop", 4, .stop)]
    case .journalled: [.one("commit", 2, .commit)]
    case .checkpoint:
      [
        .many("targets", 4, .checkpointTarget), .many("plans", 5, .plan),
        .many("waiting", 6, .waiting, atMost: Limits.waitingTransactions), .many("owners", 7), .many("handovers", 11),
      ]
    case .checkpointTarget: [.many("properties", 2, atMost: Limits.propertiesPerTarget)]
    case .plan: [.one("intention", 4, .intention), .many("places", 6, atMost: Limits.propertiesPerTarget)]
    case .waiting: [.many("operations", 3, .operation, atMost: Limits.operationsPerTransaction)]
    default: []
    }
  }
}

/// A member of a message: a list, or a message that leads to a list.
struct Member {
  /// Its name in motion.proto.
  let name: StaticString
  /// Its field number there.
  let number: UInt64
  /// The shape of the message, or of each element; `nil` for texts and numbers.
  let shape: Shape?
  /// Whether it is a list.
  let isList: Bool
  /// Whether it is a list of numbers, which may be packed into one field.
  let isPacked: Bool
  /// The maximum number of elements.
  let limit: Int

  static func one(_ name: StaticString, _ number: UInt64, _ shape: Shape) -> Member {
    Member(name: name, number: number, shape: shape, isList: false, isPacked: false, limit: .max)
  }

  static func many(_ name: StaticString, _ number: UInt64, _ shape: Shape? = nil, atMost limit: Int = .max) -> Member {
    Member(name: name, number: number, shape: shape, isList: true, isPacked: false, limit: limit)
  }

  static func numbers(_ name: StaticString, _ number: UInt64, atMost limit: Int) -> Member {
    Member(name: name, number: number, shape: nil, isList: true, isPacked: true, limit: limit)
  }
}

import MotionModel

extension Generator {
  mutating func answer() -> Answer {
    switch int(0...16) {
    case 0: .targets(list { $0.targetRow() })
    case 1: .properties(list { $0.propertyRow() })
    case 2: .executors(list { $0.executorRow() })
    case 3: .intentions(list { $0.intentionRow() })
    case 4: .tokens(list { TokenRow(executor: $0.key(), token: $0.name()) })
    case 5: .plugins(list { $0.pluginRow() })
    case 6: .types(list { $0.description() })
    case 7: .graph(graph())
    case 8:
      .waiting(
        list {
          WaitingRow(
            sequence: $0.number(), at: $0.double(), operations: $0.count(), summary: $0.text(),
            provenance: $0.optional { $0.provenance() })
        })
    case 9: .inputs(list { $0.inputRow() })
    case 10: .clients(list { $0.clientRow() })
    case 11: .why(explanation())
    case 12: .snapshot(header())
    case 13: .groups(list { GroupRow($0.name(), $0.list { $0.name() }) })
    case 14: .scenes(list { $0.sceneRow() })
    case 15: .cues(list { $0.cueRow() })
    default: .status(status())
    }
  }

  mutating func cueRow() -> CueListRow {
    if flag() { return CueListRow(name(), cueList(), cuePosition()) }
    return CueListRow(
      name(), count: count(), cuePosition(), current: optional { $0.name() }, next: optional { $0.name() })
  }

  private mutating func sceneRow() -> SceneRow {
    if flag() { return SceneRow(name(), scene()) }
    return SceneRow(name(), targets: count(), values: count(), plans: count())
  }

  private mutating func graph() -> RuntimeGraph {
    var graph = RuntimeGraph()
    for _ in 0..<int(1...6) { _ = graph.add(node()) }
    for _ in 0..<int(0...6) {
      graph.connect(
        int(0...graph.nodes.count - 1), pick(RuntimeGraph.Edge.Kind.allCases), int(0...graph.nodes.count - 1))
    }
    graph.remarks = list { $0.text() }
    return graph
  }

  private mutating func node() -> RuntimeGraph.Node {
    switch int(0...6) {
    case 0: .target(targetRow())
    case 1: .property(propertyRow())
    case 2: .executor(executorRow())
    case 3: .intention(intentionRow())
    case 4: .token(TokenRow(executor: key(), token: name()))
    case 5: .source(text())
    default: .operator(text())
    }
  }

  mutating func streamReport() -> StreamReport {
    StreamReport(
      list { generator in
        StreamReport.Plan(
          generator.identity(),
          generator.list { $0.streamDescription() })
      }, isCut: flag())
  }

  private mutating func streamDescription() -> StreamDescription {
    let goal: StreamDescription.Goal = flag() ? .property(name()) : .argument(of: place())
    return StreamDescription(goal, following: flag() ? place() : nil, calls: list { $0.text() })
  }

  private mutating func place() -> StreamDescription.Place { StreamDescription.Place(stream: count(), call: count()) }

  private mutating func targetRow() -> TargetRow {
    TargetRow(target: name(), properties: count(), executors: count(), intentions: count(), isActive: flag())
  }

  private mutating func executorRow() -> ExecutorRow {
    ExecutorRow(
      key: key(), worker: optional { $0.address() }, intentions: count(), tokens: list { $0.name() },
      isActive: flag(), drives: list { $0.name() })
  }

  private mutating func intentionRow() -> IntentionRow {
    var row = IntentionRow(
      identity: identity(), target: name(), name: optional { $0.name() }, intention: intention(),
      kind: pick(IntentionKind.allCases), executor: name(), state: pick(IntentionRow.State.allCases), reason: text(),
      provenance: optional { $0.provenance() })
    row.isDisplaced = flag()
    row.input = optional { $0.state().value }
    row.begins = optional { $0.double() }
    return row
  }

  private mutating func inputRow() -> InputRow {
    InputRow(
      name(), state().value, time: double(), device: name(), isHeld: flag(), followers: count())
  }

  private mutating func clientRow() -> ClientRow {
    ClientRow(
      committer(), since: Int64(bitPattern: word()), silent: double(),
      .init(transactions: count(), pointers: count(), inputs: count()))
  }

  mutating func propertyRow() -> PropertyRow {
    var row = PropertyRow(
      reference: reference(), handle: handle(), state: state(), driver: optional { $0.name() },
      because: list { $0.identity() }, waiting: list { $0.name() }, changedFrame: number(), isLate: flag())
    row.limits = optional { $0.limits() }
    row.demand = optional { $0.state() }
    return row
  }

  private mutating func explanation() -> Explanation {
    var explanation = Explanation(frame: number(), time: double(), propertyRow())
    explanation.plan = optional { $0.intentionRow() }
    explanation.since = optional { $0.double() }
    explanation.began = optional { $0.double() }
    explanation.ancestors = list(3) { $0.intentionRow() }
    explanation.together = list(3) { $0.intentionRow() }
    explanation.waiting = list(3) { $0.intentionRow() }
    explanation.former = optional { generator in
      Explanation.FormerPlan(
        generator.identity(), generator.name(), named: generator.optional { $0.name() },
        by: generator.optional { $0.provenance() }, generator.pick(Explanation.FormerPlan.End.allCases),
        at: generator.double(), stopper: generator.optional { $0.committer() })
    }
    explanation.worker = optional {
      Explanation.WorkerFact($0.address(), isServing: $0.flag(), quarantine: $0.text())
    }
    explanation.mover = optional { $0.name() }
    explanation.lateness = optional { generator in
      generator.pick([
        .silent(since: generator.double()), .behind(frames: generator.number()), .retreating, .catchingUp,
      ])
    }
    explanation.fading = optional { $0.double() }
    explanation.restraints = LimitKind.allCases.filter { _ in flag() }
    return explanation
  }

  private mutating func pluginRow() -> PluginRow {
    PluginRow(
      name: name(), path: text(), problem: text(), types: list { $0.name() },
      workers: list {
        WorkerRow(
          address: $0.address(), state: $0.pick(WorkerRow.State.allCases),
          processID: Int32(truncatingIfNeeded: $0.word()), incarnation: $0.number(), restarts: $0.count(),
          executors: $0.count(), reason: $0.text(), log: $0.list { $0.text() })
      })
  }

  private mutating func status() -> Status {
    var status = Status()
    status.version = text()
    status.epoch = number()
    status.processID = Int32(truncatingIfNeeded: word())
    status.uptime = double()
    status.ratePerSecond = double()
    status.clock = clock()
    status.isActive = flag()
    status.frame = frame()
    status.counts.targets = count()
    status.counts.waiting = count()
    status.counts.properties = count()
    status.counts.executors = count()
    status.counts.intentions = count()
    status.counts.tokens = count()
    status.counters = list { Status.Counter($0.text(), $0.number()) }
    status.plugins = list { $0.pluginRow() }
    status.journal = optional { generator in
      var journal = Status.Journal(path: generator.text())
      journal.lastRow = generator.number()
      journal.rowsSinceCheckpoint = 17
      journal.writes.groups = 5
      journal.writes.p99 = 0.0025
      journal.problem = generator.text()
      journal.problemSeconds = 12.5
      return journal
    }
    status.recording = optional { Status.Recording(path: $0.text(), problem: $0.text()) }
    status.history = optional { generator in
      var history = Status.History()
      (history.seconds, history.bytes) = (generator.double(), generator.number())
      (history.continues, history.problem) = (generator.flag(), generator.text())
      return history
    }
    status.lateness = lateness()
    status.recentLateness = lateness()
    status.load.wakeUps = number()
    status.load.processorTime = double()
    status.load.residentBytes = number()
    return status
  }

  private mutating func lateness() -> Status.Lateness {
    var lateness = Status.Lateness()
    lateness.frames = number()
    lateness.p50 = double()
    lateness.p99 = double()
    lateness.p999 = double()
    lateness.max = double()
    return lateness
  }

  mutating func description() -> IntentionDescription {
    IntentionDescription(
      type: name(), kind: pick(IntentionKind.allCases), executor: name(), fields: list { $0.field() },
      writes: list { $0.name() }, reads: list { $0.name() }, exclusive: list { $0.list { $0.text() } },
      requiresOneOf: list { $0.list { $0.text() } }, reachesOutside: flag(), documentation: text())
  }

  private mutating func field() -> FieldDescription {
    var field = FieldDescription(
      text(), required: flag(), default: optional { $0.fieldValue() },
      range: pick([nil, 0...1, 0...Double.infinity, -Double.infinity...0, -Double.infinity...Double.infinity]),
      excludesLowerBound: flag(), unit: text(), choices: list { $0.text() },
      elements: list { $0.pick(FieldShape.allCases) }, access: pick([nil, .reads, .writes]),
      lanesOf: optional { $0.text() }, text())
    field.accepts = list { $0.pick(FieldShape.allCases) }
    return field
  }

  mutating func header() -> RecordingHeader {
    var header = plainHeader()
    header.checkpoint = optional { $0.checkpoint() }
    header.snapshot = optional { $0.runtimeSnapshot() }
    return header
  }

  mutating func runtimeSnapshot() -> RuntimeSnapshot {
    let checkpoint = checkpoint()
    return RuntimeSnapshot(
      checkpoint, quarantined: checkpoint.plans, details: list(40) { UInt8(truncatingIfNeeded: $0.word()) })
  }

  private mutating func plainHeader() -> RecordingHeader {
    RecordingHeader(
      ratePerSecond: Double(int(1...1000)),
      plugins: list {
        PluginManifest(
          name: $0.name(), executable: $0.text(), arguments: $0.list { $0.text() },
          environment: $0.list { $0.text() }, protocolVersions: $0.versions(),
          intentions: $0.list { $0.description() }, unnamedOnly: $0.list { $0.name() }, wantsUpdates: $0.flag(),
          instances: $0.int(1...16), onLost: $0.pick(PluginManifest.OnLost.allCases), documentation: $0.text())
      })
  }

  mutating func recordedFrame() -> RecordedFrame {
    var recorded = RecordedFrame(
      frame: frame(), betweenFrames: list { $0.runtimeEvent() }, events: list(4) { $0.runtimeEvent() },
      skipped: number(), hash: word(),
      clocks: flag() ? MachineClocks(wallTime: Int64(bitPattern: word()), bootTime: Int64(bitPattern: word()) | 1) : nil
    )
    for case .commit(let sequence, _) in recorded.betweenFrames + recorded.events where flag() {
      recorded.provenances[sequence] = provenance()
    }
    return recorded
  }

  private mutating func runtimeEvent() -> RuntimeEvent {
    switch int(0...11) {
    case 0: .commit(sequence: number() >> 2, transaction())
    case 1: .update(address(), update())
    case 2: .provisioned(address())
    case 3: .lost(address())
    case 4: .quarantined(name(), reason: text())
    case 5: .restored(name())
    case 6: .stop(stop())
    case 7: .input(input())
    case 10: .inputValues(inputValues())
    case 8: .withheld(address(), flag() ? list { $0.identity() } : nil)
    case 9: .planQuarantined(identity(), reason: text())
    default: .withdraw(list { $0.number() >> 2 })
    }
  }
}

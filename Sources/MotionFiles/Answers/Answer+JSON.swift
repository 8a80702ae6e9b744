package import MotionModel

/// The answers to queries as JSON: the keys and their order are part of the program's interface.
package extension JSONOutput {
  /// The whole answer: a list, or for the status an object.
  init(_ answer: Answer) {
    switch answer {
    case .targets(let rows): self = .list(rows.map { JSONOutput($0) })
    case .properties(let rows): self = .list(rows.map { JSONOutput($0) })
    case .executors(let rows): self = .list(rows.map { JSONOutput($0) })
    case .intentions(let rows): self = .list(rows.map { JSONOutput($0) })
    case .tokens(let rows): self = .list(rows.map { JSONOutput($0) })
    case .plugins(let rows): self = .list(rows.map { JSONOutput($0) })
    case .types(let types): self = .list(types.map { JSONOutput($0) })
    case .status(let status): self = JSONOutput(status, at: nil)
    case .graph(let graph): self = JSONOutput(graph)
    case .waiting(let rows): self = .list(rows.map { JSONOutput($0, due: nil) })
    case .inputs(let rows): self = .list(rows.map { JSONOutput($0) })
    case .groups(let rows):
      self = .list(rows.map { ["group": .text($0.group.text), "targets": .texts($0.members)] })
    case .scenes(let rows): self = .list(rows.map { JSONOutput($0) })
    case .cues(let rows): self = .list(rows.map { JSONOutput($0) })
    case .clients(let rows): self = .list(rows.map { JSONOutput($0) })
    case .snapshot(let header): self = ["frame": .unsigned(header.snapshot?.frame.number ?? 0)]
    case .why(let explanation): self = JSONOutput(explanation, wallTime: nil)
    }
  }

  init(_ row: CueListRow) {
    let position = row.position
    self = [
      "list": .text(row.list.text), "cues": .count(row.count), "current": .text(row.current?.text),
      "went": position.went.map { .number($0) } ?? .null, "waits": .flag(position.waits),
      "next": .text(row.next?.text), "due": position.due.map { .number($0) } ?? .null,
      "leftOut": .text(position.leftOut),
    ]
  }

  init(_ row: SceneRow) {
    self = [
      "scene": .text(row.scene.text), "targets": .count(row.targets), "values": .count(row.values),
      "plans": .count(row.plans),
    ]
  }

  init(_ row: TargetRow) {
    self = [
      "target": .text(row.target.text), "properties": .count(row.properties), "executors": .count(row.executors),
      "intentions": .count(row.intentions), "active": .flag(row.isActive),
    ]
  }

  init(_ row: PropertyRow) {
    self = [
      "target": .text(row.reference.target.text), "property": .text(row.reference.property.text),
      "handle": .unsigned(UInt64(row.handle.rawValue)), "value": .lanes(row.state.value),
      "velocity": .lanes(row.state.velocity), "driver": .text(row.driver?.text), "because": .texts(row.because),
      "waiting": .texts(row.waiting), "changedFrame": .unsigned(row.changedFrame), "late": .flag(row.isLate),
      "limits": row.limits.map { JSONOutput($0) } ?? .null,
      "demand": row.demand.map { ["value": .lanes($0.value), "velocity": .lanes($0.velocity)] } ?? .null,
    ]
  }

  /// Limits in the form of a transaction file.
  init(_ setting: LimitSetting) {
    guard case .limits(let limits) = setting else {
      self = .text("none")
      return
    }
    var members: [Member] = []
    if let range = limits.range {
      let lanes = max(range.lower.count, range.upper.count)
      let pairs = (0..<lanes).map { lane in
        JSONOutput.list([
          .number(range.lower[range.lower.count == 1 ? 0 : lane]),
          .number(range.upper[range.upper.count == 1 ? 0 : lane]),
        ])
      }
      members.append(Member(key: "range", value: lanes == 1 ? pairs[0] : .list(pairs)))
    }
    for (name, lanes) in [
      ("velocity", limits.velocity), ("acceleration", limits.acceleration), ("jerk", limits.jerk),
    ] {
      if let lanes { members.append(Member(key: name, value: .lanes(lanes))) }
    }
    if let rule = limits.onLost { members.append(Member(key: "onLost", value: .text(rule.description))) }
    self = .object(members)
  }

  init(_ row: ExecutorRow) {
    self = [
      "target": .text(row.key.target.text), "executor": .text(row.key.type.text),
      "worker": .text(row.worker?.description), "intentions": .count(row.intentions), "tokens": .texts(row.tokens),
      "active": .flag(row.isActive), "drives": .texts(row.drives),
    ]
  }

  init(_ row: IntentionRow) {
    self = [
      "intention": .text(row.identity.description), "target": .text(row.target.text), "name": .text(row.name?.text),
      "type": .text(row.intention.type.text), "kind": .text(row.kind.rawValue), "executor": .text(row.executor.text),
      "state": .text(row.state.rawValue), "displaced": .flag(row.isDisplaced), "reason": .text(row.reason),
      "fields": .object(row.intention.fields.map { Member(key: $0.name, value: FieldText.json(of: $0.value)) }),
      "priority": .number(Double(row.intention.priority)), "begins": row.begins.map { .number($0) } ?? .null,
      "input": row.input.map { .lanes($0) } ?? .null, "parent": .text(row.identity.parent?.description),
      "committed": row.provenance.map { JSONOutput($0) } ?? .null,
    ]
  }

  init(_ row: WaitingRow, due: String?) {
    self = [
      "sequence": .unsigned(row.sequence), "at": .number(row.at), "operations": .count(row.operations),
      "summary": .text(row.summary), "committed": row.provenance.map { JSONOutput($0) } ?? .null,
      "due": .text(due),
    ]
  }

  init(_ row: InputRow) {
    self = [
      "input": .text(row.name.text), "value": .lanes(row.value), "time": .number(row.time),
      "device": .text(row.device.text), "held": .flag(row.isHeld), "followers": .count(row.followers),
    ]
  }

  init(_ row: ClientRow) {
    self = [
      "client": JSONOutput(row.client), "since": .text(WallTimeText.text(row.since)), "silent": .number(row.silent),
      "transactions": .count(row.held.transactions), "pointers": .count(row.held.pointers),
      "inputs": .count(row.held.inputs),
    ]
  }

  init(_ row: TokenRow) {
    self = [
      "target": .text(row.executor.target.text), "executor": .text(row.executor.type.text),
      "token": .text(row.token.text),
    ]
  }

  init(_ row: PluginRow) {
    self = [
      "plugin": .text(row.name.text), "path": .text(row.path), "problem": .text(row.problem),
      "types": .texts(row.types), "workers": .list(row.workers.map { JSONOutput($0) }),
    ]
  }

  init(_ row: WorkerRow) {
    self = [
      "worker": .text(row.address.description), "state": .text(row.state.rawValue),
      "processID": .number(Double(row.processID)), "incarnation": .unsigned(row.incarnation),
      "restarts": .count(row.restarts), "executors": .count(row.executors), "reason": .text(row.reason),
      "log": .texts(row.log),
    ]
  }

  init(_ status: Status, at moment: Moment?) {
    self = [
      "version": .text(status.version), "epoch": .unsigned(status.epoch),
      "processID": .number(Double(status.processID)), "uptime": .number(status.uptime),
      "rate": .number(status.ratePerSecond), "clock": JSONOutput(status.clock, at: moment),
      "active": .flag(status.isActive),
      "frame": [
        "number": .unsigned(status.frame.number), "time": .number(status.frame.time), "dt": .number(status.frame.dt),
      ],
      "counts": [
        "targets": .count(status.counts.targets), "properties": .count(status.counts.properties),
        "executors": .count(status.counts.executors), "intentions": .count(status.counts.intentions),
        "tokens": .count(status.counts.tokens), "waiting": .count(status.counts.waiting),
      ],
      "lateness": JSONOutput(status.lateness), "latenessInLastMinute": JSONOutput(status.recentLateness),
      "load": [
        "wakeUps": .unsigned(status.load.wakeUps), "processorTime": .number(status.load.processorTime),
        "residentBytes": .unsigned(status.load.residentBytes),
      ],
      "counters": .object(status.counters.map { Member(key: $0.name, value: .unsigned($0.value)) }),
      "plugins": .list(status.plugins.map { JSONOutput($0) }),
      "pluginPaths": .list(status.pluginPaths.map { .text($0) }),
      "journal": status.journal.map { JSONOutput($0) } ?? .null,
      "history": status.history.map { history in
        [
          "seconds": .number(history.seconds), "bytes": .unsigned(history.bytes),
          "continues": .flag(history.continues), "problem": .text(history.problem),
        ]
      } ?? .null,
      "recording": status.recording.map { ["path": .text($0.path), "problem": .text($0.problem)] } ?? .null,
    ]
  }

  /// The lateness in microseconds, to the nanosecond: percentiles are exact to 3 %.
  init(_ lateness: Status.Lateness) {
    func microseconds(_ seconds: Double) -> JSONOutput { .number((seconds * 1e9).rounded() / 1000) }
    self = [
      "frames": .unsigned(lateness.frames), "p50Microseconds": microseconds(lateness.p50),
      "p99Microseconds": microseconds(lateness.p99), "p999Microseconds": microseconds(lateness.p999),
      "maxMicroseconds": microseconds(lateness.max),
    ]
  }

  init(_ journal: Status.Journal) {
    func microseconds(_ seconds: Double) -> JSONOutput { .number((seconds * 1e9).rounded() / 1000) }
    self = [
      "path": .text(journal.path), "lastRow": .unsigned(journal.lastRow),
      "rowsSinceCheckpoint": .unsigned(journal.rowsSinceCheckpoint),
      "checkpointBytes": .unsigned(journal.checkpointBytes), "groups": .unsigned(journal.writes.groups),
      "rows": .unsigned(journal.writes.rows), "writeP50Microseconds": microseconds(journal.writes.p50),
      "writeP99Microseconds": microseconds(journal.writes.p99),
      "writeMaxMicroseconds": microseconds(journal.writes.max), "problem": .text(journal.problem),
      "problemSeconds": .number(journal.problemSeconds),
    ]
  }

  init(_ clock: ClockState) {
    self = ["time": .number(clock.time), "speed": .number(clock.speed), "paused": .flag(clock.isPaused)]
    if let hold = clock.hold { self = joined(with: ["hold": JSONOutput(hold)]) }
  }

  init(_ hold: ClockHold) {
    self = [
      "refuse": .flag(hold.refuses), "since": .text(WallTimeText.text(hold.since)), "by": .text(hold.by.description),
    ]
  }

  /// The state of the clock, and the wall-clock time at that moment; `nil` from a daemon that does not send it.
  ///
  /// - Parameter unkept: why a restart would undo what has led to this state; empty if it is kept.
  init(_ clock: ClockState, at moment: Moment?, unkept: String = "") {
    self = JSONOutput(clock).joined(with: ["wallTime": .text(moment.map { WallTimeText.text($0.wallTime) })])
    if !unkept.isEmpty { self = joined(with: ["unkept": .text(unkept)]) }
  }
}

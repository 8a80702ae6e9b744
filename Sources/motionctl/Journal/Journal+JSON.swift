import MotionFiles
import MotionJournal
import MotionModel
import MotionWire

extension JSONOutput {
  /// A journal, without its rows.
  init(_ report: JournalReport) {
    let first: JSONOutput = if let first = report.rows.first { .unsigned(first.row.sequence) } else { .null }
    let last: JSONOutput = if let last = report.rows.last { .unsigned(last.row.sequence) } else { .null }
    let checkpoint: JSONOutput =
      if let (number, found) = report.checkpoint {
        ["number": .unsigned(number), "row": .unsigned(found.sequence), "bytes": .count(found.body.count)]
      } else {
        .null
      }
    let acknowledged: JSONOutput =
      if let known = report.acknowledged {
        ["row": .unsigned(known.sequence), "checkpoint": .unsigned(known.checkpoint)]
      } else {
        .null
      }
    let damages = report.damages.map { damage -> JSONOutput in
      ["place": .text(damage.place), "cause": .text(damage.cause)]
    }
    self = [
      "directory": .text(report.directory), "journal": .text(report.id), "whole": .flag(report.isWhole),
      "rows": .count(report.rows.count), "bodies": .count(report.rows.count { !$0.isHistory }), "firstRow": first,
      "lastRow": last, "checkpoint": checkpoint, "acknowledged": acknowledged, "bytes": .count(report.bytes.database),
      "logBytes": .count(report.bytes.log), "damages": .list(damages), "losses": .texts(report.losses),
    ]
  }

  /// A checkpoint: the state of the clock, and the numbers of objects.
  init(_ checkpoint: JournalCheckpoint, number: UInt64) {
    let common: JSONOutput = [
      "number": .unsigned(number), "row": .unsigned(checkpoint.sequence), "bytes": .count(checkpoint.body.count),
    ]
    do {
      let summary = try CheckpointSummary(checkpoint)
      self = common.joined(with: [
        "frame": .unsigned(summary.frame.number), "clock": JSONOutput(summary.clock),
        "targets": .count(summary.targets),
        "properties": .count(summary.properties), "plans": .count(summary.plans), "waiting": .count(summary.waiting),
        "held": .count(summary.held),
      ])
    } catch {
      self = common.joined(with: ["problem": .text(error.placed)])
    }
  }

  /// A row with all of its contents; a transaction has the form of transaction files.
  init(_ found: JournalReport.Row) {
    let row = found.row
    let common: JSONOutput = [
      "row": .unsigned(row.sequence), "time": .text(WallTimeText.text(row.wallTime)),
      "id": row.identity.isEmpty ? .null : .text(row.identity.hexText),
      "bytes": found.isHistory ? .null : .count(row.body.count),
    ]
    switch JournalContent(of: found) {
    case .covered: self = common.joined(with: ["what": "covered"])
    case .entry(let entry):
      self = common.joined(with: [
        "what": .text(entry.event.word), "frame": .unsigned(entry.frame.number), "simulatedTime": .number(entry.time),
      ]).joined(with: entry.event.details).joined(with: entry.provenance.map { ["committed": JSONOutput($0)] } ?? [:])
    case .unreadable(let reason): self = common.joined(with: ["what": "unreadable", "problem": .text(reason)])
    }
  }
}

extension JournalEntry.Event {
  fileprivate var word: String {
    switch self {
    case .commit: "commit"
    case .stop: "stop"
    case .withdraw: "withdraw"
    case .clock(.pause): "pause"
    case .clock(.resume): "resume"
    case .clock(.speed): "speed"
    case .clock(.step): "step"
    case .clock(.hold): "hold"
    case .clock(.release): "release"
    case .void: "void"
    }
  }

  fileprivate var details: JSONOutput {
    switch self {
    case .commit(let sequence, let commit, _):
      [
        "sequence": .unsigned(sequence), "at": commit.at.map { .number($0) } ?? .null,
        "whileConnected": .flag(commit.whileConnected),
        "transaction": .list(commit.transaction.log.map { JSONOutput($0) }), "comment": .text(commit.comment),
      ]
    case .stop(let stop):
      [
        "targets": .texts(stop.targets), "outputs": .flag(stop.outputs), "ramp": .flag(stop.ramp),
        "by": .text(stop.by?.description),
      ]
    case .withdraw(let sequences): ["sequences": .list(sequences.map { .unsigned($0) })]
    case .clock(.speed(let speed)): ["speed": .number(speed)]
    case .clock(.step(let frames)): ["frames": .unsigned(frames)]
    case .clock(.hold(let hold)): JSONOutput(hold)
    case .clock(.pause), .clock(.resume), .clock(.release), .void: [:]
    }
  }
}

extension JSONOutput {
  /// An operation in the form of transaction files.
  fileprivate init(_ operation: Transaction.Operation) {
    switch operation {
    case .add(let intention, let name, let target):
      let type = Member(key: "type", value: .text(intention.type.text))
      let fields = intention.fields.map { Member(key: $0.name, value: FieldText.json(of: $0.value)) }
      let common = intention.commonMembers.map { Member(key: $0.key, value: .number($0.value)) }
      let named = name.map { [Member(key: "named", value: .text($0.text))] } ?? []
      self = .object(
        [Member(key: "add", value: .object([type] + fields + common))] + named + [
          Member(key: "to", value: .text(target.text))
        ])
    case .remove(let name, let target): self = ["remove": .text(name.text), "from": .text(target.text)]
    case .removePlan(let identity, let target):
      self = ["remove": ["intention": .text(identity.description)], "from": .text(target.text)]
    case .forget(let target): self = ["forget": .text(target.text)]
    case .limit(let property, let target, let setting):
      self = ["limit": JSONOutput(setting), "property": .text(property.text), "on": .text(target.text)]
    case .scene(let name, let scene):
      self = ["scene": .text(name.text), "targets": .texts(scene.targets.map(\.name))]
    case .cues(let name, .list(let list)): self = ["cue list": .text(name.text), "cues": .texts(list.cues.map(\.name))]
    case .cues(let name, .position(let position)):
      self = ["cue list": .text(name.text), "position": .count(position.next)]
    case .group(let name, let members):
      self = ["group": .text(name.text), "targets": .texts(members)]
    }
  }
}

extension JSONOutput: ExpressibleByStringLiteral {
  /// A text.
  init(stringLiteral text: String) { self = .text(text) }
}

package import MotionModel

package extension JSONOutput {
  /// The explanation for programs.
  init(_ explanation: Explanation, wallTime: Int64?) {
    func plans(_ rows: [IntentionRow]) -> JSONOutput { .list(rows.map { JSONOutput($0) }) }
    self = [
      "target": .text(explanation.property.reference.target.text),
      "property": .text(explanation.property.reference.property.text), "frame": .unsigned(explanation.frame),
      "time": .number(explanation.time), "wallTime": .text(wallTime.map(WallTimeText.text)),
      "state": JSONOutput(explanation.property), "plan": explanation.plan.map { JSONOutput($0) } ?? .null,
      "since": explanation.since.map { .number($0) } ?? .null,
      "began": explanation.began.map { .number($0) } ?? .null, "ancestors": plans(explanation.ancestors),
      "together": plans(explanation.together), "waiting": plans(explanation.waiting),
      "former": explanation.former.map { JSONOutput($0) } ?? .null,
      "worker": explanation.worker.map { worker in
        [
          "worker": .text(worker.address.description), "serving": .flag(worker.isServing),
          "quarantine": .text(worker.quarantine),
        ]
      } ?? .null, "mover": .text(explanation.mover?.text),
      "lateness": explanation.lateness.map { JSONOutput($0) } ?? .null,
      "fading": explanation.fading.map { .number($0) } ?? .null,
      "restraints": .list(explanation.restraints.map { .text($0.rawValue) }),
    ]
  }

  private init(_ former: Explanation.FormerPlan) {
    self = [
      "intention": .text(former.identity.description), "type": .text(former.type.text),
      "name": .text(former.name?.text), "end": .text(former.end.rawValue), "time": .number(former.time),
      "committed": former.provenance.map { JSONOutput($0) } ?? .null,
      "stopper": former.stopper.map { JSONOutput($0) } ?? .null,
    ]
  }

  private init(_ lateness: Explanation.Lateness) {
    self =
      switch lateness {
      case .silent(let since): ["kind": .text("silent"), "since": .number(since)]
      case .behind(let frames): ["kind": .text("behind"), "frames": .unsigned(frames)]
      case .retreating: ["kind": .text("retreating")]
      case .catchingUp: ["kind": .text("catchingUp")]
      }
  }
}

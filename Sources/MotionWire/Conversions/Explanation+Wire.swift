import MotionModel
import SwiftProtobuf

extension ProtoExplanation: WireRepresentation {
  init(_ explanation: Explanation) {
    (frame, time) = (explanation.frame, explanation.time)
    property = ProtoPropertyRow(explanation.property)
    if let plan = explanation.plan { self.plan = ProtoIntentionRow(plan) }
    if let since = explanation.since { self.since = since }
    if let began = explanation.began { self.began = began }
    ancestors = explanation.ancestors.map(ProtoIntentionRow.init)
    together = explanation.together.map(ProtoIntentionRow.init)
    waiting = explanation.waiting.map(ProtoIntentionRow.init)
    if let former = explanation.former { self.former = FormerPlan(former) }
    if let worker = explanation.worker { self.worker = WorkerFact(worker) }
    if let mover = explanation.mover { self.mover = mover.text }
    if let lateness = explanation.lateness { self.lateness = Lateness(lateness) }
    if let fading = explanation.fading { self.fading = fading }
    restraints = ProtoReceipt.Limited.limits(explanation.restraints)
  }

  func model() throws(WireError) -> Explanation {
    var explanation = Explanation(
      frame: frame, time: try Decode.finite(time, "time"), try Decode.required(hasProperty, property, "property"))
    explanation.plan = try Decode.optional(hasPlan, plan, "plan")
    explanation.since = hasSince ? try Decode.finite(since, "since") : nil
    explanation.began = hasBegan ? try Decode.finite(began, "began") : nil
    explanation.ancestors = try Decode.list(ancestors, "ancestors", atMost: Limits.emissionDepth)
    explanation.together = try Decode.list(together, "together")
    explanation.waiting = try Decode.list(waiting, "waiting")
    explanation.former = try Decode.optional(hasFormer, former, "former")
    explanation.worker = try Decode.optional(hasWorker, worker, "worker")
    explanation.mover = try Decode.name(hasMover, mover, "mover")
    explanation.lateness = try Decode.optional(hasLateness, lateness, "lateness")
    explanation.fading = hasFading ? try Decode.finite(fading, "fading") : nil
    explanation.restraints = try ProtoReceipt.Limited.kinds(of: restraints, "restraints")
    return explanation
  }
}

extension ProtoExplanation.FormerPlan: WireRepresentation {
  init(_ plan: Explanation.FormerPlan) {
    identity = ProtoIntentionIdentity(plan.identity)
    type = plan.type.text
    if let name = plan.name { self.name = name.text }
    if let provenance = plan.provenance { self.provenance = ProtoProvenance(provenance) }
    end =
      switch plan.end {
      case .completed: .completed
      case .displaced: .displaced
      case .failed: .failed
      case .removed: .removed
      case .stopped: .stopped
      }
    time = plan.time
    if let stopper = plan.stopper { self.stopper = ProtoCommitter(stopper) }
  }

  func model() throws(WireError) -> Explanation.FormerPlan {
    Explanation.FormerPlan(
      try Decode.required(hasIdentity, identity, "identity"), try Decode.name(type, "type"),
      named: try Decode.name(hasName, name, "name"), by: try Decode.optional(hasProvenance, provenance, "provenance"),
      try modelEnd(), at: try Decode.finite(time, "time"), stopper: try Decode.optional(hasStopper, stopper, "stopper"))
  }

  private func modelEnd() throws(WireError) -> Explanation.FormerPlan.End {
    switch end {
    case .completed: .completed
    case .displaced: .displaced
    case .failed: .failed
    case .removed: .removed
    case .stopped: .stopped
    case .unspecified, .UNRECOGNIZED: throw WireError.unknown(end.rawValue).within("end")
    }
  }
}

extension ProtoExplanation.WorkerFact: WireRepresentation {
  init(_ fact: Explanation.WorkerFact) {
    worker = ProtoWorkerAddress(fact.address)
    serving = fact.isServing
    quarantine = Encode.text(fact.quarantine)
  }

  func model() throws(WireError) -> Explanation.WorkerFact {
    Explanation.WorkerFact(
      try Decode.required(hasWorker, worker, "worker"), isServing: serving,
      quarantine: try Decode.text(quarantine, "quarantine"))
  }
}

extension ProtoExplanation.Lateness: WireRepresentation {
  init(_ lateness: Explanation.Lateness) {
    kind =
      switch lateness {
      case .silent(let since): .silentSince(since)
      case .behind(let frames): .framesBehind(frames)
      case .retreating: .retreating(Retreating())
      case .catchingUp: .catchingUp(CatchingUp())
      }
  }

  func model() throws(WireError) -> Explanation.Lateness {
    switch kind {
    case .silentSince(let since): .silent(since: try Decode.finite(since, "silent_since"))
    case .framesBehind(let frames): .behind(frames: frames)
    case .retreating: .retreating
    case .catchingUp: .catchingUp
    case nil: throw .nothingChosen("kind")
    }
  }
}

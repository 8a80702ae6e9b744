import MotionModel
import SwiftProtobuf

extension ProtoOperation.CueList {
  init(_ name: CueListName, _ list: MotionModel.CueList) {
    self.init()
    self.name = name.text
    if let timeline = list.timeline { self.timeline = ProtoPropertyReference(timeline) }
    cues = list.cues.map(Cue.init)
  }

  func parts() throws(WireError) -> (name: CueListName, list: MotionModel.CueList) {
    guard cues.count <= Limits.cuesPerList else {
      throw .limit("cues", cues.count, atMost: Limits.cuesPerList, of: "cues")
    }
    guard cues.reduce(0, { $0 + $1.operations.count }) <= Limits.operationsPerCueList else {
      throw WireError(
        .limit, field: "cues", "the cues of a list have at most \(Limits.operationsPerCueList) operations together")
    }
    return (
      try Decode.name(name, "name"),
      MotionModel.CueList(
        try Decode.list(cues, "cues", atMost: Limits.cuesPerList),
        timeline: try Decode.optional(hasTimeline, timeline, "timeline"))
    )
  }
}

extension ProtoOperation.CueList.Cue: WireRepresentation {
  init(_ cue: MotionModel.CueList.Cue) {
    self.init()
    name = cue.name.text
    operations = ProtoOperation.list(cue.content)
    wait = cue.wait
    if let follow = cue.follow { self.follow = follow }
    if let at = cue.at { self.at = at }
  }

  func model() throws(WireError) -> MotionModel.CueList.Cue {
    for operation in operations {
      switch operation.operation {
      // Not even decoded: lists in lists would be as deep as a message allows.
      case .cues, .cuePosition, .cueStep:
        throw WireError(
          .value, field: "operations", "a cue commands no list of cues", remedy: "Let the next cue follow")
      default: break
      }
    }
    return MotionModel.CueList.Cue(
      try Decode.name(name, "name"), try ProtoOperation.transaction(operations, selecting: true),
      wait: try Decode.finite(wait, "wait"), follow: try Decode.finite(hasFollow, follow, "follow"),
      at: try Decode.finite(hasAt, at, "at"))
  }
}

extension ProtoOperation.CuePosition {
  init(_ list: CueListName, _ position: MotionModel.CuePosition) {
    self.init()
    self.list = list.text
    step = position.step
    if let current = position.current { self.current = Encode.count(current) }
    if let went = position.went { self.went = went }
    waits = position.waits
    if let due = position.due { self.due = due }
    if let passed = position.passed { self.passed = passed }
    if let reason = position.leftOut { leftOut = reason }
  }

  func model() throws(WireError) -> MotionModel.CuePosition {
    MotionModel.CuePosition(
      step: step, current: hasCurrent ? Int(current) : nil, went: try Decode.finite(hasWent, went, "went"),
      waits: waits, due: try Decode.finite(hasDue, due, "due"), passed: try Decode.finite(hasPassed, passed, "passed"),
      leftOut: hasLeftOut ? leftOut : nil)
  }
}

extension ProtoOperation.CueStep {
  init(_ list: CueListName, _ step: MotionModel.CueStep) {
    self.init()
    self.list = list.text
    switch step {
    case .go: go = true
    case .back: back = true
    case .goto(let cue): goto = cue.text
    case .stop: stop = true
    // They never leave motiond: the journal has what they are replaced by.
    case .due, .fire, .jump, .missing: break
    }
  }

  func model() throws(WireError) -> MotionModel.CueStep {
    switch step {
    case .go: .go
    case .back: .back
    case .goto(let cue): .goto(try Decode.name(cue, "goto"))
    case .stop: .stop
    case nil: throw .nothingChosen("step")
    }
  }
}

extension ProtoCueListRow: WireRepresentation {
  init(_ row: CueListRow) {
    self.init()
    position = ProtoOperation.CuePosition(row.list, row.position)
    count = Encode.count(row.count)
    if let current = row.current { self.current = current.text }
    if let next = row.next { self.next = next.text }
    if let list = row.content { content = ProtoOperation.CueList(row.list, list) }
  }

  func model() throws(WireError) -> CueListRow {
    var row = CueListRow(
      try Decode.name(position.list, "position.list"), count: Int(count), try position.model(),
      current: try Decode.name(hasCurrent, current, "current"), next: try Decode.name(hasNext, next, "next"))
    if hasContent {
      do {
        row.content = try content.parts().list
      } catch {
        throw error.within("content")
      }
    }
    return row
  }
}

extension ProtoCheckpoint.StoredCueList: WireRepresentation {
  init(_ stored: RuntimeCheckpoint.StoredCueList) {
    self.init()
    list = ProtoOperation.CueList(stored.name, stored.list)
    position = ProtoOperation.CuePosition(stored.name, stored.position)
    number = stored.number
  }

  func model() throws(WireError) -> RuntimeCheckpoint.StoredCueList {
    do {
      let (name, list) = try list.parts()
      return RuntimeCheckpoint.StoredCueList(name, list, try position.model(), number: number)
    } catch {
      throw error.within("list")
    }
  }
}

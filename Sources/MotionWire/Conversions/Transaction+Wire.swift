import MotionModel
import SwiftProtobuf

extension ProtoOperation: WireRepresentation {
  init(_ operation: Transaction.Operation) {
    self.operation =
      switch operation {
      case .add(let intention, let name, let target):
        .add(
          .with {
            $0.intention = ProtoIntention(intention)
            $0.to = target.text
            if let name { $0.named = name.text }
          })
      case .remove(let name, let target):
        .remove(
          .with {
            $0.named = name.text
            $0.from = target.text
          })
      case .removePlan(let identity, let target):
        .removePlan(
          .with {
            $0.identity = ProtoIntentionIdentity(identity)
            $0.from = target.text
          })
      case .forget(let target): .forget(target.text)
      case .limit(let property, let target, let setting): .limit(Limit(property, target, setting))
      case .group(let name, let members): .group(Group(GroupRow(name, members)))
      case .scene(let name, let scene): .scene(Scene(name, scene))
      case .cues(let name, .list(let list)): .cues(CueList(name, list))
      case .cues(let name, .position(let position)): .cuePosition(CuePosition(name, position))
      }
  }

  /// An operation of a client, with a selector in place of its target.
  init(
    _ operation: Transaction.Operation, each selector: TargetSelector?, _ spread: MotionModel.Spread?,
    _ recall: SceneRecall?, _ step: MotionModel.CueStep?
  ) {
    self.init(operation)
    if let recall { self.operation = .recall(Recall(recall)) }
    if let step, case .cues(let name, _) = operation { self.operation = .cueStep(CueStep(name, step)) }
    guard let selector else { return }
    each = selector.text
    if let spread { self.spread = Spread(spread) }
    switch self.operation {
    case .add: add.to = ""
    case .remove: remove.from = ""
    case .forget: forget = ""
    case .limit: limit.on = ""
    case .removePlan, .group, .scene, .recall, .cues, .cuePosition, .cueStep, nil: break
    }
  }

  private var isAddition: Bool { if case .add = operation { true } else { false } }

  /// The selector of an operation of a client, and the operation with a placeholder; `nil` without a selector.
  fileprivate func selecting() throws(WireError) -> (Transaction.Operation, TargetSelector)? {
    guard !each.isEmpty else { return nil }
    let selector: TargetSelector
    do {
      selector = try TargetSelector(each)
    } catch {
      throw WireError(.name, field: "each", error.description)
    }
    var placed = self
    let placeholder = Transaction.placeholder.text
    let isEmpty: Bool
    switch operation {
    case _ where hasSpread && !isAddition:
      throw WireError(.value, field: "spread", "only plans that are added differ from target to target")
    case .add(let add):
      isEmpty = add.to.isEmpty
      placed.add.to = placeholder
    case .remove(let remove):
      isEmpty = remove.from.isEmpty
      placed.remove.from = placeholder
    case .forget(let target):
      isEmpty = target.isEmpty
      placed.forget = placeholder
    case .limit(let limit):
      isEmpty = limit.on.isEmpty
      placed.limit.on = placeholder
    case .group(let group): isEmpty = group.members.isEmpty
    case .scene(let scene): isEmpty = scene.targets.isEmpty
    case .recall:
      throw WireError(.value, field: "each", "a scene is recalled as a whole", remedy: "Omit the selector")
    case .cues, .cuePosition, .cueStep:
      throw WireError(.value, field: "each", "a list of cues has no targets", remedy: "Omit the selector")
    case .removePlan:
      throw WireError(.value, field: "each", "the plan of an identity is on one target", remedy: "Send its target")
    case nil: throw .nothingChosen("operation")
    }
    guard isEmpty else {
      throw WireError(
        .value, field: "each", "the operation has a target and a selector", remedy: "Send one of them")
    }
    placed.each = ""
    placed.clearSpread()
    return (try placed.model(), selector)
  }

  func model() throws(WireError) -> Transaction.Operation {
    guard each.isEmpty else {
      throw WireError(.value, field: "each", "only the operations of a commit have selectors")
    }
    guard !hasSpread else {
      throw WireError(.value, field: "spread", "the operation has one target", remedy: "Send a selector in each")
    }
    switch operation {
    case .add(let add):
      do {
        return .add(
          try Decode.required(add.hasIntention, add.intention, "intention"),
          named: try Decode.name(add.hasNamed, add.named, "named"), to: try Decode.name(add.to, "to"))
      } catch {
        throw error.within("add")
      }
    case .remove(let remove):
      do {
        return .remove(named: try Decode.name(remove.named, "named"), from: try Decode.name(remove.from, "from"))
      } catch {
        throw error.within("remove")
      }
    case .removePlan(let remove):
      do {
        return .removePlan(
          try Decode.required(remove.hasIdentity, remove.identity, "identity"),
          from: try Decode.name(remove.from, "from"))
      } catch {
        throw error.within("remove_plan")
      }
    case .forget(let target): return .forget(try Decode.name(target, "forget"))
    case .limit(let limit):
      do {
        let (property, target, setting) = try limit.parts()
        return .limit(property, of: target, setting)
      } catch {
        throw error.within("limit")
      }
    case .recall: throw WireError(.value, field: "recall", "only the operations of a commit recall scenes")
    case .cueStep: throw WireError(.value, field: "cue_step", "only the operations of a commit command lists of cues")
    case .cues(let list):
      do {
        let (name, list) = try list.parts()
        return .cues(name, .list(list))
      } catch {
        throw error.within("cues")
      }
    case .cuePosition(let position):
      do {
        return .cues(try Decode.name(position.list, "list"), .position(try position.model()))
      } catch {
        throw error.within("cue_position")
      }
    case .scene(let scene):
      do {
        let (name, scene) = try scene.parts()
        return .scene(name, scene)
      } catch {
        throw error.within("scene")
      }
    case .group(let group):
      let row: GroupRow = try Decode.part(group, "group")
      return .group(row.group, row.members)
    case nil: throw .nothingChosen("operation")
    }
  }

  /// The operations of a transaction as it is committed.
  static func list(_ transaction: Transaction) -> [ProtoOperation] {
    guard transaction.hasRequests else { return transaction.log.map(ProtoOperation.init) }
    return transaction.log.indices.map {
      ProtoOperation(
        transaction.log[$0], each: transaction.selectors[$0], transaction.spreads[$0], transaction.recalls[$0],
        transaction.cueSteps[$0])
    }
  }

  /// The operations, for recovery at a start, each in its place. A plan that cannot be decoded becomes one that every
  /// runtime refuses. Other operations that cannot be decoded have no effect.
  static func recovered(_ operations: [ProtoOperation]) -> [Transaction.Operation] {
    operations.map { $0.recovered() }
  }

  private func recovered() -> Transaction.Operation {
    do {
      return try model()
    } catch {
      guard case .add(let add) = operation, let type = try? IntentionType(add.intention.type),
        let target = try? TargetName(add.to)
      else { return .remove(named: "unreadable", from: "unreadable") }
      return .add(.unreadable(type, error.description), named: nil, to: target)
    }
  }

  /// The transaction of these operations; errors carry the index of the offending one.
  static func transaction(
    _ operations: [ProtoOperation], selecting: Bool = false
  ) throws(WireError) -> Transaction {
    guard operations.count <= Limits.operationsPerTransaction else {
      throw .limit("operations", operations.count, atMost: Limits.operationsPerTransaction, of: "operations")
    }
    var log: [Transaction.Operation] = []
    var selectors: [Int: TargetSelector] = [:]
    var spreads: [Int: MotionModel.Spread] = [:]
    var recalls: [Int: SceneRecall] = [:]
    var steps: [Int: MotionModel.CueStep] = [:]
    log.reserveCapacity(operations.count)
    for (index, operation) in operations.enumerated() {
      do {
        if selecting, let (placed, selector) = try operation.selecting() {
          selectors[index] = selector
          if operation.hasSpread { spreads[index] = try operation.spread.model() }
          log.append(placed)
        } else if selecting, operation.each.isEmpty, case .recall(let recall) = operation.operation {
          let recall = try recall.model()
          recalls[index] = recall
          log.append(.scene(recall.scene, MotionModel.Scene()))
        } else if selecting, operation.each.isEmpty, case .cueStep(let step) = operation.operation {
          steps[index] = try step.model()
          log.append(.cues(try Decode.name(step.list, "cue_step.list"), .position(MotionModel.CuePosition())))
        } else {
          log.append(try operation.model())
        }
      } catch {
        var placed = error.within("operations[\(index)]")
        placed.operation = index
        throw placed
      }
    }
    return Transaction(log: log, selectors: selectors, spreads: spreads, recalls: recalls, cueSteps: steps)
  }
}

extension ProtoOperation.Group: WireRepresentation {
  init(_ row: GroupRow) {
    name = row.group.text
    members = row.members.map(\.text)
  }

  func model() throws(WireError) -> GroupRow {
    GroupRow(try Decode.name(name, "name"), try Decode.names(members, "members"))
  }
}

extension ProtoOperation.Spread: WireRepresentation {
  init(_ spread: MotionModel.Spread) {
    to = spread.to.map(ProtoField.init)
    stagger = spread.stagger
    by = spread.by?.description ?? ""
  }

  func model() throws(WireError) -> MotionModel.Spread {
    let fields = try Decode.list(to, "to", atMost: Limits.fieldsPerIntention)
    guard Set(fields.map(\.name)).count == fields.count else {
      throw WireError(.value, field: "to", "a field is given twice", remedy: "Give each field once")
    }
    let order: SpreadOrder?
    do {
      order = by.isEmpty ? nil : try SpreadOrder(by)
    } catch {
      throw WireError(.name, field: "by", error.description)
    }
    return MotionModel.Spread(to: fields, stagger: try Decode.finite(stagger, "stagger"), by: order)
  }
}

extension ProtoCommit: WireRepresentation {
  init(_ commit: Commit) {
    idHigh = commit.id.high
    idLow = commit.id.low
    let transaction = commit.transaction
    operations = ProtoOperation.list(transaction)
    if let at = commit.at { self.at = at }
    whileConnected = commit.whileConnected
    comment = commit.comment
    client = Encode.text(commit.client, atMost: Limits.clientNameBytes)
    if let principal = commit.onBehalfOf { onBehalfOf = ProtoCommitter(principal) }
  }

  func model() throws(WireError) -> Commit {
    let id = TransactionID(high: idHigh, low: idLow)
    guard !id.isZero else {
      throw WireError(
        .missing, field: "id_high", "the transaction has no id: id_high and id_low are 0",
        remedy: "Send 128 random bits, new ones for each transaction")
    }
    var commit = Commit(
      try ProtoOperation.transaction(operations, selecting: true), id: id, at: try Decode.finite(hasAt, at, "at"),
      whileConnected: whileConnected, comment: try Decode.text(comment, "comment", atMost: Limits.commentBytes))
    commit.client = try Decode.text(client, "client", atMost: Limits.clientNameBytes)
    commit.onBehalfOf = try Decode.optional(hasOnBehalfOf, onBehalfOf, "on_behalf_of")
    return commit
  }
}

import MotionModel

/// What transactions and operations before the present one change: which targets and groups there are then, and, for
/// recalls, what moves them.
struct EarlierOperations {
  private let runtime: Runtime
  /// Whether plans are noted.
  private let notesPlans: Bool
  /// The transactions that are accepted and not yet applied, and whose effects are not looked at yet.
  private var earlier: ArraySlice<(sequence: UInt64, transaction: Transaction)>
  private var nextEarlier = 0
  /// Whether targets exist once the operations so far are applied, where these change that.
  private var exists: [TargetName: Bool] = [:]
  /// The targets that do not exist now, or are forgotten and may exist again.
  private(set) var added: [TargetName] = []
  private var groups: [GroupName: [TargetName]] = [:]
  private var coming: [TargetName: ComingChanges] = [:]

  /// Begins with the transactions that no frame has applied, unless neither targets nor plans depend on them.
  ///
  /// - Parameter selectors: all selectors of the request.
  init(_ request: Transaction, _ selectors: [TargetSelector], in runtime: Runtime) {
    self.runtime = runtime
    notesPlans = !request.recalls.isEmpty
    let isFixed = selectors.allSatisfy(\.isFixed)
    earlier = isFixed && !notesPlans ? [] : runtime.queue.unapplied[...]
  }

  /// Whether all of these transactions were looked at.
  var isDone: Bool { earlier.isEmpty }
  /// The operations to look at.
  var cost: Int { earlier.reduce(0) { $0 + $1.transaction.log.count } }

  /// Looks at the next operations, at most `left`.
  mutating func advance(_ left: inout Int) {
    while left > 0, let (sequence, transaction) = earlier.first {
      if nextEarlier < transaction.log.count {
        note(transaction.log[nextEarlier], as: IntentionIdentity(sequence: sequence, operation: UInt32(nextEarlier)))
        nextEarlier += 1
        left -= 1
      } else {
        (earlier, nextEarlier) = (earlier.dropFirst(), 0)
      }
    }
  }

  /// Notes the next operation.
  ///
  /// - Parameters:
  ///   - identity: the identity of the plan that it adds, once its transaction is accepted.
  ///   - index: its index in the transaction that is being resolved.
  mutating func note(_ operation: Transaction.Operation, as identity: IntentionIdentity? = nil, at index: Int? = nil) {
    if notesPlans, let target = operation.target {
      coming[target, default: ComingChanges()].note(operation, as: identity, at: index, runtime.reader)
    }
    switch operation {
    case .add(_, _, let target):
      guard exists[target] != true, exists[target] == false || runtime.plans.targets[target] == nil else { return }
      if exists.updateValue(true, forKey: target) == nil { added.append(target) }
    case .forget(let target):
      if exists[target] == nil { added.append(target) }
      exists[target] = false
    case .group(let name, let members): groups[name] = members
    case .remove, .removePlan, .limit, .scene, .cues: break
    }
  }

  /// Whether a target exists then; `nil` if nothing changes that.
  func exists(_ target: TargetName) -> Bool? { exists[target] }

  /// The members of a group; empty if there is none.
  func members(of group: GroupName) -> [TargetName] { groups[group] ?? runtime.plans.groups[group] ?? [] }

  /// The names of the groups, in order.
  var groupNames: [GroupName] {
    Set(runtime.plans.groups.names).union(groups.keys).filter { groups[$0]?.isEmpty != true }.sorted()
  }

  /// What is done to the plans of a target.
  func changes(of target: TargetName) -> ComingChanges { coming[target] ?? ComingChanges() }
}

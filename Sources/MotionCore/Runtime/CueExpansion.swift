import MotionModel

/// A transaction with what its commands to lists of cues do, in their places.
struct CueExpansion {
  /// The transaction; each command is a position of its list, behind what the cues do.
  private(set) var transaction = Transaction()
  /// The scenes of tracked recalls, by the indices of the operations: those of all cues up to there.
  private(set) var scenes: [Int: Scene] = [:]
  /// For each operation, the index of the operation in the transaction as it was committed; `nil` if they are the same.
  private var origins: [Int]?
  /// The indices of the commands in the transaction as it was committed.
  private var commands: Set<Int> = []
  /// The cues that begin, by their first operations.
  private var begun: [(first: Int, cue: CueName)] = []

  /// Expands a transaction.
  ///
  /// - Throws: the refusal of a command that cannot be carried out.
  init(_ request: Transaction, in runtime: Runtime) throws(Refusal) {
    guard !request.cueSteps.isEmpty else {
      transaction = request
      return
    }
    origins = []
    commands = Set(request.cueSteps.keys)
    for index in request.log.indices {
      guard let step = request.cueSteps[index], case .cues(let name, _) = request.log[index] else {
        append(request.operation(at: index), from: index)
        continue
      }
      do {
        try append(step, of: name, in: runtime, from: index)
      } catch {
        var refusal = error
        refusal.operation = index
        throw refusal
      }
    }
  }

  /// The operation as it was committed from which one comes.
  func origin(of operation: Int) -> Int { origins?[operation] ?? operation }

  /// Whether an operation as it was committed is a command.
  func isExpanded(_ operation: Int) -> Bool { commands.contains(operation) }

  /// A refusal of an operation, with the operation as it was committed and the cue that it belongs to.
  func placed(_ refusal: Refusal, at operation: Int) -> Refusal {
    var refusal = refusal
    refusal.operation = origin(of: operation)
    guard isExpanded(origin(of: operation)), let cue = begun.last(where: { $0.first <= operation }) else {
      return refusal
    }
    refusal.message = "cue \"\(cue.cue)\": \(refusal.message)"
    return refusal
  }

  private mutating func append(
    _ step: CueStep, of name: CueListName, in runtime: Runtime, from index: Int
  ) throws(Refusal) {
    guard let (list, position) = runtime.cues.expected(name) else { throw runtime.cues.missing(name) }
    let transition = try CueTransition(step, of: list, name, at: position)
    for run in transition.runs { append(run, of: list, in: runtime, from: index) }
    append(Transaction(log: [.cues(name, .position(transition.position))]), from: index)
  }

  private mutating func append(_ part: Transaction, from index: Int) {
    origins?.append(contentsOf: repeatElement(index, count: part.log.count))
    transaction.append(part)
  }

  private mutating func append(_ run: CueTransition.Run, of list: CueList, in runtime: Runtime, from index: Int) {
    let table = runtime.scenes
    func properties(_ part: Scene.Target) -> Set<PropertyName> { part.properties(runtime.reader) }
    var content = list.cues[run.cue].content
    begun.append((transaction.log.count, list.cues[run.cue].name))
    if run.isTracked {
      // Of the cues before, the scenes, where none behind them has the same properties.
      let tracked = list.cues[..<run.cue].flatMap { $0.content.recalledScenes }.compactMap { table[$0] }
      if let index = content.recalls.keys.min(), let recall = content.recalls[index] {
        if let scene = table[recall.scene] {
          scenes[transaction.log.count + index] = (tracked + [scene]).reduce(Scene()) {
            $0.overlaid(by: $1, properties: properties)
          }
        }
      } else if let last = list.cues[..<run.cue].last(where: { !$0.content.recalls.isEmpty })?.content,
        let recall = last.recalls.sorted(by: { $0.key < $1.key }).last?.value, !tracked.isEmpty
      {
        var first = Transaction()
        first.recall(recall)
        first.append(content)
        content = first
        scenes[transaction.log.count] = tracked.reduce(Scene()) { $0.overlaid(by: $1, properties: properties) }
      }
    }
    append(content, from: index)
  }
}

extension Transaction {
  /// The scenes that it recalls, in order.
  fileprivate var recalledScenes: [SceneName] { recalls.sorted { $0.key < $1.key }.map(\.value.scene) }

  /// One of its operations, as a transaction.
  fileprivate func operation(at index: Int) -> Transaction {
    Transaction(
      log: [log[index]], selectors: selectors[index].map { [0: $0] } ?? [:],
      spreads: spreads[index].map { [0: $0] } ?? [:], recalls: recalls[index].map { [0: $0] } ?? [:])
  }
}

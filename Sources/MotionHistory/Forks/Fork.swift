public import MotionCore
public import MotionModel

/// Another course of a run: from one moment on, without some of its transactions or with further ones.
///
/// It is computed in this process, by the executors of the registry; nothing of it reaches a daemon. Springs and other
/// forces, moves, and plans whose executors are registered continue as they would in production. A plan of a worker is
/// held: its property keeps its place.
///
///     let fork = Fork(at: recorded, by: registry)
///     fork.leaveOut([12])
///     try fork.commit(transaction)
///     while let frame = next() { fork.follow(frame) }
///     fork.advanceUntilRest(limit: 7200)
public final class Fork {
  /// The runtime of this course.
  public let runtime: Runtime
  /// The plans of hands that were down at the beginning: here they have let go.
  public let letGo: [IntentionRow]
  /// The transactions that do not happen in it.
  private var leftOut: Set<UInt64> = []

  /// Begins at the present frame of another runtime, which it does not change.
  ///
  /// - Parameters:
  ///   - registry: the executors of this process. Types that only plugins claim have to be registered, too, as far as
  ///     transactions use them.
  ///   - lastSequence: the last sequence of the run, so that no transaction of the fork gets the same one.
  public init(at original: Runtime, by registry: ExecutorRegistry, lastSequence: UInt64 = 0) {
    runtime = Runtime(registry: registry, ratePerSecond: original.ratePerSecond)
    runtime.restore(original, lastSequence: lastSequence)
    letGo = original.plansInHands
    runtime.log.keeps = .drivers
  }

  // MARK: Changes

  /// Removes the plans of these transactions, and applies none of them later.
  public func leaveOut(_ sequences: Set<UInt64>) {
    leftOut.formUnion(sequences)
    runtime.applyNow(.withdraw(sequences.sorted()))
  }

  /// Commits a transaction that takes effect with the next frame or, if a time is given, then.
  ///
  /// - Throws: ``/MotionModel/Refusal`` as the commit in a runtime.
  public func commit(_ transaction: Transaction, at time: Double? = nil) throws(Refusal) {
    _ = try runtime.commit(transaction, at: time)
  }

  // MARK: Frames

  /// Runs a frame of the run, with what clients did in it.
  public func follow(_ recorded: RecordedFrame) {
    runtime.accept(recorded.provenances)
    for event in recorded.betweenFrames where isFollowed(event) { runtime.applyNow(event) }
    for event in recorded.events where isFollowed(event) { runtime.submit(event) }
    runtime.run(recorded.frame)
  }

  /// Runs frames of one period as long as something moves, at most `limit` of them.
  ///
  /// - Parameter hear: called after each frame.
  /// - Returns: whether everything is at rest.
  public func advanceUntilRest(limit: Int, _ hear: () -> Void = {}) -> Bool {
    var frames = 0
    while runtime.wantsFrames {
      guard frames < limit else { return false }
      runtime.advance()
      hear()
      frames += 1
    }
    return true
  }

  /// The plans that wait for a worker, and hold their properties.
  public var held: [IntentionRow] {
    guard case .intentions(let rows)? = try? runtime.answer(.intentions(nil)) else { return [] }
    return rows.filter { $0.state == .owed }
  }

  private func isFollowed(_ event: RuntimeEvent) -> Bool {
    if case .commit(let sequence, _) = event, leftOut.contains(sequence) { return false }
    return Self.belongs(event)
  }

  /// Whether it is an event of clients: what workers do follows from their executors here.
  private static func belongs(_ event: RuntimeEvent) -> Bool {
    switch event {
    case .commit, .stop, .withdraw, .input, .inputValues: true
    case .update, .provisioned, .lost, .quarantined, .restored, .withheld, .planQuarantined: false
    }
  }
}

extension Runtime {
  /// The manipulations whose executors hold a token.
  fileprivate var plansInHands: [IntentionRow] {
    guard case .tokens(let tokens)? = try? answer(.tokens(nil)), !tokens.isEmpty,
      case .intentions(let rows)? = try? answer(.intentions(nil))
    else { return [] }
    let holders = Set(tokens.map(\.executor))
    return rows.filter {
      $0.kind == .manipulation && $0.state == .added && holders.contains(ExecutorKey($0.target, $0.executor))
    }
  }
}

import Synchronization

/// The thread of a coordinator, from its start to its end.
final class CoordinatorThread: Sendable {
  let executor: PollingExecutor
  /// Whether it was started, even if only to end.
  private let isStarted = Atomic(false)
  /// Opens when it has finished.
  private let ended = Latch()
  /// Why it ended, if its end was not requested.
  private let failure = Mutex<CoordinatorFailure?>(nil)

  init() throws { executor = try PollingExecutor() }

  /// Marks it as started.
  ///
  /// - Returns: whether it was not before.
  func begin() -> Bool { !isStarted.exchange(true, ordering: .relaxed) }

  /// Ends it after the present turn.
  func stop() { executor.stop() }

  /// The same, after the failure of something that the coordinator cannot run without.
  func fail(_ reason: String) {
    failure.withLock { $0 = CoordinatorFailure(description: reason) }
    stop()
  }

  /// It has finished.
  func finish() { ended.open() }

  /// Returns when it has finished.
  func untilEnded() async { await ended.wait() }

  /// Throws the failure by which it ended, if it was one.
  func checkFailure() throws(CoordinatorFailure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

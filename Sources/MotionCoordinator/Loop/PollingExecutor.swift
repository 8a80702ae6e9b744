import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Runs an actor's jobs on one thread that mostly polls: a call to the actor wakes the poll.
///
/// The thread alternates between jobs and turns of its owner. A call from another thread costs an eventfd write if the
/// queue was empty, and 10–19 µs until it runs (measured with two cores).
final class PollingExecutor: SerialExecutor {
  /// Jobs run between two turns at most, so that a flood of calls cannot starve the timers.
  private static let jobsPerTurn = 256

  private struct State {
    var jobs: [UnownedJob] = []
    /// Whether the thread has ended, so that no thread polls for new jobs.
    var hasEnded = false
    /// Whether a thread has been started since to run later jobs.
    var isTidying = false
  }

  private let state = Mutex(State())
  private let wakeUp: EventCounter
  /// The thread that runs the jobs; 0 before it has begun.
  private let thread = Atomic<UInt>(0)
  private let isStopping = Atomic<Bool>(false)

  init() throws(SystemError) {
    wakeUp = try EventCounter()
  }

  /// The descriptor that becomes readable when there are jobs.
  var descriptor: Int32 { wakeUp.descriptor }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let (wakes, tidies) = state.withLock { state in
      defer { state.jobs.append(unowned) }
      guard state.hasEnded else { return (state.jobs.isEmpty, false) }
      defer { state.isTidying = true }
      return (false, !state.isTidying)
    }
    if wakes { wakeUp.signal() }
    if tidies { OwnThread.start("coordinator end") { [self] in runRest() } }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "the coordinator was touched from a thread that does not own it")
  }

  func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Runs jobs and turns on a new thread until ``stop()``; `begin` runs there first and `end` last. Returns when the
  /// thread runs.
  ///
  /// Jobs that were enqueued before wait for it. Jobs after the end run too, on a thread that lives as long as there
  /// are any: no caller waits for ever for an actor whose thread has ended.
  func start(
    begin: @escaping @Sendable () -> Void, turn: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) async {
    let begun = Latch()
    OwnThread.start("coordinator") { [self] in
      thread.store(UInt(pthread_self()), ordering: .relaxed)
      begin()
      begun.open()
      while !isStopping.load(ordering: .relaxed) {
        runJobs()
        turn()
      }
      runJobs()
      end()
      runRest()
    }
    await begun.wait()
  }

  /// Makes the calling thread the one that owns the actor, and runs the waiting jobs: for a caller that takes the turns
  /// without a thread of its own, such as a simulation.
  func adopt() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    if state.withLock({ !$0.jobs.isEmpty }) { runJobs() }
  }

  /// Whether the thread ends after the present turn: for a caller that takes the turns without one.
  var isStopped: Bool { isStopping.load(ordering: .relaxed) }

  /// Ends the thread after the present turn.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    wakeUp.signal()
  }

  private func runJobs() {
    wakeUp.drain()
    let (batch, isMore) = state.withLock { state in
      let batch = Array(state.jobs.prefix(Self.jobsPerTurn))
      state.jobs.removeFirst(batch.count)
      return (batch, !state.jobs.isEmpty)
    }
    if isMore { wakeUp.signal() }
    for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Runs jobs until there is none; the caller that enqueues the next starts another thread.
  private func runRest() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    while true {
      let batch = state.withLock { state in
        let batch = state.jobs
        state.jobs = []
        guard batch.isEmpty else { return batch }
        // Before the next thread can begin, so that its own mark is not overwritten.
        thread.store(0, ordering: .relaxed)
        (state.hasEnded, state.isTidying) = (true, false)
        return batch
      }
      guard !batch.isEmpty else { return }
      for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }
}

import CLinux
import Glibc
import Synchronization
import ZeroMQ

/// Runs an actor's jobs on one thread that mostly polls: whoever calls the actor wakes the poll.
///
/// The thread alternates between jobs and turns of its owner. A call from another thread costs an eventfd write if the
/// queue was empty, and 10–19 µs until it runs (measured with two cores).
final class PollingExecutor: SerialExecutor {
  /// Jobs run between two turns at most, so that a flood of calls cannot starve the timers.
  private static let jobsPerTurn = 256

  private let jobs = Mutex<[UnownedJob]>([])
  private let wakeUp: EventCounter
  /// The thread that runs the jobs; 0 before it has begun.
  private let thread = Atomic<UInt>(0)
  private let isStopping = Atomic<Bool>(false)

  init() throws(ZeroMQError) {
    wakeUp = try EventCounter()
  }

  /// The descriptor that becomes readable when there are jobs.
  var descriptor: Int32 { wakeUp.descriptor }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let wasEmpty = jobs.withLock { jobs in
      defer { jobs.append(unowned) }
      return jobs.isEmpty
    }
    if wasEmpty { wakeUp.signal() }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "the coordinator was touched from a thread that does not own it")
  }

  func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Runs jobs and turns on a new thread until ``stop()``; `end` runs there last. Returns when the thread runs.
  ///
  /// Jobs that come after the end are never run: who calls an actor that may have ended does not wait for it.
  func start(turn: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) async {
    let begun = Latch()
    startThread { [self] in
      thread.store(UInt(pthread_self()), ordering: .relaxed)
      motion_name_thread("coordinator")
      begun.open()
      while !isStopping.load(ordering: .relaxed) {
        runJobs()
        turn()
      }
      runJobs()
      end()
    }
    await begun.wait()
  }

  private func startThread(_ run: @escaping @Sendable () -> Void) {
    let body = Body(run)
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(body).toOpaque())
    precondition(status == 0, "no thread for the coordinator: errno \(status)")
    pthread_detach(id)
  }

  /// Lets the thread end after the present turn.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    wakeUp.signal()
  }

  private func runJobs() {
    wakeUp.drain()
    let (batch, isMore) = jobs.withLock { jobs in
      let batch = Array(jobs.prefix(Self.jobsPerTurn))
      jobs.removeFirst(batch.count)
      return (batch, !jobs.isEmpty)
    }
    if isMore { wakeUp.signal() }
    for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

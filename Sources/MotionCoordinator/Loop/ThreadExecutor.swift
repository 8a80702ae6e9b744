import LinuxSystem
import ZeroMQ

/// Runs the jobs of tasks that prefer it on one thread, which sleeps when there are none.
///
/// Not for work that blocks. It replaces the pool of Swift's concurrency: once that has run a single job, libdispatch
/// checks its threads each second for as long as the process lives. That would be the one wake-up of an idle motiond.
public final class ThreadExecutor: TaskExecutor {
  private let jobs: Mailbox<UnownedJob>

  /// Starts the thread, which lives as long as the process.
  ///
  /// - Throws: the error of the system.
  public init() throws {
    jobs = try Mailbox()
    OwnThread.start("services") { [self] in
      while true {
        jobs.wait()
        for job in jobs.take() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }
  }

  /// Enqueues a job; any thread may call it.
  public func enqueue(_ job: consuming ExecutorJob) { jobs.post(UnownedJob(job)) }
}

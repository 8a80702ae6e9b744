import Glibc
import LinuxSystem
import MotionExecutorKit
import Synchronization
import ZeroMQ

/// A worker on a thread of its own: it stands for a process, with a pipe for its standard input.
final class WorkerThread {
  /// The state that both threads share.
  private final class Shared: Sendable {
    let environment: WorkerEnvironment
    let makeWorker: @Sendable () -> Worker
    let stop: EventCounter
    let lifeline: Int32
    let end = Mutex<WorkerEnd?>(nil)

    init(_ environment: WorkerEnvironment, _ makeWorker: @escaping @Sendable () -> Worker, lifeline: Int32) throws {
      self.environment = environment
      self.makeWorker = makeWorker
      self.lifeline = lifeline
      stop = try EventCounter()
    }
  }

  private let shared: Shared
  private var lifelineEnd: Int32
  private var thread = pthread_t()

  init(_ environment: WorkerEnvironment, _ makeWorker: @escaping @Sendable () -> Worker) throws {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { throw ZeroMQError(code: errno, operation: "pipe") }
    for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    lifelineEnd = pipes[1]
    shared = try Shared(environment, makeWorker, lifeline: pipes[0])
    let argument = Unmanaged.passRetained(shared).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let shared = Unmanaged<Shared>.fromOpaque(argument).takeRetainedValue()
        let end = try? shared.makeWorker().serve(shared.environment, lifeline: shared.lifeline, stop: shared.stop)
        shared.end.withLock { $0 = end ?? .stopped }
        close(shared.lifeline)
        return nil
      }, argument)
    guard status == 0 else { throw ZeroMQError(code: status, operation: "pthread_create") }
  }

  /// The reason for the worker's end, if it has ended.
  var end: WorkerEnd? { shared.end.withLock { $0 } }

  /// The effect of TERM.
  func stop() { shared.stop.signal() }

  /// The effect of motiond's end.
  func endLifeline() {
    guard lifelineEnd >= 0 else { return }
    close(lifelineEnd)
    lifelineEnd = -1
  }

  /// Waits until the thread has ended.
  func join() { pthread_join(thread, nil) }
}

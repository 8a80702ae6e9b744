import CLinux
import Glibc
import Synchronization

/// One thread that starts all processes and never ends.
///
/// The kernel sends a parent-death signal when the *thread* that started the process ends, so the thread has to live as
/// long as the tests. That way not even a test program that crashes leaves a daemon behind.
final class SpawningThread: Sendable {
  static let shared = SpawningThread()

  private let letters = Mutex<[@Sendable () -> Void]>([])
  /// Counts the queued work. The semaphore is used only by libc's own atomic calls, and lives for ever.
  private nonisolated(unsafe) let count: UnsafeMutablePointer<sem_t>

  private init() {
    count = .allocate(capacity: 1)
    sem_init(count, 0, 0)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<SpawningThread>.fromOpaque(pointer).takeUnretainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(status == 0, "no thread to start processes: errno \(status)")
  }

  /// Performs `work` on the thread and waits for it.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
    let answer = Answer<Result>()
    letters.withLock { $0.append { answer.give(work()) } }
    sem_post(count)
    return answer.wait()
  }

  private func run() -> Never {
    while true {
      while sem_wait(count) != 0 {}
      let letter = letters.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      letter?()
    }
  }
}

/// The result that one thread leaves for another.
private final class Answer<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)
  private nonisolated(unsafe) let isThere: UnsafeMutablePointer<sem_t>

  init() {
    isThere = .allocate(capacity: 1)
    sem_init(isThere, 0, 0)
  }

  deinit {
    sem_destroy(isThere)
    isThere.deallocate()
  }

  func give(_ value: Result) {
    result.withLock { $0 = value }
    sem_post(isThere)
  }

  func wait() -> Result {
    while sem_wait(isThere) != 0 {}
    guard let value = result.withLock({ $0 }) else { preconditionFailure("an answer without a value") }
    return value
  }
}

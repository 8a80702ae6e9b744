import Glibc
import Synchronization
import Testing

/// A thread with a body, whose result `join` returns: for calls that block, which no task should.
final class TestThread: Sendable {
  let handle: pthread_t
  private let failure: Failure

  init(_ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Failure()
    let work = Work {
      do { try body() } catch { failure.error.withLock { $0 = error } }
    }
    var handle = pthread_t()
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    try #require(status == 0)
    self.handle = handle
    self.failure = failure
  }

  /// Waits for its end, and throws what its body threw.
  func join() throws {
    pthread_join(handle, nil)
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  private final class Failure: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

import Glibc
import Synchronization
import Testing

@testable import MotionCoordinator

struct ThreadExecutorTests {
  /// The threads on which work ran.
  private final class Threads: Sendable {
    let seen = Mutex<Set<UInt>>([])

    func note() async { seen.withLock { _ = $0.insert(UInt(pthread_self())) } }
  }

  @Test func `tasks and their children run on the thread of the executor`() async throws {
    let executor = try ThreadExecutor()
    let threads = Threads()
    await withTaskExecutorPreference(executor) {
      await withDiscardingTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            await Task.yield()
            await threads.note()
          }
        }
      }
      await threads.note()
    }
    #expect(threads.seen.withLock { $0.count } == 1)
  }
}

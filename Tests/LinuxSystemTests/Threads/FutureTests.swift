import LinuxSystem
import Testing

struct FutureTests {
  @Test func `a value that is set on another thread is waited for, and taken once`() throws {
    let future = try Future<Int>()
    #expect(!future.wait(upTo: .zero))
    OwnThread.start("setter") { future.set(7) }
    #expect(future.wait() && future.wait(upTo: .zero), "it stays set")
    #expect(future.take() == 7)
  }
}

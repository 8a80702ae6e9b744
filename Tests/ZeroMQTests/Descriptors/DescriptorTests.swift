import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct DescriptorTests {
  private func isReadable(_ descriptor: Int32, within timeout: Duration = .zero) throws -> Bool {
    let poller = Poller()
    _ = poller.add(descriptor: descriptor)
    return try poller.poll(timeout: timeout) == .ready(1)
  }

  @Test func aCounterIsReadableUntilItIsDrained() throws {
    let counter = try EventCounter()
    #expect(try !isReadable(counter.descriptor))
    counter.drain()
    for _ in 0..<3 { counter.signal() }
    #expect(try isReadable(counter.descriptor))
    counter.drain()
    #expect(try !isReadable(counter.descriptor))
  }

  @Test func aCounterIsSignalledFromAnyThread() throws {
    let counter = try EventCounter()
    let thread = try TestThread { counter.signal() }
    #expect(try isReadable(counter.descriptor, within: timeout))
    try thread.join()
  }

  @Test func aTimerIsReadableAtItsTimeAndNotBefore() throws {
    let timer = try BootTimer()
    let time = BootClock.now + .milliseconds(5)
    timer.arm(at: time)
    #expect(try isReadable(timer.descriptor, within: timeout))
    #expect(BootClock.now >= time)
    timer.acknowledge()
    #expect(timer.deadline == nil)
    #expect(try !isReadable(timer.descriptor))
  }

  @Test func aTimerForATimeThatHasPassedIsReadableAtOnce() throws {
    for time in [Duration.zero, .seconds(-1), BootClock.now, .nanoseconds(1), .seconds(Int64.min / 2)] {
      let timer = try BootTimer()
      timer.arm(at: time)
      #expect(try isReadable(timer.descriptor, within: timeout))
    }
  }

  @Test func aTimerIsDisarmed() throws {
    let timer = try BootTimer()
    timer.arm(at: .zero)
    #expect(try isReadable(timer.descriptor, within: timeout))
    timer.arm(at: nil)
    #expect(try !isReadable(timer.descriptor))
  }

  @Test func aTimeBeyondTheClockIsNoTrap() throws {
    // 300 years are more than 64 bits of nanoseconds.
    for years in [300, 10_000, 100_000_000_000] as [Int64] {
      let timer = try BootTimer()
      timer.arm(at: .seconds(years * 31_557_600))
      #expect(try !isReadable(timer.descriptor))
    }
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == Int64.max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == Int64.min)
  }

  @Test func theBootClockNeverGoesBack() {
    var last = BootClock.now
    for _ in 0..<10_000 {
      let now = BootClock.now
      #expect(now >= last)
      last = now
    }
  }

  @Test func aProcessIsReadableWhenItHasEnded() throws {
    var child = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { for argument in arguments { free(argument) } }
    try #require(posix_spawn(&child, "/bin/sleep", nil, nil, &arguments, environ) == 0)
    var isReaped = false
    defer {
      if !isReaped {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
      }
    }
    let handle = try #require(try ProcessHandle(processID: child))
    #expect(handle.processID == child)
    #expect(try !isReadable(handle.descriptor))
    #expect(handle.send(signal: SIGKILL))
    #expect(try isReadable(handle.descriptor, within: timeout))
    waitpid(child, nil, 0)
    isReaped = true
    #expect(!handle.send(signal: SIGKILL))
    #expect(try ProcessHandle(processID: child) == nil)
  }
}

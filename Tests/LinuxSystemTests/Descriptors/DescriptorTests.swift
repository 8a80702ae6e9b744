import Glibc
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DescriptorTests {
  /// The longest time that a test waits for a condition; ample for a busy machine, and reached only by a failure.
  private static let timeout = Duration.seconds(20)

  private func isReadable(_ descriptor: Int32, within timeout: Duration = .zero) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = (timeout.wholeNanoseconds + 999_999) / 1_000_000
    return poll(&entry, 1, Int32(milliseconds)) == 1
  }

  @Test func aCounterIsReadableUntilItIsDrained() throws {
    let counter = try EventCounter()
    #expect(!isReadable(counter.descriptor))
    counter.drain()
    for _ in 0..<3 { counter.signal() }
    #expect(isReadable(counter.descriptor))
    counter.drain()
    #expect(!isReadable(counter.descriptor))
  }

  @Test func aCounterIsSignalledFromAnyThread() throws {
    let counter = try EventCounter()
    OwnThread.start("signal") { counter.signal() }
    #expect(isReadable(counter.descriptor, within: Self.timeout))
  }

  @Test func aTimerIsReadableAtItsTimeAndNotBefore() throws {
    let timer = try BootTimer()
    let time = BootClock.now + .milliseconds(5)
    timer.arm(at: time)
    #expect(isReadable(timer.descriptor, within: Self.timeout))
    #expect(BootClock.now >= time)
    timer.acknowledge()
    #expect(timer.deadline == nil)
    #expect(!isReadable(timer.descriptor))
  }

  @Test func aTimerForATimeThatHasPassedIsReadableAtOnce() throws {
    for time in [Duration.zero, .seconds(-1), BootClock.now, .nanoseconds(1), .seconds(Int64.min / 2)] {
      let timer = try BootTimer()
      timer.arm(at: time)
      #expect(isReadable(timer.descriptor, within: Self.timeout))
    }
  }

  @Test func `a disarmed timer is not readable`() throws {
    let timer = try BootTimer()
    timer.arm(at: .zero)
    #expect(isReadable(timer.descriptor, within: Self.timeout))
    timer.arm(at: nil)
    #expect(!isReadable(timer.descriptor))
  }

  @Test func `a time beyond the range of the clock does not trap`() throws {
    // 300 years are more than 64 bits of nanoseconds.
    for years in [300, 10_000, 100_000_000_000] as [Int64] {
      let timer = try BootTimer()
      timer.arm(at: .seconds(years * 31_557_600))
      #expect(!isReadable(timer.descriptor))
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

  @Test func `a process handle is readable when the process has ended`() throws {
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
    #expect(!isReadable(handle.descriptor))
    #expect(handle.send(signal: SIGKILL))
    #expect(isReadable(handle.descriptor, within: Self.timeout))
    waitpid(child, nil, 0)
    isReaped = true
    #expect(!handle.send(signal: SIGKILL))
    #expect(try ProcessHandle(processID: child) == nil)
  }
}

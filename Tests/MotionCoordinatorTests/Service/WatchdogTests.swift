import Glibc
import LinuxSystem
import Logging
import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct WatchdogTests {
  private func watchdog(_ microseconds: String?, for process: String? = nil) -> Watchdog? {
    var environment: [String: String] = [:]
    environment["WATCHDOG_USEC"] = microseconds
    environment["WATCHDOG_PID"] = process
    return Watchdog(environment: environment, processID: 7, at: .seconds(100))
  }

  @Test func `the watchdog is notified twice in its interval, the first time at once`() throws {
    var asked = try #require(watchdog("10000000"))
    #expect(asked.interval == .seconds(5))
    // By the second: whether a notification is due, and when the next one is. Late notifications are not caught up.
    for (second, isFed, next) in [(100, true, 105), (104, false, 105), (107, true, 112), (112, true, 117)] {
      let wasFed = asked.deadline(at: .seconds(second))
      #expect(wasFed == isFed)
      #expect(asked.nextDeadline == .seconds(next))
    }
  }

  @Test(arguments: [nil, "", "0", "-5", "soon", "1e6", "86400000001", "99999999999999999999"])
  func `an invalid interval disables the watchdog`(text: String?) {
    #expect(watchdog(text) == nil)
  }

  @Test func `the watchdog of another process is ignored`() {
    #expect(watchdog("1000000", for: "8") == nil)
    #expect(watchdog("1000000", for: "7") != nil)
  }

  /// The loop hangs while all other threads of the process continue: systemd must notice because no notification
  /// arrives.
  // Clauses: S18.1
  @Test(.timeLimit(.minutes(1)))
  func `a loop that hangs sends no notification, one that turns does`() async throws {
    let folder = try TemporaryFolder()
    let systemd = try DatagramListener("\(folder.path)/notify")
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state", pluginPaths: [])
    settings.environment = ["NOTIFY_SOCKET": systemd.path, "WATCHDOG_USEC": "100000"]
    let coordinator = try Coordinator(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await coordinator.start()
    for _ in 0..<5 { #expect(systemd.nextText() == "WATCHDOG=1") }

    let (hanging, released) = (try Event(), try Event())
    Task { await coordinator.hang(saying: hanging, until: released) }
    hanging.wait()
    // Discards earlier notifications.
    while systemd.next(withinMilliseconds: 0) != nil {}
    #expect(systemd.nextText(withinMilliseconds: 500) == nil)
    released.signal()
    #expect(systemd.nextText() == "WATCHDOG=1")
    await coordinator.stop()
  }

  /// An event that occurs once, for threads.
  fileprivate final class Event: Sendable {
    private let box: Mailbox<Void>
    init() throws { box = try Mailbox() }
    func signal() { box.post(()) }
    func wait() { box.wait() }
  }
}

extension Coordinator {
  /// Keeps the coordinator's thread from doing anything else.
  fileprivate func hang(saying hanging: WatchdogTests.Event, until released: WatchdogTests.Event) {
    hanging.signal()
    released.wait()
  }
}

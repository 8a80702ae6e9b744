import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import Testing
import ZeroMQ

extension TimedTests {
  /// The notifications that motiond sends to its service manager.
  @Suite struct ServiceTests {
    // Clauses: S11.13, S18.1
    @Test func `an idle daemon notifies its watchdog every half interval, with one wake-up each`() throws {
      let daemon = try Daemon(environment: ["WATCHDOG_USEC": "1000000"])
      let facts = ProcessFacts(daemon.process.processID)
      try daemon.notifications.hear("WATCHDOG=1", from: daemon.process)
      let before = try #require(facts.sleeps(ofThread: "coordinator"))
      let heard = daemon.notifications.count(of: "WATCHDOG=1")
      let began = BootClock.now
      try awaitTruth("it is fed again and again") { daemon.notifications.count(of: "WATCHDOG=1") >= heard + 4 }
      let took = BootClock.now - began
      #expect(took > .milliseconds(1400), "every half second, not more often")
      // One sleep for each watchdog notification, and one that may have begun before.
      #expect(try #require(facts.sleeps(ofThread: "coordinator")) - before <= Int(took / .milliseconds(500)) + 2)
      #expect(try daemon.terminate() == .exited(0))
    }

    // Clauses: S18.1
    @Test(
      .fault(
        .processes, "motiond hangs under systemd", by: "SIGSTOP with a watchdog",
        promise: "it sends no watchdog notifications, and sends them again when it continues"))
    func `a suspended daemon sends no watchdog notification, and sends them again when it continues`() throws {
      let daemon = try Daemon(environment: ["WATCHDOG_USEC": "200000"])
      try daemon.notifications.hear("WATCHDOG=1", from: daemon.process)
      daemon.process.send(SIGSTOP)
      let facts = ProcessFacts(daemon.process.processID)
      try awaitTruth("it stands") { facts.isStopped }
      let heard = daemon.notifications.count(of: "WATCHDOG=1")
      letPass(.milliseconds(600))
      #expect(daemon.notifications.count(of: "WATCHDOG=1") == heard)
      daemon.process.send(SIGCONT)
      try awaitTruth("it goes on") { daemon.notifications.count(of: "WATCHDOG=1") > heard }
    }

    @Test func `a daemon without a watchdog, or with another process's, sends no notifications`() throws {
      for environment in [[:], ["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"]] {
        let daemon = try Daemon(environment: environment)
        letPass(.milliseconds(300))
        #expect(daemon.notifications.count(of: "WATCHDOG=1") == 0)
      }
    }

    // Clauses: S18.2
    @Test func `a reload is announced with its time and followed by a ready notification`() throws {
      let daemon = try Daemon()
      daemon.process.send(SIGHUP)
      try daemon.notifications.hear("RELOADING=1", from: daemon.process)
      let said = try #require(daemon.notifications.heard.last { $0.hasPrefix("RELOADING=1\n") })
      let time = try #require(said.split(separator: "\n").last?.split(separator: "=").last.flatMap { Int($0) })
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      #expect((0...10_000_000).contains(now.tv_sec * 1_000_000 + now.tv_nsec / 1000 - time))
      try awaitTruth("it is done") {
        daemon.notifications.count(of: "READY=1") == 2
      }
      #expect(daemon.notifications.heard.last { !$0.hasPrefix("WATCHDOG") }?.hasPrefix("READY=1") == true)
    }
  }
}

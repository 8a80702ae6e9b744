import Faults
import Foundation
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Subscribers, and their cost for other clients.
  @Suite struct SubscriberTests {
    @Test func `a second subscriber to the same topic gets the last values`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let first = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try first.listen(for: [3, 4], of: "position", of: "ball")
      try client.awaitIdle()

      // Nothing moves any more: a second subscriber receives values only because it subscribed.
      let second = try Watcher(daemon.connect(), .motion(.target("ball")))
      let values = try #require(second.complete.first)
      #expect(values.isComplete)
      #expect(values[PropertyReference("ball", "position")]?.value == [3, 4])
      #expect(values[PropertyReference("ball", "position")]?.velocity == [0, 0])
      #expect(first.missed == 0)

      let run = try daemon.ctl("watch", "ball/position", "--frames", "1")
      #expect(try run.json()["values"].elements.first?["value"].elements.map(\.number) == [3, 4])
    }

    /// The present values of all places are one line, in the order of names, also those of a place that is not there.
    @Test func `the first line of a watch has the present values of every place`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      for name in ["lamp2", "lamp10", "c"] { try client.add(.springTo("x", 0), to: try TargetName(name)) }
      try client.awaitIdle()
      for places in [
        ["lamp10", "c", "lamp2"], ["c", "nosuch", "lamp2/x", "lamp10"], ["nosuch", "c", "lamp10", "lamp2"],
      ] {
        let line = try daemon.ctl.start(["watch", "--frames", "1"] + places).finish().json()
        #expect(line["values"].elements.map { $0["target"].text } == ["c", "lamp2", "lamp10"], "\(places)")
      }
    }

    @Test(
      .fault(
        .limits, "A subscriber stops reading", by: "a subscription that is never read",
        promise: "no other subscriber misses a frame"))
    func `a subscriber that stops reading delays no other subscriber or answer`() throws {
      let daemon = try Daemon(rate: 1000)
      let client = try daemon.connect()
      let lazy = try daemon.ctl.start(["watch", "--velocities"])
      try awaitTruth("the lazy reader's first line") { !lazy.lines.isEmpty }
      lazy.process.send(SIGSTOP)
      try awaitTruth("the lazy reader stands") { ProcessFacts(lazy.process.processID).isStopped }

      let watcher = try Watcher(client, .motion(.property(PropertyReference("seed0", "position"))))
      var transaction = Transaction()
      // Undamped, so that they move as long as the test needs.
      for number in 0..<10 {
        transaction.add(
          .springTo("position", [100, 100], .physical(tension: 100, friction: 0)),
          to: try TargetName("seed\(number)"))
      }
      try client.commit(transaction)
      // More than the daemon's queue for a subscriber (2048 messages) and the kernel's (208 KB) hold together.
      try watcher.listen("5000 frames", within: .seconds(20)) { watcher.frames.count >= 5000 }

      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "seed0")))
      // An answer does not wait for the slow subscriber either.
      let asked = BootClock.now
      #expect(try client.status().isActive)
      #expect(BootClock.now - asked < .seconds(1))
      // The queue for the slow subscriber is bounded: 2048 messages of 10 positions and velocities are below 2 MB.
      #expect(ProcessFacts(daemon.process.processID).residentBytes < 100_000_000)
      lazy.process.send(SIGCONT)
      try awaitTruth("the lazy reader learns what it missed", within: .seconds(20)) {
        try lazy.lines.contains { try JSON($0)["missed"].count > 0 }
      }
    }

    /// Frames of 340 KB: a queue bounded in messages of whole frames would take 700 MB.
    @Test(
      .fault(
        .limits, "A subscriber of large topics stops reading",
        by: "frames of 340 KB to a subscription that is never read", promise: "at most 128 MiB of memory"))
    func `a subscriber of large topics that stops reading costs 128 MiB at most`() throws {
      // The history has its state of the springs a while later, depending on the processor.
      let daemon = try Daemon(rate: 1000, arguments: ["--history", "none"])
      let client = try daemon.connect()
      var transaction = Transaction()
      for number in 0..<5000 {
        transaction.add(
          .springTo("color", [1, 1, 1, 1], .physical(tension: 1, friction: 0)), to: try TargetName("lamp\(number)"))
      }
      try client.commit(transaction)
      let before = ProcessFacts(daemon.process.processID).residentBytes
      let lazy = try daemon.ctl.start(["watch", "--velocities"])
      try awaitTruth("the lazy reader's first line", within: .seconds(30)) { !lazy.lines.isEmpty }
      lazy.process.send(SIGSTOP)
      try awaitTruth("the lazy reader stands") { ProcessFacts(lazy.process.processID).isStopped }
      let first = try #require(try client.status()["bytes-published"])
      // Twice the limit of the queue: if it were not full by then, the daemon would hold all of it.
      try awaitTruth("the queue is full", within: .seconds(120)) {
        try client.status()["bytes-published"] ?? 0 > first + 2 * (128 << 20)
      }
      // Besides the queue there is the memory for one frame. No lower bound: memory that the commit has freed is used
      // first, and does not increase the resident memory.
      let taken = ProcessFacts(daemon.process.processID).residentBytes - before
      #expect(taken < (128 + 32) << 20, "\(taken >> 20) MiB")
      #expect(try client.status().isActive)
    }

    @Test func `forgotten properties are published, and motionctl watch prints them`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try client.add(.springTo("position", [3, 4]), to: "box")
      try client.awaitIdle()
      let watcher = try Watcher(client, .values(.everything))
      let lines = try daemon.ctl.start(["watch"])
      try awaitTruth("motionctl watches") { !lines.lines.isEmpty }
      var transaction = Transaction()
      transaction.forget("ball")
      try client.commit(transaction)
      try watcher.listen("it is forgotten") {
        watcher.frames.contains { $0.forgotten == [PropertyReference("ball", "position")] }
      }
      #expect(watcher.missed == 0)
      try awaitTruth("motionctl tells it") {
        try lines.lines.contains { line in
          try JSON(line)["forgotten"].elements.map { $0["target"].text } == ["ball"]
        }
      }
    }

    @Test func `a subscriber with 1,500 topics receives every one of them`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      // More than libzmq queues for sending by default.
      let targets = try (0..<1500).map { try TargetName("screen\($0)") }
      let wall = try client.subscribe(to: targets.map { .values(.target($0)) })
      try wall.synchronise(timeout: factTimeout)
      #expect(try client.status()["topics"] == UInt64(targets.count))

      var transaction = Transaction()
      for target in targets { transaction.add(.springTo("opacity", 0), to: target) }
      try client.commit(transaction)
      var heard: Set<Interest> = []
      let deadline = BootClock.now + factTimeout
      while heard.count < targets.count, BootClock.now < deadline {
        guard case .values(let values)? = try wall.next(timeout: .milliseconds(50)), !values.properties.isEmpty else {
          continue
        }
        heard.insert(values.interest)
      }
      #expect(heard.count == targets.count)
    }

    @Test(
      .fault(
        .peers, "A subscriber subscribes and unsubscribes without end", by: "a flood of both",
        promise: "it ends with values; no subscriber misses a frame"))
    func `a client that subscribes and unsubscribes repeatedly gets values and costs no frame`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(
        .springTo("position", [100, 100], .physical(tension: 100, friction: 0)), .springTo("opacity", 0.5), to: "ball")
      let undecided = try daemon.connect().subscribe(to: [])
      let interests: [Interest] = [
        .values(.target("ball")), .motion(.property(PropertyReference("ball", "position"))), .values(.everything),
      ]
      for turn in 0..<300 {
        for interest in interests { try undecided.add(interest) }
        // Sometimes it receives messages in between.
        if turn % 50 == 0 { _ = try undecided.next(timeout: .milliseconds(20)) }
        for interest in interests { try undecided.remove(interest) }
        try watcher.take(upTo: .zero)
      }
      for interest in interests { try undecided.add(interest) }
      // Messages arrive in order: once this is answered, motiond has the earlier subscriptions.
      try undecided.add(.values(.property(PropertyReference("ball", "opacity"))))
      try undecided.synchronise(timeout: factTimeout)
      var heard: [Interest: UInt64] = [:]
      let frame = try client.status().frame.number
      let deadline = BootClock.now + factTimeout
      while interests.contains(where: { heard[$0] ?? 0 <= frame + 20 }), BootClock.now < deadline {
        guard case .values(let values)? = try undecided.next(timeout: .milliseconds(50)) else { continue }
        if values.frame > frame { #expect(values.missed == 0, "\(values.interest) in frame \(values.frame)") }
        heard[values.interest] = values.frame
        try watcher.take(upTo: .zero)
      }
      #expect(interests.allSatisfy { heard[$0] ?? 0 > frame + 20 }, "\(heard)")
      #expect(try client.status()["topics"] == UInt64(interests.count + 2))
      // motiond keeps no state of a withdrawn interest, and sends nothing more for it.
      try undecided.remove(interests[0])
      try awaitTruth("a topic less") { try client.status()["topics"] == UInt64(interests.count + 1) }
      try watcher.take(upTo: .milliseconds(50))
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))
    }

    @Test func `without a subscriber nothing is published`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try client.awaitIdle()
      #expect(try client.status()["messages-published"] == 0)
      #expect(try client.status()["bytes-published"] == 0)
      #expect(try client.status()["topics"] == 0)
    }
  }
}

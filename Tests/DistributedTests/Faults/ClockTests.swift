import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories
import ZeroMQ

extension TimedTests {
  /// Clocks that jump while the programs run.
  @Suite struct ClockTests {
    private func kept(_ number: Int) throws -> Transaction {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 1), to: try TargetName("kept-\(number)"))
      return transaction
    }

    @Test(
      .fault(
        .time, "The wall clock jumps by days, ahead and back, while motiond runs",
        by: "a clock_gettime of ours (LD_PRELOAD)",
        promise: "motion is not affected; acknowledged commits are there after a kill, and ids are known"))
    func `a wall clock that jumps causes no gap in motion and loses no commit`() throws {
      let clocks = try ShiftedClocks()
      var daemon = try Daemon(environment: clocks.environment)
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      var ids: [TransactionID] = []
      let days: [Double] = [0, 2, -3, 400, -400, 0]
      for (number, days) in days.enumerated() {
        try clocks.set(wall: .seconds(days * 86_400))
        ids.append(.random())
        _ = try client.commit(kept(number), id: ids[number])
        let count = watcher.frames.count
        try watcher.listen("it moves on") { watcher.frames.count > count + 20 }
        #expect(try client.commit(kept(number), id: ids[number]).isRepeat)
      }
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))

      daemon.process.kill()
      daemon = try Daemon(in: daemon.directory, environment: clocks.environment)
      let next = try daemon.connect()
      let targets = Set(try next.intentions().map(\.target.text))
      #expect(targets == Set(days.indices.map { "kept-\($0)" } + ["ball"]))
      // The last transaction ID is from today, whatever time the clock has shown in between.
      #expect(try next.commit(kept(days.count - 1), id: ids[days.count - 1]).isRepeat)
    }

    @Test(
      .fault(
        .time, "The machine is suspended for a minute, an hour, a month",
        by: "a boot clock of ours (LD_PRELOAD) that jumps for motiond and its workers at once",
        promise: "no worker is fenced or restarted; simulated time stood still, nothing jumps, all is counted"),
      arguments: [Duration.seconds(60), .seconds(3600), .seconds(2_592_000)])
    func `after the machine sleeps, motion continues without a jump and no worker is fenced`(time: Duration) throws {
      let clocks = try ShiftedClocks()
      let daemon = try Daemon([clocks.plugin(try .tween())], environment: clocks.environment)
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(60)), to: "lamp")
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "lamp")
      let worker = try client.awaitReady("tween")
      func awaitMotion() throws {
        let count = watcher.track("opacity", of: "lamp").count
        try watcher.listen("it moves") {
          watcher.track("opacity", of: "lamp").dropFirst(count).count { !$0.isLate } > 20
        }
      }
      try awaitMotion()
      let before = try client.status()
      try clocks.set(boot: time)
      try awaitMotion()
      let after = try client.status()
      #expect(after.clock.time - before.clock.time < 10, "simulated time stood still")
      #expect(after["skipped-frames"] ?? 0 > before["skipped-frames"] ?? 0)
      #expect(after["link-fenced"] == 0)
      try client.add(.springTo("x", 1), to: "other")
      // Longer than the silence after which a worker is replaced.
      try watcher.listen("two seconds more") { try client.status().clock.time > after.clock.time + 2 }
      let now = try #require(try client.worker("tween"))
      #expect(now.incarnation == worker.incarnation && now.restarts == 0 && now.state == .ready)
      #expect(Watcher.isGapless(watcher.track("position", of: "lamp")))
      let jump = Watcher.jump(of: watcher.track("opacity", of: "lamp"))
      #expect(jump.value < 0.05, "\(jump.place)")
    }
  }
}

import Faults
import FaultyNetwork
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import Trajectories
import ZeroMQ

extension TimedTests {
  /// Workers on other machines behind a network that is cut, one-sided, or sends garbage.
  @Suite struct WorkerNetworkTests {
    /// A worker whose updates and commands pass through a proxy.
    private struct Stage {
      let stage: RemoteWorkerStage
      let proxy: FaultProxy
      let program: RemoteWorkerStage.Program
      let client: MotionClient
      let watcher: Watcher

      /// Begins a tween of this duration, and waits until it moves.
      init(seed: UInt64, duration: Duration) throws {
        stage = try RemoteWorkerStage()
        let port = try ports(of: stage.address, 4)
        proxy = try FaultProxy(port.map { (.port("127.0.0.2", $0), .port("127.0.0.1", $0)) }, seed: seed)
        program = try stage.start(connecting: "tcp://127.0.0.2:\(port[0])")
        client = try stage.daemon.connect()
        try client.add(.tween("opacity", from: 1, to: 0, duration: duration), to: "lamp")
        watcher = try Watcher(client, .motion(.target("lamp")), .outcomes("lamp"))
        _ = try client.awaitReady("tween", within: .seconds(20))
        try awaitMotion()
      }

      /// Waits until the worker moves the lamp again, for longer than it coasts. What it missed may take it 1.5 times the gap.
      func awaitMotion(within limit: Duration = .seconds(20)) throws {
        let count = watcher.track("opacity", of: "lamp").count
        try watcher.listen("it moves", within: limit) {
          watcher.track("opacity", of: "lamp").dropFirst(count).count { $0.velocity ?? 0 != 0 } > 5
        }
      }

      func expectNoJump(sourceLocation: SourceLocation = #_sourceLocation) {
        let jump = Watcher.jump(of: watcher.track("opacity", of: "lamp"))
        #expect(jump.value < 0.05, "\(jump.place)", sourceLocation: sourceLocation)
      }
    }

    @Test(
      .fault(
        .network, "Connections of a worker on another machine are cut at any byte",
        by: "a proxy on its four ports that cuts each connection behind 4 to 20 kB, from a seed",
        promise: "its tween ends where it should, without a jump"))
    func `a remote worker's tween completes without a jump through connections that are cut`() throws {
      let seed = SeededRandom.seed(of: "WorkerNetworkTests")
      let stage = try Stage(seed: seed, duration: .seconds(12))
      defer { stage.proxy.stop() }
      stage.proxy.set { $0.cutAfter = 4000...20_000 }
      try stage.watcher.listen("cuts", within: .seconds(20)) { stage.proxy.counts.cuts >= 3 }
      stage.proxy.set { _ in }
      try stage.watcher.listen("its end", within: .seconds(30)) { !stage.watcher.ended.isEmpty }
      #expect(stage.watcher.ended.map(\.outcome) == [.completed], "seed \(seed)")
      #expect(stage.watcher.track("opacity", of: "lamp").last?.value == 0, "seed \(seed)")
      stage.expectNoJump()
      #expect(stage.program.process.isRunning)
    }

    @Test(
      .fault(
        .network, "The connection of a worker on another machine passes messages in one direction only",
        by: "a proxy that lets one direction pass",
        promise: "it is fenced or stops acting, and its plan continues without a jump when the network works again"),
      arguments: FaultProxy.Direction.allCases)
    func `a worker with one silent direction is fenced and returns`(direction: FaultProxy.Direction) throws {
      let stage = try Stage(seed: 1, duration: .seconds(60))
      defer { stage.proxy.stop() }
      let first = try stage.client.awaitReady("tween")
      let cut = BootClock.now
      stage.proxy.set { $0.silent = [direction] }
      try stage.watcher.listen("it is fenced", within: RemoteWorkerTests.leaseTimeout) {
        try stage.client.worker("tween").map { $0.state != .ready } ?? true
      }
      FaultMeasures.measured(BootClock.now - cut, "silence to fence")
      let cured = BootClock.now
      stage.proxy.set { _ in }
      _ = try stage.client.awaitReady("tween", after: first.incarnation, within: RemoteWorkerTests.leaseTimeout)
      FaultMeasures.measured(BootClock.now - cured, "cure to serving again")
      try stage.awaitMotion()
      stage.expectNoJump()
      #expect(stage.program.process.isRunning)
    }

    @Test(
      .fault(
        .network, "Random bytes are inserted into a worker's connections",
        by: "a proxy that sends random bytes between two messages, each way, from a seed",
        promise: "at most those connections end; its plan continues without a jump"),
      .fault(
        .network, "A worker's connections are closed on one side only", by: "a proxy that half-closes them, each way",
        promise: "it reconnects, and its plan continues without a jump"))
    func `a worker continues after garbage and half-closed connections`() throws {
      let seed = SeededRandom.seed(of: "WorkerNetworkTests")
      let stage = try Stage(seed: seed, duration: .seconds(120))
      defer { stage.proxy.stop() }
      for direction in FaultProxy.Direction.allCases {
        for fault in [{ stage.proxy.say(garbage: 100, direction) }, { stage.proxy.halfClose(direction) }] {
          let start = BootClock.now
          fault()
          try stage.awaitMotion(within: RemoteWorkerTests.leaseTimeout)
          FaultMeasures.measured(BootClock.now - start, "fault to motion")
        }
      }
      stage.expectNoJump()
      #expect(stage.program.process.isRunning)
    }
  }
}

extension TimedTests {
  /// Several machines with workers, of which one is cut off.
  @Suite struct WorkerNetworkTimes {
    @Test(
      .fault(
        .network, "One of several machines is cut off",
        by: "two network namespaces with a worker of one plugin each; the link of one goes down",
        promise: "the motion of the other worker continues frame by frame; the first one reconnects"),
      .enabled(if: Namespace.isPossible, "network namespaces are for root"))
    func `a worker on another machine misses no frame when one machine is cut off`() throws {
      let hosts = [try Namespace(), try Namespace()]
      var plugin = try PluginFolder.tween()
      plugin.manifest.instances = 2
      let stage = try RemoteWorkerStage(
        of: plugin, authorized: ["left": "tween.0", "right": "tween.1"], host: "0.0.0.0", rate: 60)
      let port = try ports(of: stage.address, 4)[0]
      let programs = try zip(["left", "right"], hosts).map { key, host in
        try stage.start(
          key, by: host.way, options: ["--instance", key == "left" ? "0" : "1"],
          connecting: "tcp://\(host.host):\(port)")
      }
      let client = try stage.daemon.connect()
      let targets = try (0..<8).map { try TargetName("lamp-\($0)") }
      for target in targets { try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(60)), to: target) }
      let watcher = try Watcher(client, .motion(.everything))
      for instance in 0..<2 { _ = try client.awaitReady("tween", instance, within: .seconds(20)) }
      try watcher.listen("all move") {
        targets.allSatisfy { watcher.track("opacity", of: $0).suffix(5).count { !$0.isLate } == 5 }
      }
      let assignments = Dictionary(
        try client.executors().compactMap { row in row.worker.map { (row.key.target, $0.instance) } }
      ) { first, _ in first }
      let here = targets.filter { assignments[$0] == 1 }
      try #require(!here.isEmpty && here.count < targets.count, "rendezvous hashing gave one of them nothing")

      let begun = here.map { watcher.track("opacity", of: $0).count }
      try hosts[0].cut()
      try watcher.listen("it is fenced", within: RemoteWorkerTests.leaseTimeout) {
        try client.worker("tween", 0).map { $0.state != .ready } ?? true
      }
      for (target, begun) in zip(here, begun) {
        let track = Array(watcher.track("opacity", of: target).dropFirst(begun))
        // On a busy machine a frame may be late for other reasons; a cut would be visible in all of them.
        #expect(track.count > 20 && Watcher.isGaplessUnlessLate(track), "\(target)")
        #expect(track.count { $0.isLate } < track.count / 4, "\(target)")
      }
      try hosts[0].plugIn()
      _ = try client.awaitReady("tween", 0, within: RemoteWorkerTests.leaseTimeout)
      #expect(programs.allSatisfy { $0.process.isRunning })
    }
  }
}

private typealias RemoteWorkerTests = DistributedTests.RemoteWorkerTests

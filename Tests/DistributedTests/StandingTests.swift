import Faults
import Glibc
import MotionClient
import MotionModel
import MotionPhysics
import MotionTestKit
import MotionWire
import Testing
import Trajectories

extension DistributedTests {
  /// Plans that stand, and go on after what interrupts them.
  @Suite struct StandingTests {
    /// An endless tween's value, two seconds a cycle.
    private static let pulse = Intention.tween(
      "level", from: 0, to: 1, duration: .seconds(1), repetition: .forever, autoreverses: true)

    // Clauses: S13.9, S10.14
    @Test func `an endless tween goes on in step after a flash, also where its worker is killed in between`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("lamp")), .outcomes("lamp"))
      try client.add(Self.pulse, to: "lamp")
      let worker = try client.awaitReady("tween")
      /// The states since a time, without those of frames that the worker answered late.
      func points(since time: Double) -> [Watcher.Point] {
        watcher.track("level", of: "lamp").filter { !$0.isLate && $0.time > time }
      }
      try watcher.listen("a cycle") { points(since: 1).count > 100 && (points(since: 1).last?.time ?? 0) > 3 }
      let cycle = points(since: 1)
      try client.add(.tween("level", to: 5, duration: .milliseconds(200)), to: "lamp")
      try watcher.listen("its flash has ended") { watcher.ended.count == 1 }
      try client.add(.springTo("level", 5), to: "lamp")
      kill(worker.processID, SIGKILL)
      let again = try client.awaitReady("tween", after: worker.incarnation)
      #expect(again.restarts == 1)
      try watcher.listen("its spring has ended") { watcher.ended.count == 2 }
      let returned = try client.status().frame.time
      try watcher.listen("it has returned") {
        let points = points(since: returned + 1)
        return points.count > 100 && (points.last?.time ?? 0) > returned + 2.5
      }
      #expect(watcher.ended.map(\.outcome) == [.completed, .completed])
      let later = points(since: returned + 1)
      // Where it was in its cycle, in seconds.
      let first = try #require(cycle.first)
      let phase = (first.velocity?[0] ?? 0) > 0 ? first.value[0] : 2 - first.value[0]
      for point in later {
        let run = (phase + point.time - first.time).truncatingRemainder(dividingBy: 2)
        #expect(abs(point.value[0] - (run < 1 ? run : 2 - run)) < 1e-6, "at \(point.time)")
      }
      let jump = Watcher.jump(of: watcher.track("level", of: "lamp").filter { $0.time > cycle[0].time })
      #expect(jump.value < 0.2, "\(jump.place)")
    }

    // Clauses: S24.1, S24.3
    @Test func `a wave goes on in step over a flash and a kill of motiond`() throws {
      let daemon = try Daemon()
      let added = try daemon.ctl(
        "add", "Wave", "--to", "lamp{1..3}", "property=level", "offset=0.5", "amplitude=0.5", "rate=0.7",
        "phase=0..-0.5")
      #expect(added.end == .exited(0), "\(added.errors)")
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp2", "property=level", "destination=1")
      try awaitTruth("the flash has ended") {
        try daemon.connect().intentions(of: "lamp2").map(\.intention.type.text) == ["Wave"]
      }
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory)
      let client = try second.connect()
      // A start whose ring had not begun yet restores the journal's last checkpoint, and may have the flash again.
      try awaitTruth("the flash has ended") {
        try client.intentions(of: "lamp2").map(\.intention.type.text) == ["Wave"]
      }
      let watcher = try Watcher(client, .motion(.target("lamp1")), .motion(.target("lamp2")), .motion(.target("lamp3")))
      let start = try client.status().frame.time
      try watcher.listen("it goes on") { (watcher.frames.last?.time ?? 0) > start + 0.7 }
      for (number, target) in (["lamp1", "lamp2", "lamp3"] as [TargetName]).enumerated() {
        let wave = Wave(
          .sine, rate: [0.7, 0, 0, 0], phase: [-0.25 * Double(number), 0, 0, 0], offset: [0.5, 0, 0, 0],
          amplitude: [0.5, 0, 0, 0])
        let track = watcher.track("level", of: target).filter { $0.time > start + 0.2 }
        #expect(track.count > 30)
        for point in track { #expect(abs(point.value[0] - wave.sample(at: point.time).value[0]) < 1e-9, "\(target)") }
      }
    }
  }
}

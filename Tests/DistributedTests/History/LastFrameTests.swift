import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionPhysics
import MotionWire
import Testing

extension TimedTests {
  /// Kills of motiond in motion, as a subscriber and a receiver of its output see them.
  @Suite struct LastFrameTests {
    private static let spring = SpringCoefficients(tension: 3, friction: 0)
    private let level = PropertyReference("ball", "level")
    private let brightness = PropertyReference("lamp", "brightness")
    /// How often it is killed; `MOTION_KILLS=100` for measurements.
    private static let kills = ProcessInfo.processInfo.environment["MOTION_KILLS"].flatMap { Int($0) } ?? 4

    /// The point that is farthest from where the spring takes it from the point before, and how far.
    private static func deviation(of track: [Watcher.Point]) throws -> (distance: Double, point: Watcher.Point)? {
      let forces = ForceSum(spring: spring, anchor: [100, 0, 0, 0])
      return try zip(track, track.dropFirst()).map { before, after throws in
        let course = LinearStep(forces: forces, dt: after.time - before.time)
          .advance(value: before.value.storage, velocity: try #require(before.velocity).storage, forces: forces)
        return (abs(after.value[0] - course.value[0]), after)
      }.max { $0.distance < $1.distance }
    }

    // Clauses: S11.50, S17.1, S17.3
    @Test(
      .fault(
        .processes, "motiond is killed while springs and a worker move, again and again",
        by: "SIGKILL, and a start in the same directory",
        promise: "every subscriber and receiver sees the motion go on from the last frame, never back"))
    func `motion goes on from the last frame after a kill`() throws {
      let plugins: [PluginFolder] = try [.tween(), .osc()]
      var daemon = try Daemon(plugins)
      let client = try daemon.connect()
      let receiver = try OSCReceiver()
      let watcher = try Watcher(client, .motion(.target("ball")), .motion(.target("lamp")))
      try client.add(.anchoredSpring("level", 100, .physical(tension: 3, friction: 0)), to: "ball")
      try client.add(.tween("brightness", to: 1000, easing: "linear", duration: .seconds(600)), to: "lamp")
      try client.add(.sendOSC(level, port: receiver.port, rate: 1000), to: "ball")
      try client.add(.sendOSC(brightness, port: receiver.port, rate: 1000), to: "lamp")
      _ = try client.awaitReady("tween")
      _ = try client.awaitReady("osc")
      for kill in 0..<Self.kills {
        let (seen, sent) = (watcher.frames.last?.frame ?? 0, try receiver.messages(at: "/lamp/brightness").count)
        try watcher.listen("it moves, start \(kill)") {
          (watcher.frames.last?.frame ?? 0) > seen + 30 && watcher.track("brightness", of: "lamp").last?.isLate == false
        }
        try awaitTruth("the output of start \(kill)") { try receiver.messages(at: "/lamp/brightness").count > sent + 5 }
        daemon.process.kill()
        daemon = try Daemon(plugins, in: daemon.directory)
      }
      let seen = watcher.frames.last?.frame ?? 0
      try watcher.listen("it moves on") { (watcher.frames.last?.frame ?? 0) > seen + 30 }
      #expect(try client.status().history?.continues == true)

      let ball = watcher.track("level", of: "ball")
      let lamp = watcher.track("brightness", of: "lamp")
      let numbers = ball.map(\.frame)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "no frame comes twice")
      let deviation = try #require(try Self.deviation(of: ball))
      #expect(
        deviation.distance < 1e-6, "\(deviation) of \(ball.filter { $0.frame + 5 > deviation.point.frame }.prefix(9))")
      // For each frame, as those between a kill and the next subscription are not received.
      let steps = zip(lamp, lamp.dropFirst()).map { ($1.value[0] - $0.value[0]) / Double($1.frame - $0.frame) }
      // 1.67 a second, that is 0.0139 a frame; after a kill it coasts, and fades back to its course.
      #expect(steps.allSatisfy { $0 > -0.02 && $0 < 0.1 }, "\(steps.min() ?? 0) to \(steps.max() ?? 0)")
      let sent = try receiver.messages(at: "/lamp/brightness").map { $0.arguments[0] }
      let sentSteps = zip(sent, sent.dropFirst()).map { $1 - $0 }
      #expect(sentSteps.allSatisfy { $0 > -0.02 && $0 < 1 }, "\(sentSteps.min() ?? 0) to \(sentSteps.max() ?? 0)")
      print(
        """
        kills: \(Self.kills), frames \(ball.count), largest deviation of the spring \(deviation.distance), steps of the tween \
        \(steps.min() ?? 0) to \(steps.max() ?? 0), of its output \(sentSteps.min() ?? 0) to \(sentSteps.max() ?? 0)
        """)
    }
  }
}

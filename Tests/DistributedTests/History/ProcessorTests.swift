import Foundation
import MotionClient
import MotionModel
import Testing

#if arch(x86_64)
  extension DistributedTests {
    /// Replays on processors that this machine does not have, as an emulator presents them.
    @Suite struct ProcessorTests {
      // Clauses: S11.53
      @Test func `a recording replays to the same bits with AVX2 and without`() throws {
        let directory = try TestDirectory()
        let daemon = try Daemon(in: directory)
        let client = try daemon.connect()
        let file = directory["show.mcap"]
        #expect(try daemon.ctl("record", "start", file).end == .exited(0))
        var transaction = Transaction()
        // Enough of each kind for whole vectors and for the rest behind them.
        for index in 0..<37 {
          let target = try TargetName("t\(index)")
          let force = 10 + 7.3 * Double(index)
          transaction.add(.springTo("position", [100 / 3, -7.1], .physical(tension: force, friction: 3.3)), to: target)
          transaction.add(.anchoredSpring("x", [0.1], .physical(tension: force, friction: 0)), to: target)
          transaction.limit("y", of: target, PropertyLimits(velocity: 40, acceleration: 130, jerk: 900))
          transaction.add(.springTo("y", [80], .physical(tension: force, friction: 5)), to: target)
          transaction.add(
            MoveToIntention(
              "z", [11.3], limits: MotionLimits(maxVelocity: 9, maxAcceleration: 31, maxJerk: 200)), to: target)
        }
        try client.commit(transaction)
        let frame = try client.status().frame.number
        try awaitTruth("it moves") { try client.status().frame.number > frame + 60 }
        #expect(try daemon.ctl("record", "stop").end == .exited(0))
        let here = try daemon.ctl("replay", file, "--json").json()
        #expect(here["identical"].flag && here["frames"].number > 50)
        // It is waited for the emulators only.
        try client.stop()
        let emulated = try ["Nehalem", "Haswell"].map { processor in
          (
            processor,
            try daemon.ctl.start(["replay", file, "--json"], by: ["/usr/bin/qemu-x86_64", "-cpu", processor])
          )
        }
        for (processor, replay) in emulated {
          let run = try replay.finish(within: factTimeout * 2)
          #expect(run.end == .exited(0), "\(processor): \(run.output)\(run.errors); make setup installs qemu-user")
          #expect(try run.json()["hash"].text == here["hash"].text && !here["hash"].text.isEmpty)
        }
      }
    }
  }
#endif

import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing
import ZeroMQ

extension DistributedTests {
  /// A machine that lacks what motiond wants of it, and whoever reads its log.
  @Suite struct RoomTests {
    // Clauses: S18.7
    @Test func `nobody has to read the log, and whoever did may go`() throws {
      let directory = try TestDirectory()
      #expect(mkfifo(directory["log"], 0o600) == 0)
      var reader = open(directory["log"], O_RDWR | O_CLOEXEC | O_NONBLOCK)
      defer { if reader >= 0 { close(reader) } }
      // F_SETPIPE_SZ: as little as there is.
      #expect(fcntl(reader, 1031, 4096) == 4096)
      let daemon = try Daemon([.unruly("prints-to-stdout")], in: directory)
      let client = try daemon.connect()
      try client.add(.constantForce("x", acceleration: 1), to: "endless")
      // It prints far more than the pipe holds, of which a hundred lines are passed on in each second.
      try client.add(.unruly(to: 10, duration: .seconds(600)), to: "victim")
      _ = try client.awaitReady("unruly")
      var waiting: Int32 = 0
      // FIONREAD: how much there is to be read.
      try awaitTruth("the pipe is full") { ioctl(reader, 0x541B, &waiting) == 0 && waiting > 3000 }
      let frame = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > frame + 200 }

      // The last reader goes: no signal ends motiond.
      close(reader)
      reader = -1
      let next = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > next + 200 }
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}

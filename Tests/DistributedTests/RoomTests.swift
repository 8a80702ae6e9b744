import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing
import ZeroMQ

extension DistributedTests {
  /// A machine that lacks resources that motiond needs, and the readers of its log.
  @Suite struct RoomTests {
    /// Makes the kernel refuse these calls of motiond, until the returned process exits.
    private func refuse(_ calls: String, to daemon: Daemon) throws -> ChildProcess {
      let tracer = try ChildProcess(
        "/usr/bin/strace",
        [
          "-f", "-p", "\(daemon.process.processID)", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
          "inject=\(calls):error=EAGAIN",
        ],
        environment: [:], output: daemon.directory["strace"], errors: daemon.directory["strace"])
      try awaitTruth("strace is there") { ProcessFacts(daemon.process.processID).isTraced }
      return tracer
    }

    // Clauses: S15.11
    @Test func `a worker whose process cannot be made is started later, without a quarantine`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let tracer = try refuse("clone,clone3,fork,vfork", to: daemon)
      try client.add(.tween("opacity", to: 0, duration: .seconds(600)), to: "lamp")
      try awaitTruth("it is told why") {
        try client.worker("tween")?.reason.contains("the process cannot be created: Resource temporarily unavailable")
          == true
      }
      // Five deaths would have given it up after one and a half.
      letPass(.seconds(4))
      let worker = try #require(try client.worker("tween"))
      #expect(worker.state == .waiting || worker.state == .starting, "\(worker.state)")
      #expect(daemon.log.count(of: "and is retried") == 1, "\(daemon.log)")
      tracer.send(SIGTERM)
      _ = try tracer.awaitEnd()
      let there = try client.awaitReady("tween")
      #expect(there.restarts == 0)
      #expect(try client.plans(of: "lamp").map(\.state) == [.added])
      try awaitTruth("it moves") { try client.state(of: "opacity", of: "lamp").map { $0.state.value[0] < 1 } ?? false }
    }

    // Clauses: S16.13
    @Test func `a start with too few threads, descriptors or addresses is refused with the remedy`() throws {
      let directory = try TestDirectory()
      let few = try Daemon.start(directory, log: "few", behind: ["/usr/bin/prlimit", "--nofile=100:100", "--"])
      #expect(try few.awaitEnd() == .exited(1))
      #expect(directory.text(of: "few").contains("LimitNOFILE"), "\(directory.text(of: "few"))")
      for mebibytes in [200, 300, 350, 500] {
        let narrow = try Daemon.start(
          directory, log: "narrow-\(mebibytes)", behind: ["/usr/bin/prlimit", "--as=\(mebibytes << 20)", "--"])
        #expect(try narrow.awaitEnd() == .exited(1), "\(mebibytes)")
        let text = directory.text(of: "narrow-\(mebibytes)")
        #expect(text.contains("less than 512 MiB") && text.contains("LimitAS"), "\(text)")
      }
      for threads in [1, 5, 12] {
        let none = try Daemon.start(
          directory, log: "none-\(threads)",
          behind: [
            "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=clone3,clone", "-e",
            "inject=clone3,clone:error=EAGAIN:when=\(threads)+", "--",
          ])
        #expect(try none.awaitEnd() == .exited(1), "\(threads)")
        let text = directory.text(of: "none-\(threads)")
        #expect(text.contains("fewer than 20 threads") && text.contains("TasksMax"), "\(text)")
      }
    }

    // Clauses: S18.7
    @Test func `a full or closed log pipe does not stop motiond`() throws {
      let directory = try TestDirectory()
      #expect(mkfifo(directory["log"], 0o600) == 0)
      var reader = open(directory["log"], O_RDWR | O_CLOEXEC | O_NONBLOCK)
      defer { if reader >= 0 { close(reader) } }
      // F_SETPIPE_SZ: the smallest possible size.
      #expect(fcntl(reader, 1031, 4096) == 4096)
      let daemon = try Daemon([.unruly("prints-to-stdout")], in: directory)
      let client = try daemon.connect()
      try client.add(.constantForce("x", acceleration: 1), to: "endless")
      // It prints far more than the pipe holds, of which a hundred lines are passed on in each second.
      try client.add(.unruly(to: 10, duration: .seconds(600)), to: "victim")
      _ = try client.awaitReady("unruly")
      var waiting: Int32 = 0
      // FIONREAD: the number of readable bytes.
      try awaitTruth("the pipe is full") { ioctl(reader, 0x541B, &waiting) == 0 && waiting > 3000 }
      let frame = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > frame + 200 }

      // The last reader closes the pipe: no signal ends motiond.
      close(reader)
      reader = -1
      let next = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > next + 200 }
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}

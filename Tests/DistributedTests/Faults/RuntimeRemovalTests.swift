import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// The directory of motiond's sockets is removed.
  @Suite struct RuntimeRemovalTests {
    /// Removes a path the way an administrator does.
    private func remove(_ path: String) throws {
      let removal = try ChildProcess(
        "/usr/bin/rm", ["-rf", path], environment: [:], output: "/dev/null", errors: "/dev/null")
      #expect(try removal.awaitEnd() == .exited(0))
    }

    private func permissions(_ path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : -1
    }

    // Clauses: S18.8
    @Test(
      .fault(
        .operators, "The runtime directory is removed while motiond runs",
        by: "rm -rf, three times, while a spring moves",
        promise: "new clients and workers can connect within a second; connected ones miss no frame"))
    func `a removed runtime directory is made again, and no frame is lost`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let watcher = try Watcher(client, .motion(.target("ball")))
      var times: [Duration] = []
      for turn in 1...3 {
        try remove(daemon.paths.directory)
        let start = BootClock.now
        try awaitTruth("a new client commits") {
          guard let other = try? daemon.connect() else { return false }
          try other.add(.springTo("opacity", 0.5), to: try TargetName("lamp-\(turn)"))
          return true
        }
        times.append(BootClock.now - start)
        FaultMeasures.measured(times[turn - 1], "removal to the commit of a new client")
        // Existing connections are not affected.
        #expect(try client.status().processID == daemon.process.processID)
        try awaitTruth("all is there") { daemon.log.count(of: "and is restored") == turn }
      }
      // A busy machine has its own times, so only the shortest is checked against the promise.
      #expect(times.contains { $0 < .seconds(1) }, "\(times)")
      // A worker can connect, and its successor can after its death.
      try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(60)), to: "shade")
      let worker = try client.awaitReady("tween")
      kill(worker.processID, SIGKILL)
      _ = try client.awaitReady("tween", after: worker.incarnation)
      let late = try Watcher(daemon.connect(), .motion(.target("ball")))
      try late.listen("values for a new subscriber") { late.frames.count > 20 }
      let seen = watcher.frames.count
      try watcher.listen("values for the old one") { watcher.frames.count > seen + 20 }
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))

      let paths = daemon.paths
      for folder in [paths.directory, paths.clientDirectory, paths.workerDirectory] {
        #expect(permissions(folder) == 0o700, "\(folder)")
      }
      for socket in [paths.controlSocket, paths.linkSocket] { #expect(permissions(socket) == 0o600, "\(socket)") }
      #expect(try daemon.terminate() == .exited(0))
      let left = try FileManager.default.subpathsOfDirectory(atPath: paths.directory).sorted()
      #expect(left == ["client", "lock", "worker"])
    }

    // Clauses: S18.8
    @Test(
      .fault(
        .operators, "The runtime directory is removed, and another motiond has it now",
        by: "rm -rf while motiond is stopped, and another lock in its place",
        promise: "motiond exits with the reason; the directory of the other one is not changed"))
    func `motiond exits and leaves a runtime directory that another motiond has taken`() throws {
      let daemon = try Daemon()
      let paths = daemon.paths
      daemon.process.send(SIGSTOP)
      try remove(paths.directory)
      for folder in [paths.directory, paths.clientDirectory] { #expect(mkdir(folder, 0o700) == 0) }
      let lock = open(paths.lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(lock) }
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      let other = try PairSocket(ZeroMQContext())
      try other.bind(.ipc(paths.controlSocket))
      daemon.process.send(SIGCONT)
      #expect(try daemon.process.awaitEnd() == .exited(1))
      try awaitLog(of: daemon, "another motiond uses it now")
      #expect(access(paths.controlSocket, F_OK) == 0)
    }

    @Test(
      .fault(
        .operators, "The runtime directory is removed and cannot be created again",
        by: "rm -rf, and a file in its place",
        promise: "the reason is logged; motion continues; the directory is created as soon as possible"))
    func `motiond retries to make its runtime directory until it succeeds`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let watcher = try Watcher(client, .motion(.target("ball")))
      daemon.process.send(SIGSTOP)
      try remove(daemon.paths.directory)
      try daemon.directory.write("in the way", to: "run")
      daemon.process.send(SIGCONT)
      try awaitTruth("it is said") { daemon.log.contains("no new client or worker can connect until it is restored") }
      let seen = watcher.frames.count
      try watcher.listen("values") { watcher.frames.count > seen + 20 }
      unlink(daemon.paths.directory)
      try awaitTruth("a new client is served") { (try? daemon.connect().status()) != nil }
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}

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
  /// System calls that the kernel refuses: motion continues, the reason is reported, and motiond recovers by itself.
  @Suite struct SystemCallTests {
    /// A call that fails while a worker is being started, and the text that the status reports for it.
    struct Failure: CustomTestStringConvertible, Sendable {
      let calls: String
      let error: String
      let text: String
      var testDescription: String { "\(error) from \(calls)" }
    }

    private func expectMotion(_ client: MotionClient) throws {
      let frame = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > frame + 10 }
    }

    @Test(
      .fault(
        .limits, "There is no descriptor for a worker's pipes", by: "EMFILE from pipe2, by strace",
        promise: "the reason is reported; motion continues; the worker is started when there is one"),
      .fault(
        .limits, "There is no process for a worker", by: "EAGAIN from clone, clone3 and vfork, by strace",
        promise: "the reason is reported; motion continues; the worker is started when there is one"),
      .fault(
        .limits, "The machine has no file left for a worker's program", by: "ENFILE from openat, by strace",
        promise: "the reason is reported; motion continues; the worker is started when there is one"),
      .fault(
        .limits, "There is no memory for a worker's program", by: "ENOMEM from execve, by strace",
        promise: "the reason is reported; motion continues; the worker is started when there is some"),
      arguments: [
        Failure(calls: "pipe2", error: "EMFILE", text: "Too many open files"),
        Failure(calls: "clone,clone3,vfork", error: "EAGAIN", text: "Resource temporarily unavailable"),
        Failure(calls: "openat", error: "ENFILE", text: "Too many open files in system"),
        Failure(calls: "execve", error: "ENOMEM", text: "Cannot allocate memory"),
      ])
    func `a worker that cannot be started is reported, and is started when it can be`(failure: Failure) throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "lamp")
      try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(600)), to: "lamp")
      let first = try client.awaitReady("tween")
      let fault = try SystemCallFault(
        failure.calls, "error=\(failure.error)", of: daemon.process, in: daemon.directory)
      kill(first.processID, SIGKILL)
      try awaitTruth("the reason is told") { try client.worker("tween")?.reason.contains(failure.text) == true }
      try expectMotion(client)
      try client.add(.springTo("x", 1), to: "other")
      #expect(try client.plans(of: "lamp").map(\.state) == [.added, .owed])
      try fault.end()
      let cured = BootClock.now
      _ = try client.awaitReady("tween", after: first.incarnation, within: .seconds(20))
      FaultMeasures.measured(BootClock.now - cured, "cure to serving again")
      #expect(try client.plans(of: "lamp").map(\.state) == [.added, .added])
      let place = try client.state(of: "opacity", of: "lamp")?.state.value
      try awaitTruth("it moves") { try client.state(of: "opacity", of: "lamp")?.state.value != place }
    }

    @Test(
      .fault(
        .limits, "There is no descriptor that reports the end of a worker",
        by: "EMFILE from pidfd_open, by strace",
        promise: "it is ended, with the reason, and leaves nothing behind; it is started again when there is one"))
    func `a worker that cannot be watched is ended, and is started when it can be watched`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "lamp")
      let fault = try SystemCallFault("pidfd_open", "error=EMFILE", of: daemon.process, in: daemon.directory)
      try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(600)), to: "lamp")
      try awaitTruth("the reason is told") {
        let reason = try client.worker("tween")?.reason ?? ""
        return reason.contains("could not be watched") && reason.contains("Too many open files")
      }
      try expectMotion(client)
      try awaitTruth("nothing stays of it") { ProcessFacts(daemon.process.processID).children.isEmpty }
      try fault.end()
      let cured = BootClock.now
      let worker = try client.awaitReady("tween", within: .seconds(20))
      FaultMeasures.measured(BootClock.now - cured, "cure to serving")
      #expect(ProcessFacts(daemon.process.processID).children == [worker.processID])
      #expect(try client.plans(of: "lamp").map(\.state) == [.added, .added])
    }

    /// Memory then comes from the heap. `AcknowledgedTests` shows that motiond ends when the heap is exhausted.
    @Test(
      .fault(
        .limits, "The kernel gives motiond no more maps", by: "ENOMEM from mmap, by strace",
        promise: "motion continues; commits are accepted, and are there after a kill"))
    func `motiond keeps accepting commits when mmap fails`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "lamp")
      let fault = try SystemCallFault("mmap", "error=ENOMEM", of: daemon.process, in: daemon.directory)
      var kept: Set<TargetName> = ["lamp"]
      for number in 0..<20 {
        var transaction = Transaction()
        for place in 0..<100 {
          let target = try TargetName("kept-\(number).\(place)")
          transaction.add(.anchoredSpring("x", 1), to: target)
          kept.insert(target)
        }
        try client.commit(transaction)
      }
      try expectMotion(client)
      try fault.end()
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(Set(try next.connect().intentions().map(\.target)) == kept)
    }

    @Test(
      .fault(
        .operators, "motiond cannot read its plugins at a reload",
        by: "EMFILE from openat at SIGHUP, by strace",
        promise: "working plugins continue; the next SIGHUP finds all"))
    func `plugins that cannot be read at a reload keep running`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("opacity", from: 1, to: 0, duration: .seconds(600)), to: "lamp")
      let worker = try client.awaitReady("tween")
      let fault = try SystemCallFault("openat", "error=EMFILE", of: daemon.process, in: daemon.directory)
      let said = daemon.log.count
      daemon.process.send(SIGHUP)
      try awaitTruth("it says something of it") { daemon.log.count > said }
      try expectMotion(client)
      try fault.end()
      daemon.process.send(SIGHUP)
      try awaitTruth("it is known") { try client.plugins().contains { $0.name == "tween" } }
      #expect(try client.worker("tween")?.incarnation == worker.incarnation)
      try client.add(.tween("level", to: 1, duration: .milliseconds(50)), to: "other")
      try awaitTruth("it serves") { try client.state(of: "level", of: "other")?.state.value == 1 }
    }

    @Test(
      .fault(
        .storage, "The disk of a recording is full", by: "a tmpfs of 1 MiB, filled to the last byte",
        promise: "the recording ends with a log line; it is whole up to its end, and replays; motion continues"))
    func `a recording whose disk is full ends with the reason, and motion continues`() throws {
      let directory = try TestDirectory()
      try directory.write("", to: "tape/here")
      let mount = #"mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0" && exec "$@""#
      let daemon = try Daemon(
        in: directory, arguments: ["--record", directory["tape/show.motion"]],
        behind: ["/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", mount, directory["tape"]])
      let client = try daemon.connect()
      let filler = "/proc/\(daemon.process.processID)/root\(directory["tape"])/filler"
      let file = try #require(fopen(filler, "w"))
      while fputs(String(repeating: "x", count: 1024), file) >= 0, fflush(file) == 0 {}
      fclose(file)
      for number in 0..<50 {
        try client.add(
          .springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: try TargetName("ball-\(number)"))
      }
      let problem = try awaitFact("the recording has ended") {
        try client.status().recording.flatMap { $0.problem.isEmpty ? nil : $0.problem }
      }
      #expect(problem.contains("No space left"), "\(problem)")
      try expectMotion(client)
      try awaitLog(of: daemon, "the recording has ended with frame")

      let place = "/proc/\(daemon.process.processID)/root\(directory["tape/show.motion"])"
      let bytes = try Data(contentsOf: URL(fileURLWithPath: place))
      let (frames, end) = try read(bytes)
      #expect(frames.count > 0)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 })
      // The last write may have stopped in the middle of a frame, and only there.
      let cut = if case .truncated(let bytes) = end { bytes } else { 0 }
      try bytes.write(to: URL(fileURLWithPath: directory["copy.motion"]))
      let report = try daemon.ctl("replay", directory["copy.motion"], "--json").json()
      #expect(report["identical"].flag)
      #expect(report["frames"].number == Double(frames.count) && report["truncatedBytes"].number == Double(cut))
    }

    /// Returns the numbers of a recording's frames, and how it ends; throws if anything before its end is damaged.
    private func read(_ bytes: Data) throws -> ([UInt64], RecordingReader.End) {
      var reader = RecordingReader()
      reader.append(bytes)
      reader.finish()
      guard case .header = try reader.next() else { throw Problem("no header in \(bytes.count) bytes") }
      var frames: [UInt64] = []
      while case .frame(let frame) = try reader.next() { frames.append(frame.frame.number) }
      return (frames, reader.end)
    }
  }
}

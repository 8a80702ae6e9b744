import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Synchronization
import Testing
import ZeroMQ

extension DistributedTests {
  /// A disk that is full, fails, or accepts no more: commits are refused, motion continues, and motiond recovers by
  /// itself.
  @Suite
  struct StorageTests {
    /// Commits until a commit is refused with the reason; counts the acknowledged ones before it.
    private func commitUntilRefused(_ client: MotionClient, _ count: inout Int) throws -> Refusal {
      let deadline = BootClock.now + factTimeout
      while BootClock.now < deadline {
        let target = try TargetName("kept-\(count)")
        do {
          try client.add(.anchoredSpring("x", 1), to: target)
          count += 1
        } catch let error as MotionClientError {
          guard let refusal = error.refusal else { throw error }
          return refusal
        }
      }
      throw WaitTimeout("a refusal", after: factTimeout)
    }

    /// Checks the guarantees while nothing can be written: motion continues, stops take effect, and every client can
    /// see the problem.
    private func checkFailing(
      _ daemon: Daemon, _ client: MotionClient, _ refusal: Refusal, _ count: inout Int, mayAccept: Bool = false
    ) throws {
      #expect(refusal.code == .storage)
      #expect(refusal.description.contains("journal"), "\(refusal)")
      #expect(!refusal.remedy.isEmpty)
      let frame = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > frame + 20 }
      let journal = try awaitFact("the status says it") { () -> Status.Journal? in
        guard let journal = try client.status().journal, !journal.problem.isEmpty else { return nil }
        return journal
      }
      #expect(journal.problemSeconds >= 0)
      // A disk may accept some rows in between: of a commit, where files only may not grow, and of a stop below.
      try awaitTruth("a refusal that changes nothing") {
        let target = try TargetName("kept-\(count)")
        let before = try client.intentions()
        do {
          try client.add(.anchoredSpring("x", 1), to: target)
        } catch is MotionClientError {
          #expect(try client.intentions().map(\.identity) == before.map(\.identity), "nothing has changed")
          return true
        }
        #expect(mayAccept, "what was accepted cannot be on the disk")
        count += 1
        try awaitTruth("what was accepted") { try client.intentions().contains { $0.target == target } }
        return false
      }
      try awaitTruth("the answer says that the stop is not stored") {
        try client.stop(["swing"])
        return !client.unkept.isEmpty
      }
      #expect(client.unkept.hasSuffix("motiond retries by itself"), "\(client.unkept)")
      #expect(try client.plans(of: "swing").isEmpty)
      try awaitLog(of: daemon, "transactions are refused")
      try awaitLog(of: daemon, "is in effect and cannot be stored")
      let told = try awaitFact("motionctl says it") { () -> Ctl.Run? in
        let run = try daemon.ctl("speed", "1")
        return run.errors.isEmpty ? nil : run
      }
      #expect(told.end == .exited(0) && told.errors.hasPrefix("warning: it is not stored"), "\(told)")
    }

    /// Checks the guarantees afterwards, here and after a kill.
    private func checkHealed(_ daemon: Daemon, _ client: MotionClient, _ count: Int, restarts: Bool = true) throws {
      let cured = BootClock.now
      try awaitTruth("it is healed") { try client.status().journal?.problem == "" }
      FaultMeasures.measured(BootClock.now - cured, "cure to accepting again")
      try client.stop(["nosuch"])
      #expect(client.unkept.isEmpty)
      try client.add(.anchoredSpring("x", 1), to: "afterwards")
      try awaitLog(of: daemon, "the journal can be written again")
      let acknowledged = Set((0..<count).map { "kept-\($0)" } + ["afterwards", "endless"])
      // A receipt does not wait for the frame that applies its transaction.
      try awaitTruth("what was acknowledged is there, and nothing else") {
        Set(try client.intentions().map(\.target.text)) == acknowledged
      }
      guard restarts else { return }
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(Set(try next.connect().intentions().map(\.target.text)) == acknowledged)
    }

    /// A daemon whose state is on a disk of its own, and the path of a file on that disk.
    private func onSmallDisk() throws -> (daemon: Daemon, filler: String) {
      let directory = try TestDirectory()
      try directory.write("", to: "state/here")
      let mount = #"mount -t tmpfs -o size=3m,mode=0700 tmpfs "$0" && exec "$@""#
      let daemon = try Daemon(
        in: directory,
        behind: ["/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", mount, directory["state"]])
      return (daemon, "/proc/\(daemon.process.processID)/root\(directory["state"])/filler")
    }

    /// Fills a disk to the last byte with this file.
    private func fill(_ path: String) throws {
      let file = try #require(fopen(path, "w"))
      while fputs(String(repeating: "x", count: 1024), file) >= 0, fflush(file) == 0 {}
      fclose(file)
    }

    /// Adds motion that lasts as long as a test, and motion that can be stopped.
    private func begin(_ client: MotionClient) throws {
      try client.add(.constantForce("x", acceleration: 1), to: "endless")
      try client.add(.constantForce("x", acceleration: 1), to: "swing")
    }

    // Clauses: S17.8
    @Test(
      .fault(
        .storage, "The journal may not grow", by: "RLIMIT_FSIZE (prlimit)",
        promise: "commits are refused with the reason and the remedy; motion continues; it recovers by itself; "
          + "nothing acknowledged is lost"))
    func `commits are refused while journal files may not grow, until they may`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try begin(client)
      var count = 0
      try daemon.process.limit("fsize=65536:unlimited")
      let refusal = try commitUntilRefused(client, &count)
      try checkFailing(daemon, client, refusal, &count, mayAccept: true)
      try daemon.process.limit("fsize=unlimited:unlimited")
      try checkHealed(daemon, client, count)
    }

    // Clauses: S17.8
    @Test(
      .fault(
        .storage, "The journal may not grow while time is paused", by: "RLIMIT_FSIZE, pause",
        promise: "motiond resumes while time stands; a speed of the outage and what waits are kept"))
    func `a storage outage in a pause ends without a step, and what changed is kept`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try begin(client)
      try awaitTruth("both move") { try client.waiting().isEmpty }
      try client.clock(.pause)
      try client.add(.anchoredSpring("x", 1), to: "pending")
      var count = 0
      try daemon.process.limit("fsize=65536:unlimited")
      _ = try commitUntilRefused(client, &count)
      try client.clock(.speed(0.5))
      try daemon.process.limit("fsize=unlimited:unlimited")
      try awaitTruth("it is healed") { try client.status().journal?.problem == "" }
      try client.add(.anchoredSpring("x", 1), to: "afterwards")
      let waiting = try client.waiting().map(\.sequence)
      #expect(waiting.count == count + 2)
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      let after = try next.connect()
      let clock = try after.status().clock
      #expect(clock.speed == 0.5 && clock.isPaused)
      #expect(try after.waiting().map(\.sequence) == waiting)
      try after.clock(.step(1))
      let targets = Set(try after.intentions().map(\.target.text))
      #expect(targets == Set((0..<count).map { "kept-\($0)" } + ["afterwards", "endless", "swing", "pending"]))
    }

    // Clauses: S17.8
    @Test(
      .fault(
        .storage, "The disk is full", by: "a tmpfs, filled to the last byte",
        promise: "commits are refused with the reason; motion continues; it recovers when there is space"))
    func `commits are refused while the disk is full, until there is space`() throws {
      let (daemon, filler) = try onSmallDisk()
      let client = try daemon.connect()
      try begin(client)
      var count = 0
      try fill(filler)
      let refusal = try commitUntilRefused(client, &count)
      try checkFailing(daemon, client, refusal, &count)
      unlink(filler)
      try checkHealed(daemon, client, count, restarts: false)
    }

    // Clauses: S17.6
    @Test(
      .fault(
        .storage, "motiond is stopped while the disk is full",
        by: "a tmpfs, filled to the last byte; stop, pause, TERM",
        promise: "the answers and the log state what the next start undoes"))
    func `an end on a full disk says how many stops and changes of the clock the next start undoes`() throws {
      let (daemon, filler) = try onSmallDisk()
      let client = try daemon.connect()
      try begin(client)
      var count = 0
      try fill(filler)
      _ = try commitUntilRefused(client, &count)
      let run = try daemon.ctl("stop", "--json")
      #expect(try run.json()["unkept"].text.contains("full"), "\(run)")
      try client.clock(.pause)
      #expect(client.unkept.contains("full"), "\(client.unkept)")
      #expect(try daemon.ctl("step", "2", "--json").json()["unkept"].text.contains("full"))
      #expect(try daemon.terminate() == .exited(0))
      let said = "the next start undoes the stops and changes of the clock since: 2"
      #expect(daemon.log.contains(said), "\(daemon.log)")
    }

    // Clauses: S17.8
    @Test(
      .fault(
        .storage, "The disk fails to write or to sync",
        by: "EIO from fdatasync, fsync or pwrite, EROFS, EDQUOT, EIO now and then, by strace",
        promise: "commits are refused with the reason; motion continues; it recovers by itself; nothing "
          + "acknowledged is lost"),
      arguments: [
        "fdatasync,fsync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=EROFS", "pwrite64:error=EDQUOT",
        "fdatasync,fsync:error=EIO:when=5+7",
      ])
    func `commits are refused while the disk fails, until it works`(fault: String) throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try begin(client)
      var count = 0
      let tracer = try ChildProcess(
        "/usr/bin/strace",
        [
          "-f", "-p", "\(daemon.process.processID)", "-o", "/dev/null", "-e", "trace=fdatasync,fsync,pwrite64", "-e",
          "inject=\(fault)",
        ],
        environment: [:], output: daemon.directory["strace"], errors: daemon.directory["strace"])
      try awaitTruth("strace is there") { ProcessFacts(daemon.process.processID).isTraced }
      let refusal = try commitUntilRefused(client, &count)
      if !fault.contains("when") { try checkFailing(daemon, client, refusal, &count) }
      tracer.send(SIGTERM)
      _ = try tracer.awaitEnd()
      if fault.contains("when") { try client.stop(["swing"]) }
      try checkHealed(daemon, client, count)
    }

    @Test(
      .fault(
        .processes, "motiond is suspended during a commit", by: "SIGSTOP for 2.5 s",
        promise: "the commit is applied once; its client gets the receipt"))
    func `a commit to a suspended motiond is applied once, and its client gets the receipt`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try begin(client)
      let id = TransactionID.random()
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 1), to: "kept-0")
      daemon.process.send(SIGSTOP)
      let paths = daemon.paths
      let answer = Answer()
      let commit = transaction
      Thread.detachNewThread {
        let other = try? MotionClient(connectingTo: [paths], name: "other", timeout: .seconds(20))
        let receipt = try? other?.commit(commit, id: id)
        answer.receipt.withLock { $0 = receipt }
      }
      letPass(.milliseconds(2500))
      daemon.process.send(SIGCONT)
      let receipt = try awaitFact("the receipt") { answer.receipt.withLock { $0 } }
      let again = try client.commit(transaction, id: id)
      #expect(again.isRepeat && again.sequence == receipt.sequence)
      try client.stop(["swing"])
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(Set(try next.connect().intentions().map(\.target)) == ["endless", "kept-0"])
    }

    /// A boot clock that jumps back from one start to the next, as it does when a machine boots.
    // Clauses: S17.7
    @Test(
      .fault(
        .time, "The boot clock jumps back, or ahead, from one start to the next",
        by: "time namespaces of 30, 0 and 60 days", promise: "ids are still known; simulated time continues"))
    func `ids and time survive a boot clock that jumps back, and one that jumps ahead`() throws {
      let id = TransactionID.random()
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 1), to: "kept")
      var directory: TestDirectory?
      var time = 0.0
      for (start, days) in [30, 0, 60].enumerated() {
        let daemon = try Daemon(
          in: directory,
          behind: ["/usr/bin/unshare", "--time", "--fork", "--kill-child", "--boottime", "\(days * 86_400)", "--"])
        directory = daemon.directory
        let client = try daemon.connect()
        let receipt = try client.commit(transaction, id: id)
        #expect(receipt.isRepeat == (start > 0) && receipt.sequence == 1)
        let now = try client.status().clock.time
        // Motion after the last checkpoint is repeated, and that is a second at most.
        #expect(now > time - 1 && now < time + 30, "simulated time goes on")
        try awaitTruth("time that a start from nothing does not have") { try client.status().clock.time > now + 2 }
        time = try client.status().clock.time
        // This kills unshare, and the kernel then kills motiond, which holds its lock until it has exited.
        let motiond = try client.status().processID
        daemon.process.kill()
        try awaitTruth("the end of motiond") { kill(motiond, 0) != 0 }
      }
    }
  }
}

/// The result of a commit on another thread.
private final class Answer: Sendable {
  let receipt = Mutex<Receipt?>(nil)
}

import Glibc
import MotionModel
import Synchronization
import Testing

@testable import MotionCoordinator

@Suite(.timeLimit(.minutes(1)))
struct WorkerProcessTests {
  /// The events of a process.
  private struct Story: Sendable {
    var lines: [String] = []
    var processID: Int32 = 0
    var reason = ""
    var isEnded = false
  }

  /// The events of a shell, as a worker with these limits; it is released at once.
  private func story(
    of script: String, limits: ProcessLimits = ProcessLimits(), environment: [String: String] = [:],
    directory: String = "/", share: ControlGroup.Share? = nil
  ) async throws -> Story {
    let processes = try WorkerProcesses()
    defer { processes.end() }
    let story = Mutex(Story())
    let (spawned, ended) = (Latch(), Latch())
    let launch = WorkerProcess.Launch(
      executable: "/bin/sh", arguments: ["-c", script], environment: environment, directory: directory,
      limits: limits, share: share)
    let process = WorkerProcess(launch, on: processes) { event in
      switch event {
      case .spawned(let processID):
        story.withLock { $0.processID = processID }
        spawned.open()
      case .printed(let lines): story.withLock { $0.lines += lines }
      case .ended(let end):
        story.withLock { ($0.reason, $0.isEnded) = (end.description, true) }
        spawned.open()
        ended.open()
      }
    }
    await spawned.wait()
    process.release()
    await ended.wait()
    return story.withLock { $0 }
  }

  @Test func `a worker gets its own soft limit of descriptors and keeps the hard one`() async throws {
    let limits = ProcessLimits(softDescriptors: 321)
    #expect(try await story(of: "ulimit -Sn", limits: limits).lines == ["321"])
    let own = try await story(of: "ulimit -Hn").lines
    #expect(try await story(of: "ulimit -Hn", limits: limits).lines == own)
  }

  @Test func `a worker gets the limits of its plugin, soft and hard, and others stay as they are`() async throws {
    var asked = PluginLimits()
    (asked.memoryMiB, asked.descriptors, asked.coreMiB, asked.niceness) = (512, 64, 0, 7)
    let limits = ProcessLimits(asked: asked, softDescriptors: 321)
    let script = "for limit in v n c; do ulimit -S$limit; ulimit -H$limit; done; nice"
    #expect(try await story(of: script, limits: limits).lines == ["524288", "524288", "64", "64", "0", "0", "7"])
    let others = "grep -E 'processes|locked|stack' /proc/self/limits"
    #expect(try await story(of: others, limits: limits).lines == (try await story(of: others).lines))
  }

  // Clauses: S15.5
  @Test func `a weight without a control group becomes the nearest niceness`() async throws {
    var asked = PluginLimits()
    for (weight, niceness) in [(1, "19"), (20, "7"), (80, "1"), (100, "0"), (10_000, "0")] {
      asked.cpuWeight = weight
      #expect(try await story(of: "nice", limits: ProcessLimits(asked: asked)).lines == [niceness])
    }
    (asked.cpuWeight, asked.niceness) = (80, 5)
    #expect(try await story(of: "nice", limits: ProcessLimits(asked: asked)).lines == ["5"])
    #expect(ProcessLimits(asked: asked).niceness(hasShare: true) == 5)
  }

  /// A tree of control groups in which the test may create groups.
  private static let tree = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
    access("\($0)/cgroup.controllers", R_OK) == 0 && access("\($0)/cgroup.procs", W_OK) == 0
  }

  // Clauses: S15.5, S15.7
  @Test(.enabled(if: tree != nil && geteuid() == 0, "control groups are for root"))
  func `a worker starts in its control group, and the processes left there end with it`() async throws {
    let path = "\(try #require(Self.tree))/motion-test-\(getpid())"
    let share = ControlGroup.Share(path: path, settings: ["cgroup.max.depth": "3"])
    // The process that it leaves has neither its process group nor its environment.
    let script = """
      grep '^0::' /proc/self/cgroup; cat \(path)/cgroup.max.depth
      env -i /usr/bin/setsid sleep 1000 > /dev/null 2>&1 < /dev/null & sed -n 2p \(path)/cgroup.procs | wc -l
      """
    let told = try await story(of: script, share: share)
    #expect(told.lines == ["0::/motion-test-\(getpid())", "3", "1"], "\(told)")
    // A group without processes can be removed.
    while access(path, F_OK) == 0 { share.end() }

    let refused = try await story(of: "true", share: ControlGroup.Share(path: path, settings: ["no.such": "1"]))
    #expect(refused.reason.contains("its cpuWeight cannot be set: \(path)/no.such"), "\(refused)")
    #expect(access(path, F_OK) != 0, "nothing is left of what could not be given")
  }

  @Test func `a worker has its group, its directory, its environment and no other descriptors`() async throws {
    let script = "echo $$; cut -d' ' -f5 /proc/$$/stat; pwd; echo $MOTION_WORD; ls /proc/$$/fd"
    let told = try await story(of: script, environment: ["MOTION_WORD": "w"], directory: "/proc")
    #expect(Array(told.lines.prefix(4)) == ["\(told.processID)", "\(told.processID)", "/proc", "w"])
    #expect(told.lines.dropFirst(4).allSatisfy { ["0", "1", "2"].contains($0) })
  }

  @Test func `a worker starts without blocked or ignored signals`() async throws {
    let told = try await story(of: "grep -E '^Sig(Blk|Ign)' /proc/self/status")
    let sets = told.lines.compactMap { UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16) }
    // Signals 32 and 33 are the C library's own.
    #expect(sets.count == 2 && sets.allSatisfy { $0 & 0x7FFF_FFFF == 0 })
  }

  @Test func `the end of a process states its cause, after all of its output`() async throws {
    #expect(try await story(of: "exit 0").reason == "it exited by itself (code 0)")
    #expect(try await story(of: "exit 7").reason == "it exited with code 7")
    #expect(try await story(of: "kill -KILL $$").reason == "it was ended by signal 9")
    let told = try await story(of: "echo out; echo err >&2; printf rest")
    #expect(told.lines.sorted() == ["err", "out", "rest"])
  }

  @Test func `a process that cannot be started gives the reason`() async throws {
    let told = try await story(of: "true", directory: "/nowhere")
    #expect(told.reason.hasPrefix("it could not be started: ") && told.reason.hasSuffix("No such file or directory"))
    #expect(told.processID == 0)
  }

  @Test func `a process that floods its output waits until the lines are read`() async throws {
    let processes = try WorkerProcesses()
    defer { processes.end() }
    let batches = Mutex(0)
    let (begun, again, ended) = (Latch(), Latch(), Latch())
    let launch = WorkerProcess.Launch(
      executable: "/bin/sh", arguments: ["-c", "while :; do echo line; done"], environment: [:], directory: "/")
    let processID = Mutex(Int32(0))
    let process = WorkerProcess(launch, on: processes) { event in
      switch event {
      case .spawned(let number): processID.withLock { $0 = number }
      case .printed:
        let count = batches.withLock { count in
          count += 1
          return count
        }
        count == 1 ? begun.open() : again.open()
      case .ended: ended.open()
      }
    }
    await begun.wait()
    // The process has filled its pipe and waits in a write: no second batch arrives until the first was acknowledged.
    let number = processID.withLock { $0 }
    func sleeps() throws -> Bool {
      String(decoding: try FileBytes.read("/proc/\(number)/stat", limit: 4096), as: UTF8.self).contains(") S")
    }
    while try !sleeps() { sched_yield() }
    #expect(batches.withLock { $0 } == 1)
    process.heard()
    await again.wait()
    kill(-number, SIGKILL)
    process.release()
    await ended.wait()
  }

  @Test func `the end of the supervisor kills the running processes`() async throws {
    let processes = try WorkerProcesses()
    let (spawned, ended) = (Latch(), Latch())
    let launch = WorkerProcess.Launch(
      executable: "/bin/sh", arguments: ["-c", "exec sleep 1000"], environment: [:], directory: "/")
    let process = WorkerProcess(launch, on: processes) { event in
      switch event {
      case .spawned: spawned.open()
      case .printed: break
      case .ended: ended.open()
      }
    }
    await spawned.wait()
    processes.end()
    await ended.wait()
    withExtendedLifetime(process) {}
  }
}

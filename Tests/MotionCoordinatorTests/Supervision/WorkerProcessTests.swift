import Synchronization
import Testing

@testable import MotionCoordinator

struct WorkerProcessTests {
  /// What a shell prints, as a worker that is allowed so many descriptors.
  private func lines(of script: String, descriptorLimit: UInt64?) async -> [String] {
    let printed = Mutex<[String]>([])
    let ended = Latch()
    let died = Latch()
    let launch = WorkerProcess.Launch(
      executable: "/bin/sh", arguments: ["-c", script], environment: [:], directory: "/", parentDeathSignal: "KILL",
      descriptorLimit: descriptorLimit)
    let process = WorkerProcess(launch) { event in
      switch event {
      case .spawned: died.open()
      case .printed(let line): printed.withLock { $0.append(line) }
      case .ended: ended.open()
      }
    }
    await died.wait()
    process.release()
    await ended.wait()
    return printed.withLock { $0 }
  }

  @Test func `a worker gets the soft limit of descriptors that is meant for it, and keeps the hard one`() async {
    #expect(await lines(of: "ulimit -Sn", descriptorLimit: 321) == ["321"])
    let own = await lines(of: "ulimit -Hn", descriptorLimit: nil)
    #expect(await lines(of: "ulimit -Hn", descriptorLimit: 321) == own)
  }
}

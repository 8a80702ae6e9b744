import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// The time until a fault is detected and repaired. A busy machine has its own times, so the longest is not checked
  /// against the promise, but the shortest and, of ten and more, the median are; all are printed, and `motion-bench
  /// faults` measures the same beside references.
  @Suite struct FaultTimesTests {
    private static let rounds = 12

    @Test(
      .fault(
        .processes, "Repeated deaths and suspensions of workers",
        by: "SIGKILL twelve times, SIGSTOP four times, watched without a pause",
        promise: "detected and repaired; the plan is kept"), .timeLimit(.minutes(5)))
    func `exits and hangs of workers are detected and repaired within the promised times`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("opacity", from: 0, to: 1, duration: .seconds(3600)), to: "lamp")
      var (noticed, back, silent): ([Duration], [Duration], [Duration]) = ([], [], [])
      for _ in 0..<Self.rounds {
        let times = try fault(SIGKILL, client)
        noticed.append(times.noticed)
        back.append(times.back)
      }
      for _ in 0..<Self.rounds / 3 { silent.append(try fault(SIGSTOP, client).noticed) }
      for (name, times, promised) in [
        ("death noticed", noticed, 20_000), ("death to serving again", back, 500_000),
        ("hang noticed", silent, 1_200_000),
      ] {
        let sorted = times.sorted().map { Int($0 / .microseconds(1)) }
        FaultMeasures.measured(.microseconds(sorted[sorted.count - 1]), name)
        #expect(sorted[0] <= promised, "\(name): never within \(promised) µs")
        let median = sorted[sorted.count / 2]
        #expect(sorted.count < 10 || median <= promised, "\(name): usually \(median) µs, not \(promised)")
        print("\(name): p50 \(sorted[sorted.count / 2]) µs, most \(sorted[sorted.count - 1]) µs, of \(sorted.count)")
      }
      #expect(try client.plans(of: "lamp").map(\.state) == [.added])
    }

    /// Applies this to the worker, and polls without a pause until it is detected, and until the successor serves.
    private func fault(_ signal: Int32, _ client: MotionClient) throws -> (noticed: Duration, back: Duration) {
      // A worker that was replaced starts a new count of deaths, so that the plugin is not given up.
      let before = try client.awaitReady("tween")
      try client.restart("tween")
      let worker = try client.awaitReady("tween", after: before.incarnation)
      try awaitTruth("the one before has ended") { !ProcessFacts(before.processID).isAlive }
      let start = BootClock.now
      kill(worker.processID, signal)
      while try client.worker("tween")?.processID == worker.processID {
        guard BootClock.now - start < factTimeout else { throw WaitTimeout("the fault is noticed", after: factTimeout) }
      }
      let noticed = BootClock.now - start
      _ = try client.awaitReady("tween", after: worker.incarnation)
      return (noticed, BootClock.now - start)
    }
  }
}

import Glibc
import MotionTestKit
import Testing

@testable import MotionLink

/// Writes traces of random schedules for implementations in other languages: `python/tests/test_link_traces.py` replays
/// them.
///
///     MOTION_LINK_TRACES=DIR MOTION_LINK_SCHEDULES=100000 swift test --filter LinkTraceTests
@Suite(.enabled(if: LinkTrace.folder != nil)) struct LinkTraceTests {
  /// The schedules in one file: some 5 MB.
  static let schedulesPerFile = 100
  /// For so many schedules there is one of claims and leases, which is five minutes long.
  static let schedulesPerLease = 50
  static let schedules = getenv("MOTION_LINK_SCHEDULES").flatMap { Int(String(cString: $0)) } ?? 1000

  @Test func `the schedules of the worker's end are written for other languages`() throws {
    let folder = try #require(LinkTrace.folder)
    let schedules = Self.schedules
    let seed = SeededRandom.seed(of: "LinkTraceTests")
    var random = SeededRandom(seed: seed)
    let trace = LinkTrace()
    var named = 0
    for schedule in 0..<schedules {
      let own = random.next()
      trace.begin(seed: own)
      let (failures, difference) = LinkConvergenceTests.run(seed: own, trace: trace, named: &named)
      #expect(failures.isEmpty && difference == nil, "seed \(seed), schedule \(schedule)")
      guard schedule % Self.schedulesPerFile == Self.schedulesPerFile - 1 || schedule == schedules - 1 else { continue }
      try trace.write(to: "\(folder)/link-\(seed)-\(schedule / Self.schedulesPerFile).trace")
    }
  }

  // Clauses: S14.7, S14.8
  @Test func `the schedules of claims and leases are written for other languages`() throws {
    let folder = try #require(LinkTrace.folder)
    let seed = SeededRandom.seed(of: "LinkTraceTests of leases")
    var random = SeededRandom(seed: seed)
    for schedule in 0..<max(1, Self.schedules / Self.schedulesPerLease) {
      let (own, trace) = (random.next(), LinkTrace())
      trace.begin(seed: own)
      let (failures, difference, _) = LeaseTests.run(seed: own, drift: Lease.margin * 0.49, trace: trace)
      #expect(failures.isEmpty && difference == nil, "seed \(seed), schedule \(schedule)")
      try trace.write(to: "\(folder)/lease-\(seed)-\(schedule).trace")
    }
  }
}

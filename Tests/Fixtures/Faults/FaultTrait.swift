public import Testing

/// What fails: the groups of docs/faults.md.
public enum FaultArea: String, Sendable {
  /// Processes that die, hang or are suspended.
  case processes
  /// Connections that are cut, slow, one-sided or garbled.
  case network
  /// Disks that are full, fail or lie, and files that are damaged.
  case storage
  /// Clocks that jump, and time that stands.
  case time
  /// What a machine runs out of.
  case limits
  /// Faulty and malicious peers.
  case peers
  /// Mistakes of operators.
  case operators
}

/// A fault that a test brings about, and what motiond promises of it: a row of docs/faults.md.
///
/// The page is written from these declarations, and from what the tests that bear them recorded when they ran. It reads
/// the arguments out of the source, so they are plain texts: without interpolation, escapes and vertical bars.
public struct FaultTrait: TestTrait, TestScoping {
  let fault: String

  /// Runs the test, and records that it has passed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Several faults may be shown by one test, which measures once.
    let measures = FaultMeasures.current ?? FaultMeasures()
    let start = ContinuousClock.now
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      measures.fail()
      return issue
    }
    try await watch.provideScope(for: test, testCase: testCase) {
      try await FaultMeasures.$current.withValue(measures) { try await function() }
    }
    // What has failed shows nothing.
    guard !measures.hasFailed else { return }
    FaultRecord(fault: fault, seconds: (ContinuousClock.now - start) / .seconds(1), measures: measures.all).append()
  }
}

extension Trait where Self == FaultTrait {
  /// The test brings this fault about and checks what is promised of it.
  ///
  /// - Parameters:
  ///   - area: what fails.
  ///   - fault: what goes wrong, in words that no other row has.
  ///   - injection: how the test does it.
  ///   - promise: what holds nevertheless.
  public static func fault(_ area: FaultArea, _ fault: String, by injection: String, promise: String) -> Self {
    Self(fault: fault)
  }
}

public import Testing

/// The area of a fault: the groups of docs/faults.md.
public enum FaultArea: String, Sendable {
  /// Processes that die, hang or are suspended.
  case processes
  /// Connections that are cut, slow, one-sided or garbled.
  case network
  /// Disks that are full, fail or lie, and files that are damaged.
  case storage
  /// Clocks that jump, and time that is paused.
  case time
  /// Resources that a machine runs out of.
  case limits
  /// Peers that send false statements, or bytes that are no message.
  case peers
  /// Mistakes of motiond's operators.
  case operators
}

/// A fault that a test causes, and motiond's promise for it: a row of docs/faults.md.
///
/// The page is written from these declarations, and from the records of the runs of the tests that declare them. The
/// arguments are read from the source, so they are plain string literals: without interpolation, escapes and vertical
/// bars.
public struct FaultTrait: TestTrait, TestScoping {
  let fault: String

  /// Runs the test, and records that it has passed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // One test may show several faults, and measures once.
    let measures = FaultMeasures.current ?? FaultMeasures()
    let start = ContinuousClock.now
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      measures.fail()
      return issue
    }
    try await watch.provideScope(for: test, testCase: testCase) {
      try await FaultMeasures.$current.withValue(measures) { try await function() }
    }
    // A failed test shows nothing.
    guard !measures.hasFailed else { return }
    FaultRecord(fault: fault, seconds: (ContinuousClock.now - start) / .seconds(1), measures: measures.all).append()
  }
}

extension Trait where Self == FaultTrait {
  /// The test causes this fault and checks the promise.
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

import Testing

@testable import motion_soak

/// The statements of a soak's page about the curves, and about its success.
struct SoakReportTests {
  /// A report of so many seconds in which everything was measured each second, and nothing grew except as stated here.
  private func report(
    seconds: Double = 1800, starts: Int = 1, revision: String? = nil, _ state: Ledger.State = Self.compared(),
    _ change: (inout Sample) -> Void = { _ in }
  ) -> SoakReport {
    let samples = stride(from: 0, to: seconds, by: 1).map { time in
      var sample = Sample(time: time)
      for (index, measure) in Measure.allCases.enumerated() {
        sample.values[measure] = 20 + Double((Int(time) + index) % 3)
      }
      // The number of commits does not grow: the memory that commits take is a separate case.
      sample.values[.commits] = 0
      change(&sample)
      return sample
    }
    return SoakReport(
      seconds: seconds, seed: 7, faults: [(time: 60, kind: .killWorker)], samples: samples, state: state,
      starts: starts, revision: revision)
  }

  /// The ledger of a run with two commits, of which so many came before the only audit.
  private static func compared(_ count: Int = 2, ofStart: Bool = false) -> Ledger.State {
    var state = Ledger.State()
    for number in 1...2 {
      if number == count + 1 { _ = state.audit([:], isOfStart: ofStart) }
      state.acknowledge("keep-\(number)", UInt64(number), forgetting: [])
    }
    if count == 2 { _ = state.audit([:], isOfStart: ofStart) }
    return state
  }

  private func row(_ measure: Measure, of report: SoakReport) -> Substring? {
    report.page(picture: "soak.svg").split(separator: "\n").first { $0.hasPrefix("| \(measure.rawValue) |") }
  }

  @Test func `a run without growth passes`() {
    let report = report()
    #expect(report.isGood, "\(report.failures)")
    let flat = "nothing grew by more than it may in the last 13.5 minutes"
    #expect(report.summary.contains("nothing was lost, nothing jumped, \(flat)"))
    #expect(report.page(picture: "soak.svg").contains("\(flat).**"))
    #expect(Measure.allCases.allSatisfy { row($0, of: report)?.contains("not judged") == false })
    #expect(row(.commits, of: report)?.hasSuffix("| – |") == true)
  }

  /// By twice its bound over the fitted part, from the first second on.
  @Test(arguments: Measure.allCases.filter { $0.bound != nil })
  func `a leak fails the run`(measure: Measure) throws {
    let bound = try #require(measure.bound)
    let most = max(bound.least, bound.part * 40)
    let report = report { $0.values[measure, default: 0] += 2 * most * $0.time / (1800 * (1 - SoakReport.fitted)) }
    #expect(!report.isGood)
    #expect(report.failures.count == 1 && report.failures[0].hasPrefix("\(measure.rawValue) grows"))
    #expect(report.page(picture: "soak.svg").contains("it failed.**"))
    #expect(row(measure, of: report)?.contains("**grows**") == true)
    #expect(report.summary.contains("FAILED: \(measure.rawValue) grows"))
  }

  /// A motiond that never reports its lateness, or one that is sampled too seldom.
  @Test(arguments: Measure.allCases.filter { $0.bound != nil }, [0.0, Double(SoakReport.fewest - 1)])
  func `a long run with too few samples of a measure fails`(measure: Measure, samples: Double) {
    let report = report { sample in
      if sample.time < 1800 - samples { sample.values[measure] = nil }
    }
    #expect(!report.isGood)
    #expect(report.failures == ["\(measure.rawValue) was not judged: too few samples"])
    #expect(row(measure, of: report)?.hasSuffix("| – | – | – | – | not judged |") == true)
  }

  @Test func `a short run states what was not judged`() {
    let report = report(seconds: 60)
    #expect(report.isGood)
    #expect(!report.summary.contains("nothing grew"))
    #expect(report.summary.contains("descriptors: not judged"))
    #expect(report.verdict.contains("not judged: \(Measure.memory.rawValue); "))
    #expect(row(.descriptors, of: report)?.hasSuffix("not judged |") == true)
  }

  @Test func `a run without a comparison fails`() {
    var state = Ledger.State()
    state.acknowledge("keep-1", 1, forgetting: [])
    #expect(report(state).failures == ["nothing was compared with what was acknowledged"])
  }

  @Test func theSlopeOfEachCurveIsOnThePage() {
    let report = report { $0.values[.memory] = 80 + $0.time / 3600 }
    #expect(row(.memory, of: report)?.hasSuffix("| +1 | +0.22 | 4 | flat |") == true)
  }

  @Test func `a commit that was never compared fails the run`() {
    let report = report(Self.compared(1))
    #expect(report.failures == ["1 of 2 acknowledged commits were never compared with what there is"])
    #expect(report.page(picture: "soak.svg").contains("; 1 of them was compared"))
    #expect(self.report().page(picture: "soak.svg").contains("2 were acknowledged"))
    #expect(self.report().page(picture: "soak.svg").contains("; every one of them was compared"))
  }

  @Test func `a start without a comparison fails the run`() {
    #expect(report(starts: 2, Self.compared(ofStart: true)).isGood)
    #expect(report(starts: 2).failures == ["after 1 of 1 further starts of motiond nothing was compared"])
  }

  /// Messages lost in a bad network may be missed, and are on the page.
  @Test func `a message missed beside motiond fails the run, and one behind a bad network does not`() {
    var state = Self.compared()
    state.missedAfar = 5
    #expect(report(state).isGood)
    #expect(report(state).page(picture: "soak.svg").contains("behind the bad network missed 5,"))
    state.missedBeside = 3
    #expect(report(state).failures == ["the subscriber beside motiond, which always reads, missed 3 messages"])
    #expect(report(state).page(picture: "soak.svg").contains("beside motiond missed 3 messages"))
  }

  @Test func thePageNamesTheCommitIfThereIsOne() {
    #expect(report(revision: "abc123").page(picture: "soak.svg").contains("its last run, of commit abc123;"))
    #expect(report().page(picture: "soak.svg").contains("its last run; "))
  }
}

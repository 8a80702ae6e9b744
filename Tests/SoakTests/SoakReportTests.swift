import Testing

@testable import motion_soak

/// What the page of a soak says of the curves, and whether it was good.
struct SoakReportTests {
  /// A report of so many seconds in which everything was measured each second, and nothing grew but what is said here.
  private func report(
    seconds: Double = 1800, audits: Int = 90, _ change: (inout Sample) -> Void = { _ in }
  ) -> SoakReport {
    let samples = stride(from: 0, to: seconds, by: 1).map { time in
      var sample = Sample(time: time)
      for (index, measure) in Measure.allCases.enumerated() {
        sample.values[measure] = 20 + Double((Int(time) + index) % 3)
      }
      // It stands still: what commits take is another matter.
      sample.values[.commits] = 0
      change(&sample)
      return sample
    }
    var state = Ledger.State()
    (state.receipts, state.audits) = (1, audits)
    return SoakReport(
      seconds: seconds, seed: 7, faults: [(time: 60, kind: .killWorker)], samples: samples, state: state, starts: 1)
  }

  private func row(_ measure: Measure, of report: SoakReport) -> Substring? {
    report.page(picture: "soak.svg").split(separator: "\n").first { $0.hasPrefix("| \(measure.rawValue) |") }
  }

  @Test func whatDoesNotGrowIsGood() {
    let report = report()
    #expect(report.isGood, "\(report.failures)")
    #expect(report.summary.contains("nothing was lost, nothing jumped, nothing grew"))
    #expect(report.page(picture: "soak.svg").contains("nothing grew.**"))
    #expect(Measure.allCases.allSatisfy { row($0, of: report)?.contains("not judged") == false })
    #expect(row(.commits, of: report)?.hasSuffix("| – |") == true)
  }

  /// By twice its bound over what is fitted, from the first second on.
  @Test(arguments: Measure.allCases.filter { $0.bound != nil })
  func aLeakIsFound(measure: Measure) throws {
    let bound = try #require(measure.bound)
    let most = max(bound.least, bound.part * 40)
    let report = report { $0.values[measure, default: 0] += 2 * most * $0.time / (1800 * (1 - SoakReport.fitted)) }
    #expect(!report.isGood)
    #expect(report.failures.count == 1 && report.failures[0].hasPrefix("\(measure.rawValue) grows"))
    #expect(report.page(picture: "soak.svg").contains("it failed.**"))
    #expect(row(measure, of: report)?.contains("**grows**") == true)
    #expect(report.summary.contains("FAILED: \(measure.rawValue) grows"))
  }

  /// A motiond that never says how late it is, or one that is asked too seldom.
  @Test(arguments: Measure.allCases.filter { $0.bound != nil }, [0.0, Double(SoakReport.fewest - 1)])
  func aLongRunThatDoesNotJudgeIsNotGood(measure: Measure, samples: Double) {
    let report = report { sample in
      if sample.time < 1800 - samples { sample.values[measure] = nil }
    }
    #expect(!report.isGood)
    #expect(report.failures == ["\(measure.rawValue) was not judged: too few samples"])
    #expect(row(measure, of: report)?.hasSuffix("| – | – | – | not judged |") == true)
  }

  @Test func aShortRunSaysWhatItDidNotJudge() {
    let report = report(seconds: 60)
    #expect(report.isGood)
    #expect(!report.summary.contains("nothing grew"))
    #expect(report.summary.contains("descriptors: not judged"))
    #expect(report.verdict.contains("not judged: \(Measure.memory.rawValue); "))
    #expect(row(.descriptors, of: report)?.hasSuffix("not judged |") == true)
  }

  @Test func whoNeverComparedHasShownNothing() {
    #expect(report(audits: 0).failures == ["nothing was compared with what was acknowledged"])
  }
}

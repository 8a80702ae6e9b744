import Foundation

/// What came of a run.
struct SoakReport {
  /// What is fitted: the second half, but for the start of its process.
  static let fitted = 0.55
  /// Fewer samples than that are no curve.
  static let fewest = 60

  /// As many identities of commits are remembered at most: from then on, what they take is flat.
  static let identities = 100_000.0

  /// A curve with its judgement.
  struct Curve {
    let measure: Measure
    let points: [(time: Double, value: Double)]
    let flatness: Flatness?
    /// By how much it may grow over what is fitted; `nil` is not judged.
    let bound: Double?
    var isFlat: Bool { bound.map { (flatness?.growth ?? 0) <= $0 } ?? true }
  }

  let seconds: Double
  let seed: UInt64
  let faults: [(time: Double, kind: Sabotage)]
  let curves: [Curve]
  let state: Ledger.State
  private let samples: [Sample]
  private let starts: Int

  init(_ run: SoakRun, seed: UInt64) {
    seconds = run.seconds
    self.seed = seed
    faults = run.faults
    samples = run.samples
    state = run.ledger.now
    starts = run.stage.starts
    let begin = run.seconds * Self.fitted
    let all = Double(run.ledger.now.receipts)
    let early = zip(run.samples, run.samples.dropFirst()).filter { $1.time < begin }
      .reduce(0) { $0 + ($1.1.values[.commits] ?? 0) * ($1.1.time - $1.0.time) }
    let remembered = min(all, Self.identities) - min(early, all, Self.identities)
    curves = Measure.allCases.map { measure in
      let points = run.samples.compactMap { sample in sample.values[measure].map { (time: sample.time, value: $0) } }
      let late = points.filter { $0.time >= begin }
      let flatness = late.count >= Self.fewest ? Flatness(late) : nil
      let bound = flatness.flatMap { fit in
        measure.bound.map { max($0.least, $0.part * fit.median) + remembered * measure.perIdentity }
      }
      return Curve(measure: measure, points: points, flatness: flatness, bound: bound)
    }
  }

  var isGood: Bool { state.problems.isEmpty && curves.allSatisfy(\.isFlat) && state.audits > 0 && state.receipts > 0 }

  /// The samples, a line for each second.
  var csv: String {
    let head = "seconds," + Measure.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let lines = samples.map { sample in
      let cells = Measure.allCases.map { sample.values[$0].map { String(format: "%.3f", $0) } ?? "" }
      return String(format: "%.1f,", sample.time) + cells.joined(separator: ",")
    }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  /// For whoever waits at the terminal.
  var summary: String {
    let kinds = counts.map { "  \($0.count) × \($0.kind.rawValue)" }
    let judged = curves.compactMap { curve in judgement(of: curve).map { "  \(curve.measure.rawValue): \($0)" } }
    let jumps = state.jumps.sorted { $0.key < $1.key }.map { String(format: "%@ %.3g", $0.key, $0.value) }
    return """
      \(faults.count) faults, --seed \(seed):
      \(kinds.joined(separator: "\n"))
      \(state.receipts) receipts, the slowest after \(String(format: "%.1f", state.slowest / .seconds(1))) s; \
      \(state.refusals) refused for the disk and made again; \(state.audits) audits
      \(state.frames) frames heard, \(state.missed) messages missed, \(starts) starts of motiond; \
      largest step that no velocity explains: \(jumps.joined(separator: ", "))
      \(judged.joined(separator: "\n"))
      \(isGood ? "Nothing was lost, nothing jumped, nothing grew." : "FAILED: \(failures.joined(separator: "\n        "))")
      """
  }

  var failures: [String] {
    state.problems + curves.filter { !$0.isFlat }.map { "\($0.measure.rawValue) grows: \(judgement(of: $0) ?? "")" }
      + (state.receipts == 0 ? ["nothing was committed"] : [])
  }

  /// How often what was done, the most frequent first.
  var counts: [(kind: Sabotage, count: Int)] {
    let counts = Dictionary(grouping: faults, by: \.kind).mapValues(\.count)
    return counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
  }

  func judgement(of curve: Curve) -> String? {
    guard let fit = curve.flatness else { return nil }
    let text = String(format: "usually %.4g, grows by %+.2g", fit.median, fit.growth)
    return curve.bound.map { text + String(format: " of %.2g that it may", $0) } ?? text
  }

  /// The page of this run, beside its picture.
  func page(picture: String) -> String {
    let rows = curves.compactMap { curve -> String? in
      guard let fit = curve.flatness else { return nil }
      let bound = curve.bound.map { String(format: "%.2g", $0) } ?? "–"
      let growth = String(format: "%.4g | %+.2g", fit.median, fit.growth)
      return "| \(curve.measure.rawValue) | \(growth) | \(bound) | \(curve.isFlat ? "flat" : "**grows**") |"
    }
    let kinds = counts.map { "| \($0.kind.rawValue) | \($0.count) |" }
    let jumps = state.jumps.sorted { $0.key < $1.key }.map { String(format: "%@ %.2g", $0.key, $0.value) }
    return """
      # Soak

      `make soak` lets a motiond work for as long as one likes (`make soak MINUTES=30`) while a fault comes every few seconds:
      three clients commit without a pause, one of them through a network that does what networks do, two subscribers look at
      every frame, and every 20 s all that was acknowledged is compared with what there is, and all that was heard with what is
      so. This page is what it wrote of its last run; `SEED=\(seed)` draws the same faults again. If all of that held, it goes on with
      scenarios of the [simulation](simulation.md), thousands a minute, until it is stopped; `SCENARIOS=0` leaves these out.

      **\(String(format: "%.3g", seconds / 60)) minutes, \(faults.count) faults: \
      \(isGood ? "nothing was lost, nothing jumped, nothing grew" : "it failed").** \(state.receipts) commits were \
      acknowledged, the slowest after \(String(format: "%.1f", state.slowest / .seconds(1))) s; \(state.refusals) times \
      one was refused because nothing could be written, and made again. \(state.frames) frames were looked at. \
      \(state.audits) audits found \(state.problems.count) problems. motiond was started \(starts) times. The largest \
      steps that no velocity explains: \(jumps.joined(separator: ", ")).

      ![What was measured each second](\(picture))

      Flat is what grows no more than it may over the second half, in which motiond itself is not ended any more: the line is
      the median of the slopes between all pairs of seconds (Theil and Sen). What may grow, and by how much:
      [`Sampler.swift`](../Tests/Soak/Sampler.swift).

      | each second | usually | grows by | may grow by | |
      |---|--:|--:|--:|---|
      \(rows.joined(separator: "\n"))

      | fault | times |
      |---|--:|
      \(kinds.joined(separator: "\n"))

      """
  }
}

import Foundation

/// What came of a run.
struct SoakReport {
  /// What is fitted: the second half, but for the start of its process.
  static let fitted = 0.55
  /// Fewer samples than that are no curve.
  static let fewest = 60

  /// As many identities of commits are remembered at most: from then on, what they take is flat.
  static let identities = 100_000.0

  /// A run of so many seconds has enough samples of everything; a shorter one need not.
  static let judged = 600.0

  /// What is said of a curve.
  enum Judgement: String {
    case flat
    case grows = "**grows**"
    /// It may do what it likes.
    case unbounded = "–"
    /// There are not enough samples of it, so that nobody knows.
    case unknown = "not judged"
  }

  /// A curve with its judgement.
  struct Curve {
    let measure: Measure
    let points: [(time: Double, value: Double)]
    /// The line through what is fitted; `nil` if that is no curve.
    let flatness: Flatness?
    /// By how much it may grow over what is fitted; `nil` without a line, or if it may grow as it likes.
    let bound: Double?

    var judgement: Judgement {
      guard measure.bound != nil else { return .unbounded }
      guard let flatness, let bound else { return .unknown }
      return flatness.growth <= bound ? .flat : .grows
    }
  }

  let seconds: Double
  let seed: UInt64
  let faults: [(time: Double, kind: Sabotage)]
  let curves: [Curve]
  let state: Ledger.State
  private let samples: [Sample]
  private let starts: Int

  init(_ run: SoakRun, seed: UInt64) {
    self.init(
      seconds: run.seconds, seed: seed, faults: run.faults, samples: run.samples, state: run.ledger.now,
      starts: run.stage.starts)
  }

  init(
    seconds: Double, seed: UInt64, faults: [(time: Double, kind: Sabotage)], samples: [Sample], state: Ledger.State,
    starts: Int
  ) {
    (self.seconds, self.seed, self.faults) = (seconds, seed, faults)
    (self.samples, self.state, self.starts) = (samples, state, starts)
    let begin = seconds * Self.fitted
    let all = Double(state.receipts)
    let early = zip(samples, samples.dropFirst()).filter { $1.time < begin }
      .reduce(0) { $0 + ($1.1.values[.commits] ?? 0) * ($1.1.time - $1.0.time) }
    let remembered = min(all, Self.identities) - min(early, all, Self.identities)
    curves = Measure.allCases.map { measure in
      let points = samples.compactMap { sample in sample.values[measure].map { (time: sample.time, value: $0) } }
      let late = points.filter { $0.time >= begin }
      let flatness = late.count >= Self.fewest ? Flatness(late) : nil
      let bound = flatness.flatMap { fit in
        measure.bound.map { max($0.least, $0.part * fit.median) + remembered * measure.perIdentity }
      }
      return Curve(measure: measure, points: points, flatness: flatness, bound: bound)
    }
  }

  var isGood: Bool { failures.isEmpty }

  private func curves(that judgement: Judgement) -> [Curve] { curves.filter { $0.judgement == judgement } }

  /// What came of it, in one sentence.
  var verdict: String {
    guard isGood else { return "it failed" }
    let unknown = curves(that: .unknown).map(\.measure.rawValue).joined(separator: "; ")
    let growth = unknown.isEmpty ? "nothing grew" : "whether these grow was not judged: \(unknown)"
    return "nothing was lost, nothing jumped, \(growth)"
  }

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
      \(isGood ? "Good: \(verdict)." : "FAILED: \(failures.joined(separator: "\n        "))")
      """
  }

  /// Why the run is not good.
  var failures: [String] {
    var failures = state.problems
    failures += curves(that: .grows).map { "\($0.measure.rawValue) grows: \(judgement(of: $0) ?? "")" }
    if seconds >= Self.judged {
      failures += curves(that: .unknown).map { "\($0.measure.rawValue) was not judged: too few samples" }
    }
    if state.receipts == 0 { failures.append("nothing was committed") }
    if state.audits == 0 { failures.append("nothing was compared with what was acknowledged") }
    return failures
  }

  /// How often what was done, the most frequent first.
  var counts: [(kind: Sabotage, count: Int)] {
    let counts = Dictionary(grouping: faults, by: \.kind).mapValues(\.count)
    return counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
  }

  func judgement(of curve: Curve) -> String? {
    guard let fit = curve.flatness else { return curve.judgement == .unknown ? "not judged" : nil }
    let text = String(format: "usually %.4g, grows by %+.2g", fit.median, fit.growth)
    return curve.bound.map { text + String(format: " of %.2g that it may", $0) } ?? text
  }

  /// The page of this run, beside its picture.
  func page(picture: String) -> String {
    let rows = curves.map { curve in
      let bound = curve.bound.map { String(format: "%.2g", $0) } ?? "–"
      let growth = curve.flatness.map { String(format: "%.4g | %+.2g", $0.median, $0.growth) } ?? "– | –"
      return "| \(curve.measure.rawValue) | \(growth) | \(bound) | \(curve.judgement.rawValue) |"
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
      \(verdict).** \(state.receipts) commits were \
      acknowledged, the slowest after \(String(format: "%.1f", state.slowest / .seconds(1))) s; \(state.refusals) times \
      one was refused because nothing could be written, and made again. \(state.frames) frames were looked at. \
      \(state.audits) audits found \(state.problems.count) problems. motiond was started \(starts) times. The largest \
      steps that no velocity explains: \(jumps.joined(separator: ", ")).

      ![What was measured each second](\(picture))

      Flat is what grows no more than it may over the second half, in which motiond itself is not ended any more: the line is
      the median of the slopes between all pairs of seconds (Theil and Sen). Of what was measured fewer than \(Self.fewest) times
      there, nothing is judged, and a run of ten minutes in which that is so has failed. What may grow, and by how much:
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

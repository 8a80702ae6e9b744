import Foundation

/// The results of a run.
struct SoakReport {
  /// The fitted part: the second half, without the start of its process.
  static let fitted = 0.55
  /// Fewer samples than that are no curve.
  static let fewest = 60

  /// The maximum number of identities of commits that are stored: from then on, their memory is flat.
  static let identities = 100_000.0

  /// A run of so many seconds has enough samples of everything; a shorter one need not.
  static let judged = 600.0

  /// The judgement of a curve.
  enum Judgement: String {
    case flat
    case grows = "**grows**"
    /// It has no bound.
    case unbounded = "–"
    /// It has too few samples for a judgement.
    case unknown = "not judged"
  }

  /// A curve with its judgement.
  struct Curve {
    let measure: Measure
    let points: [(time: Double, value: Double)]
    /// The line through the fitted part; `nil` if that is no curve.
    let flatness: Flatness?
    /// Its permitted growth over the fitted part; `nil` without a line, or without a bound.
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
  /// The commit that was run, if that is known.
  let revision: String?
  private let samples: [Sample]
  private let starts: Int
  /// The maximum number of commit identities that were added to the stored ones during the fitted part.
  private let remembered: Double

  init(_ run: SoakRun, seed: UInt64, revision: String?) {
    self.init(
      seconds: run.seconds, seed: seed, faults: run.faults, samples: run.samples, state: run.ledger.now,
      starts: run.stage.starts, revision: revision)
  }

  init(
    seconds: Double, seed: UInt64, faults: [(time: Double, kind: Sabotage)], samples: [Sample], state: Ledger.State,
    starts: Int, revision: String? = nil
  ) {
    (self.seconds, self.seed, self.faults, self.revision) = (seconds, seed, faults, revision)
    (self.samples, self.state, self.starts) = (samples, state, starts)
    let begin = seconds * Self.fitted
    let all = Double(state.receipts)
    let early = zip(samples, samples.dropFirst()).filter { $1.time < begin }
      .reduce(0) { $0 + ($1.1.values[.commits] ?? 0) * ($1.1.time - $1.0.time) }
    let remembered = min(all, Self.identities) - min(early, all, Self.identities)
    self.remembered = remembered
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

  /// The result in one sentence.
  var verdict: String {
    guard isGood else { return "it failed" }
    let unknown = curves(that: .unknown).map(\.measure.rawValue).joined(separator: "; ")
    let growth =
      unknown.isEmpty
      ? "nothing grew by more than it may in the last \(fittedMinutes) minutes"
      : "whether these grow was not judged: \(unknown)"
    return "nothing was lost, nothing jumped, \(growth)"
  }

  /// The length of the fitted part, in minutes.
  private var fittedMinutes: String { String(format: "%.3g", seconds * (1 - Self.fitted) / 60) }

  /// The samples, a line for each second.
  var csv: String {
    let head = "seconds," + Measure.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let lines = samples.map { sample in
      let cells = Measure.allCases.map { sample.values[$0].map { String(format: "%.3f", $0) } ?? "" }
      return String(format: "%.1f,", sample.time) + cells.joined(separator: ",")
    }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  /// For a user who waits at the terminal.
  var summary: String {
    let kinds = counts.map { "  \($0.count) × \($0.kind.rawValue)" }
    let judged = curves.compactMap { curve in judgement(of: curve).map { "  \(curve.measure.rawValue): \($0)" } }
    let jumps = state.jumps.sorted { $0.key < $1.key }.map { String(format: "%@ %.3g", $0.key, $0.value) }
    return """
      \(faults.count) faults, --seed \(seed):
      \(kinds.joined(separator: "\n"))
      \(state.receipts) receipts, the slowest after \(String(format: "%.1f", state.slowest / .seconds(1))) s; \
      \(state.refusals) refused for the disk and made again
      \(state.audits) audits, \(state.auditsOfStarts) of them right after a start, of \(starts) starts of motiond; \
      \(state.compared) of \(state.receipts) receipts compared
      \(state.frames) frames heard; messages missed: \(state.missedBeside) beside motiond, \(state.missedAfar) afar; \
      largest step that no velocity explains: \(jumps.joined(separator: ", "))
      \(judged.joined(separator: "\n"))
      \(isGood ? "Good: \(verdict)." : "FAILED: \(failures.joined(separator: "\n        "))")
      """
  }

  /// The reasons why the run is not good.
  var failures: [String] {
    var failures = state.problems
    failures += curves(that: .grows).map { "\($0.measure.rawValue) grows: \(judgement(of: $0) ?? "")" }
    if seconds >= Self.judged {
      failures += curves(that: .unknown).map { "\($0.measure.rawValue) was not judged: too few samples" }
    }
    if state.receipts == 0 { failures.append("nothing was committed") }
    return failures + unseen
  }

  /// The values that were not checked, or not received, though they had to be.
  private var unseen: [String] {
    var unseen: [String] = []
    if state.audits == 0 { unseen.append("nothing was compared with what was acknowledged") }
    let forgotten = state.receipts - state.compared
    if state.audits > 0, forgotten > 0 {
      unseen.append("\(forgotten) of \(state.receipts) acknowledged commits were never compared with what there is")
    }
    let skipped = starts - 1 - state.auditsOfStarts
    if skipped > 0 { unseen.append("after \(skipped) of \(starts - 1) further starts of motiond nothing was compared") }
    if state.missedBeside > 0 {
      unseen.append("the subscriber beside motiond, which always reads, missed \(state.missedBeside) messages")
    }
    return unseen
  }

  /// The number of injected faults of each kind, the most frequent first.
  var counts: [(kind: Sabotage, count: Int)] {
    let counts = Dictionary(grouping: faults, by: \.kind).mapValues(\.count)
    return counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
  }

  func judgement(of curve: Curve) -> String? {
    guard let fit = curve.flatness else { return curve.judgement == .unknown ? "not judged" : nil }
    let text = String(format: "usually %.4g, grew by %+.2g in \(fittedMinutes) min", fit.median, fit.growth)
    return curve.bound.map { text + String(format: " of %.2g that it may", $0) } ?? text
  }

  /// The page of this run, beside its picture.
  func page(picture: String) -> String {
    let rows = curves.map { curve in
      let bound = curve.bound.map { String(format: "%.2g", $0) } ?? "–"
      let fit = curve.flatness.map { String(format: "%.4g | %+.2g | %+.2g", $0.median, $0.slope * 3600, $0.growth) }
      let growth = fit ?? "– | – | –"
      return "| \(curve.measure.rawValue) | \(growth) | \(bound) | \(curve.judgement.rawValue) |"
    }
    let kinds = counts.map { "| \($0.kind.rawValue) | \($0.count) |" }
    return """
      # Soak

      `make soak` runs motiond under faults for as long as you like (`make soak MINUTES=30`), with a fault every few
      seconds. Three clients commit without a pause, one of them through a faulty network, and two subscribers check every
      frame. Right after each start of motiond, and every 20 s, the clients pause for a moment. Then all existing plans are
      compared with all plans that were acknowledged and not removed, and the received values with the present ones. A
      client removes its plans only after that comparison.

      This page was written by its last run\(revision.map { ", of commit \($0)" } ?? ""); `SEED=\(seed)` draws the \
      same faults again. If the run is good, `make soak` continues with scenarios of the [simulation](simulation.md), \
      thousands a minute, until you stop it; `SCENARIOS=0` leaves these out.

      **\(String(format: "%.3g", seconds / 60)) minutes, \(faults.count) faults: \(verdict).**

      \(found)

      ![What was measured each second](\(picture))

      \(judged)

      | each second | usually | an hour | grew by | may grow by | |
      |---|--:|--:|--:|--:|---|
      \(rows.joined(separator: "\n"))

      | fault | times |
      |---|--:|
      \(kinds.joined(separator: "\n"))

      """
  }

  /// The checks, and their results.
  private var found: String {
    let jumps = state.jumps.sorted { $0.key < $1.key }.map { String(format: "%@ %.2g", $0.key, $0.value) }
    let share = state.compared == state.receipts ? "every one of them" : "\(state.compared) of them"
    let size = state.comparisons / max(state.audits, 1)
    return """
      - **Commits.** \(state.receipts) were acknowledged, the slowest after \
      \(String(format: "%.1f", state.slowest / .seconds(1))) s; \(share) was compared with the existing plans, at least \
      once. Commits were refused \(state.refusals) times because nothing could be written, and committed again.
      - **Audits.** \(state.audits), of \(size) acknowledged plans on average; \(state.auditsOfStarts) of them right \
      after a start of motiond, which was started \(starts) times. Problems found: \(state.problems.count).
      - **Frames.** \(state.frames) were checked. The largest steps that no velocity explains: \
      \(jumps.joined(separator: ", ")).
      - **Missed.** The subscriber beside motiond missed \(state.missedBeside) messages, and may miss none: it always \
      reads. The subscriber behind the bad network missed \(state.missedAfar), and may: messages in a connection that is \
      cut are lost, and so are messages that are sent while its queue is full. It then receives complete values, which \
      the audits compare. Messages that motiond did not send, because it was killed or no peer was connected, count for \
      neither.
      """
  }

  /// The bounds by which the curves are judged.
  private var judged: String {
    let identities = String(format: "%.0f", remembered)
    return """
      Each curve is judged by its growth in the last \(fittedMinutes) minutes, in which motiond itself is not ended any \
      more. The line is the median of the slopes between all pairs of seconds (Theil and Sen). In that time \
      \(identities) ids of commits were added to those that motiond keeps for a day, \(Int(Self.identities)) at most; memory \
      may grow by 1 KiB and the journal by 0.25 KiB for each. A measure with fewer than \(Self.fewest) samples in that \
      time is not judged, and a run of ten minutes or more fails then. [`Sampler.swift`](../Tests/Soak/Sampler.swift) \
      defines what may grow, and by how much.
      """
  }
}

import MotionCore
import MotionFiles
import MotionModel
import MotionWire

/// The result of a replay.
struct ReplayReport {
  /// The limit of differences that are kept: those after the first one mostly follow from it.
  static let mostDifferences = 8

  /// The path of the recording.
  let file: String
  /// The number of frames that were run again.
  private(set) var frames = 0
  /// The simulated time of the last frame, in seconds.
  private(set) var time = 0.0
  /// The recorded hash of the last frame that has one.
  private(set) var hash: UInt64 = 0
  /// The number of frames that have a hash to compare with: those of a history have none.
  private(set) var compared = 0
  /// The number of frames with a different result.
  private(set) var differing = 0
  /// The first differences, at most ``mostDifferences``.
  private(set) var differences: [Replayer.Difference] = []
  /// The place at which the recording stops.
  var end = RecordingReader.End.complete

  /// Makes a report of a recording of which no frame was run yet.
  init(file: String) {
    self.file = file
  }

  /// Adds a frame that was run again.
  mutating func take(_ recorded: RecordedFrame, _ difference: Replayer.Difference?) {
    frames += 1
    time = recorded.frame.time
    if recorded.hash != 0 { (hash, compared) = (recorded.hash, compared + 1) }
    guard let difference else { return }
    differing += 1
    if differences.count < Self.mostDifferences { differences.append(difference) }
  }

  /// The number of bytes at the end that belong to an incomplete frame.
  var truncatedBytes: Int {
    if case .truncated(let bytes) = end { bytes } else { 0 }
  }

  /// The report for people.
  func lines(style: Style) -> [String] {
    let last = frames == 0 ? "" : ", the last at \(NumberText.fixed(time, digits: 3)) s"
    let amount = "\(file): \(frames == 1 ? "1 frame" : "\(frames) frames")\(last)"
    var lines: [String] = []
    if frames == 0 {
      lines.append("\(amount): there is nothing to compare")
    } else if compared == 0 {
      lines.append("\(amount): run again; it has no bits to compare, as it was made of a history")
    } else if differing == 0 {
      let some = compared < frames ? " in the \(compared) that have a hash; the others are of a history" : ""
      lines.append("\(amount): \(style.green("the same bits"))\(some), last hash \(Self.text(of: hash))")
    } else {
      lines.append("\(amount): \(style.red("\(differing) differ")), the first of them:")
      lines += differences.map {
        "  frame \($0.frame): recorded \(Self.text(of: $0.recorded)), now \(Self.text(of: $0.replayed))"
      }
    }
    if let interruption = Self.text(of: end) { lines.append("  \(interruption)") }
    return lines
  }

  /// A sentence about a recording that has no end; `nil` if it has.
  static func text(of end: RecordingReader.End) -> String? {
    switch end {
    case .complete: nil
    case .truncated(bytes: 0): "the recording has no end: it was interrupted, or is still being written"
    case .truncated(let bytes):
      "the recording has no end: it was interrupted, and its last \(bytes == 1 ? "byte is" : "\(bytes) bytes are") not whole"
    }
  }

  /// A hash as 16 hexadecimal digits, because JSON numbers would round it.
  static func text(of hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension JSONOutput {
  /// The report for programs.
  init(_ report: ReplayReport) {
    self = [
      "file": .text(report.file), "frames": .count(report.frames), "time": .number(report.time),
      "hash": .text(ReplayReport.text(of: report.hash)),
      "identical": .flag(report.differing == 0 && (report.compared > 0 || report.frames == 0)),
      "differing": .count(report.differing),
      "differences": .list(
        report.differences.map {
          [
            "frame": .unsigned($0.frame), "recorded": .text(ReplayReport.text(of: $0.recorded)),
            "replayed": .text(ReplayReport.text(of: $0.replayed)),
          ]
        }), "complete": .flag(report.end == .complete),
      "truncatedBytes": .count(report.truncatedBytes), "compared": .count(report.compared),
    ]
  }
}

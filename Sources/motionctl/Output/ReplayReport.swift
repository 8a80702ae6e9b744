import MotionCore
import MotionModel

/// What came of a replay.
struct ReplayReport {
  /// So many differences are kept: after the first, the others mostly follow from it.
  static let mostDifferences = 8

  /// The recording.
  let file: String
  /// How many frames were run again.
  private(set) var frames = 0
  /// The simulated time of the last one, in seconds.
  private(set) var time = 0.0
  /// The hash of the last one, as it was recorded.
  private(set) var hash: UInt64 = 0
  /// How many came out differently.
  private(set) var differing = 0
  /// The first of them.
  private(set) var differences: [Replayer.Difference] = []
  /// How many bytes at the end belong to a frame that was not written whole.
  var truncatedBytes = 0

  /// A report of a recording of which nothing was run yet.
  init(file: String) {
    self.file = file
  }

  /// Takes a frame that was run again.
  mutating func take(_ recorded: RecordedFrame, _ difference: Replayer.Difference?) {
    frames += 1
    time = recorded.frame.time
    hash = recorded.hash
    guard let difference else { return }
    differing += 1
    if differences.count < Self.mostDifferences { differences.append(difference) }
  }

  /// The report for people.
  func lines(style: Style) -> [String] {
    let amount = "\(file): \(frames == 1 ? "1 frame" : "\(frames) frames"), \(NumberText.seconds(time))"
    var lines: [String] = []
    if differing == 0 {
      lines.append("\(amount): \(style.green("the same bits")), last hash \(Self.text(of: hash))")
    } else {
      lines.append("\(amount): \(style.red("\(differing) differ")), the first of them:")
      lines += differences.map {
        "  frame \($0.frame): recorded \(Self.text(of: $0.recorded)), now \(Self.text(of: $0.replayed))"
      }
    }
    if truncatedBytes > 0 { lines.append("  the last frame was not written whole; it was left out") }
    return lines
  }

  /// A hash as 16 hexadecimal digits: JSON's numbers would round it.
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
      "hash": .text(ReplayReport.text(of: report.hash)), "identical": .flag(report.differing == 0),
      "differing": .count(report.differing),
      "differences": .list(
        report.differences.map {
          [
            "frame": .unsigned($0.frame), "recorded": .text(ReplayReport.text(of: $0.recorded)),
            "replayed": .text(ReplayReport.text(of: $0.replayed)),
          ]
        }), "truncatedBytes": .count(report.truncatedBytes),
    ]
  }
}

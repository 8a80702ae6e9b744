import LinuxSystem

/// The last lines of a worker's log, and a rate limit for the lines that are passed on.
struct LogRing {
  /// Lines kept for a post-mortem.
  static let lines = 50
  /// Lines passed on in one second: a worker that prints more loses lines of its own, not of its neighbours.
  static let linesPerSecond = 100

  private(set) var last: [String] = []
  /// The total number of suppressed lines.
  private(set) var suppressedInAll: UInt64 = 0
  private var limit = ReportLimit(Self.linesPerSecond, per: .seconds(1))

  /// The last lines, at most 20 and of at most so many bytes in all.
  func tail(bytes limit: Int) -> [String] {
    var bytes = 0
    let lines = last.suffix(20).reversed().prefix { line in
      bytes += line.utf8.count
      return bytes <= limit
    }
    return lines.reversed()
  }

  /// Keeps a line.
  ///
  /// - Returns: the line, cleaned of control characters, if it is to be passed on.
  mutating func add(_ line: String, limit: Int, at now: Duration) -> String? {
    let clean = Self.clean(line, limit: limit)
    last.append(clean)
    if last.count > Self.lines { last.removeFirst() }
    guard let count = self.limit.report(at: now) else {
      suppressedInAll += 1
      return nil
    }
    return count == 1 ? clean : "(\(count - 1) lines left out) \(clean)"
  }

  /// When suppressed lines have to be reported, unless a line that is passed on reports them before.
  var nextDeadline: Duration? { limit.deadline }

  /// The report of suppressed lines, once it is due and no other line has reported them.
  mutating func deadline(at now: Duration) -> String? {
    limit.report(0, at: now).map { "(\($0) lines left out)" }
  }

  /// Makes control characters visible, so that a log line cannot steer a terminal, and cuts what is too long.
  static func clean(_ line: String, limit: Int) -> String {
    var clean = ""
    for scalar in line.unicodeScalars.prefix(limit) {
      if isControl(scalar.value) {
        clean += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        clean.unicodeScalars.append(scalar)
      }
    }
    return clean
  }

  /// Characters that control a terminal, end a line, or reverse the order of letters so that a line reads as another.
  private static func isControl(_ scalar: UInt32) -> Bool {
    scalar < 0x20 || (0x7F...0x9F).contains(scalar) || (0x2028...0x202E).contains(scalar)
      || (0x2066...0x2069).contains(scalar) || (0x200E...0x200F).contains(scalar)
  }
}

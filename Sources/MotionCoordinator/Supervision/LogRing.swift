/// The last lines of a worker's log, and a rate limit for the lines that are passed on.
struct LogRing {
  /// Lines kept for a post-mortem.
  static let lines = 50
  /// Lines passed on in one second: a worker that prints more loses lines of its own, not of its neighbours.
  static let linesPerSecond = 100

  private(set) var last: [String] = []
  /// The total number of suppressed lines.
  private(set) var suppressedInAll: UInt64 = 0
  /// Lines suppressed since the last line that was passed on.
  private(set) var suppressed = 0
  private var second = Duration.zero
  private var inSecond = 0

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
    if now - second >= .seconds(1) { (second, inSecond) = (now, 0) }
    inSecond += 1
    guard inSecond <= Self.linesPerSecond else {
      suppressed += 1
      suppressedInAll += 1
      return nil
    }
    guard suppressed > 0 else { return clean }
    defer { suppressed = 0 }
    return "(\(suppressed) lines left out) \(clean)"
  }

  /// When suppressed lines have to be reported, unless a line that is passed on reports them before.
  var nextDeadline: Duration? { suppressed > 0 ? second + .seconds(1) : nil }

  /// The report of suppressed lines, once it is due and no other line has reported them.
  mutating func deadline(at now: Duration) -> String? {
    guard let due = nextDeadline, now >= due else { return nil }
    defer { suppressed = 0 }
    return "(\(suppressed) lines left out)"
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

import Foundation

/// What is printed, with colours where they are wanted.
enum Terminal {
  static let hasColors =
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true

  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  static func act(_ number: Int, _ title: String) {
    say("")
    say(bold("\(number). \(title)"))
  }

  /// States a fact that was measured and what it had to be; fails if it was not.
  static func check(_ holds: Bool, _ fact: String) throws {
    say("   \(holds ? green("✔") : red("✘")) \(fact)")
    guard holds else { throw DemoFailure("not held: \(fact)") }
  }

  static func note(_ line: String) { say("   \(dim(line))") }

  static func bold(_ text: String) -> String { painted(text, 1) }
  static func dim(_ text: String) -> String { painted(text, 2) }
  static func red(_ text: String) -> String { painted(text, 31) }
  static func green(_ text: String) -> String { painted(text, 32) }

  private static func painted(_ text: String, _ code: Int) -> String {
    hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A curve as one line of eight levels; the scale is from the least to the greatest value.
  static func sparkline(_ values: [Double], width: Int = 64) -> String {
    let levels = Array("▁▂▃▄▅▆▇█")
    guard let low = values.min(), let high = values.max(), !values.isEmpty else { return "" }
    let count = min(width, values.count)
    return String(
      (0..<count).map { index in
        let value = values[index * values.count / count]
        let level = high > low ? (value - low) / (high - low) * 7 : 0
        return levels[Int(level.rounded())]
      })
  }
}

extension Double {
  /// The number with so many digits behind the point.
  func text(_ digits: Int = 3) -> String { String(format: "%.\(digits)f", self) }
}

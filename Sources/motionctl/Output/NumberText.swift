import CLinux
import Glibc
import MotionModel

/// Numbers for people: few digits, and a constant width, so that the columns of a live table do not shift.
enum NumberText {
  /// A number with `digits` digits after the point, `-0` written as `0`.
  static func fixed(_ number: Double, digits: Int) -> String {
    guard number.isFinite else { return "\(number)" }
    // Beyond this the digits after the point have no meaning, and neither do most before it.
    guard abs(number) < 1e12 else { return "\(number)" }
    let scale = pow(10, Double(digits))
    let scaled = (abs(number) * scale).rounded()
    let whole = UInt64(scaled / scale)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(UInt64(scaled))" }
    let fraction = String(UInt64(scaled) - whole * UInt64(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// The lanes of a value, each with `digits` digits after the point, separated by spaces.
  static func lanes(_ lanes: Lanes, digits: Int = 3) -> String {
    lanes.array.map { fixed($0, digits: digits) }.joined(separator: " ")
  }

  /// A short duration in seconds, to about three digits: `12.3 µs`, `4.56 ms`, `2.0 s`.
  static func brief(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1 else { return self.seconds(seconds) }
    let (number, unit) = seconds < 1e-3 ? (seconds * 1e6, "µs") : (seconds * 1e3, "ms")
    return "\(fixed(number, digits: number < 10 ? 2 : number < 100 ? 1 : 0)) \(unit)"
  }

  /// A duration in seconds, in a suitable unit: `12.3 s`, `4 min 05 s`, `3 h 12 min`.
  static func seconds(_ seconds: Double) -> String {
    // Beyond 30 million years minutes have no meaning, and much larger values do not fit into an integer of 64 bits.
    guard abs(seconds) >= 60, abs(seconds) < 1e15 else { return "\(fixed(seconds, digits: 1)) s" }
    let whole = Int64(seconds)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60) min \(two(whole % 60)) s" : "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }
}

import Glibc

/// Wall-clock times as text.
enum WallTimeText {
  /// A time in nanoseconds since 1970, in UTC and to the millisecond: `2026-11-22T13:14:15.678Z`.
  static func text(_ nanoseconds: Int64) -> String {
    var milliseconds = nanoseconds / 1_000_000
    if nanoseconds % 1_000_000 < 0 { milliseconds -= 1 }
    var seconds = time_t(milliseconds / 1000)
    var rest = milliseconds % 1000
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "\(nanoseconds) ns" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    let digits = String(rest)
    let padded = String(repeating: "0", count: 3 - digits.count) + digits
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) + ".\(padded)Z"
  }
}

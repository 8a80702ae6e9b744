/// A point in time as Open Sound Control encodes it: that of NTP (RFC 5905, section 6), in 64 bits.
struct OSCTimeTag: Hashable, Sendable {
  /// The seconds since the beginning of 1900, of which 32 bits are sent; they wrap around in 2036.
  let seconds: UInt32
  /// The part of a second, in units of 2⁻³² s.
  let fraction: UInt32

  /// The seconds from the beginning of 1900 to that of 1970: 70 years with 17 leap days.
  static let secondsBefore1970: Int64 = (70 * 365 + 17) * 86_400
  /// The tag that means: on arrival.
  static let immediate = OSCTimeTag(seconds: 0, fraction: 1)

  private init(seconds: UInt32, fraction: UInt32) {
    self.seconds = seconds
    self.fraction = fraction
  }

  /// A time in nanoseconds after the beginning of 1970, rounded down to 2⁻³² s.
  init(nanosecondsSince1970 time: Int64) {
    let (seconds, nanoseconds) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Before 1970 the remainder is negative, and belongs to the second before.
    let isBefore = nanoseconds < 0
    let part = UInt64(isBefore ? nanoseconds + 1_000_000_000 : nanoseconds)
    self.seconds = UInt32(truncatingIfNeeded: seconds + Self.secondsBefore1970 - (isBefore ? 1 : 0))
    fraction = UInt32(truncatingIfNeeded: (part << 32) / 1_000_000_000)
  }
}

/// A point in time, on two clocks.
struct OSCMoment: Hashable, Sendable {
  /// Seconds that never go back.
  var seconds: Double
  /// Nanoseconds since the beginning of 1970, of the calendar clock.
  var nanosecondsSince1970: Int64

  /// The point in time at `seconds`, which is near this one.
  func moved(to seconds: Double) -> OSCMoment {
    let nanoseconds = Int64(((seconds - self.seconds) * 1e9).rounded())
    return OSCMoment(seconds: seconds, nanosecondsSince1970: nanosecondsSince1970 + nanoseconds)
  }
}

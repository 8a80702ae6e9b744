/// A point in time as Open Sound Control says it: that of NTP (RFC 5905, section 6), in 64 bits.
struct OSCTimeTag: Hashable, Sendable {
  /// The seconds since the beginning of 1900, of which 32 bits are said; they begin anew in 2036.
  let seconds: UInt32
  /// The part of a second, in units of 2⁻³² s.
  let fraction: UInt32

  /// The seconds from the beginning of 1900 to that of 1970: 70 years with 17 leap days.
  static let secondsBefore1970: Int64 = (70 * 365 + 17) * 86_400

  /// The time that is so many seconds and nanoseconds after the beginning of 1970.
  ///
  /// - Parameter nanoseconds: below a thousand million.
  init(secondsSince1970: Int64, nanoseconds: UInt32) {
    seconds = UInt32(truncatingIfNeeded: secondsSince1970 &+ Self.secondsBefore1970)
    fraction = UInt32(truncatingIfNeeded: (UInt64(nanoseconds) << 32) / 1_000_000_000)
  }
}

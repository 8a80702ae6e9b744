/// Every bound of a journal, each with its reason.
public enum JournalLimits {
  /// Bytes of one row's body: the largest transaction that a client can send, 64 MiB, and what is said of it.
  public static let bodyBytes = 80 << 20
  /// Bytes of one checkpoint: what protobuf can say, less one, and room for eight million targets of 250 bytes each. More
  /// than that motiond cannot hold in memory anyway.
  public static let checkpointBytes = Int(Int32.max) - 1
  /// Bytes of an identity, a digest or an answer: a receipt that names 256 plugins is the longest of them.
  public static let identityBytes = 64 << 10
  /// Identities that are remembered, the oldest forgotten first.
  public static let identities = 100_000
  /// How long they are remembered, in nanoseconds between their row and the newest one: 24 hours.
  public static let identityNanoseconds: Int64 = 86_400 * 1_000_000_000

  /// Whether the identity of a row of this time is forgotten when the newest row has that time, by two clocks of which
  /// either may have been wrong.
  static func isTooOld(_ wallTime: Int64, at newest: Int64) -> Bool {
    let (age, isOverflow) = newest.subtractingReportingOverflow(wallTime)
    return !isOverflow && age > identityNanoseconds
  }
}

/// All limits of a journal, each with its reason.
public enum JournalLimits {
  /// Bytes of one row's body: the largest transaction that a client can send, 64 MiB, and its metadata.
  public static let bodyBytes = 80 << 20
  /// Bytes of one checkpoint: the limit of protobuf, less one. This has room for eight million targets of 250 bytes
  /// each; motiond cannot hold more in memory anyway.
  public static let checkpointBytes = Int(Int32.max) - 1
  /// Bytes of an identity, a digest or an answer: the longest is a receipt that names 256 plugins.
  public static let identityBytes = 64 << 10
  /// The number of identities that are kept. The oldest are removed first.
  public static let identities = 100_000
  /// How long an identity is kept: the difference between the wall times of its row and of the newest row, in
  /// nanoseconds: 24 hours.
  public static let identityNanoseconds: Int64 = 86_400 * 1_000_000_000

  /// Whether an identity of this wall time has expired when the newest row has the wall time `newest`. Either clock
  /// may have been wrong, so the difference may overflow.
  static func isTooOld(_ wallTime: Int64, at newest: Int64) -> Bool {
    let (age, isOverflow) = newest.subtractingReportingOverflow(wallTime)
    return !isOverflow && age > identityNanoseconds
  }
}

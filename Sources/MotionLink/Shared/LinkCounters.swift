/// The numbers of messages that a link did not use, by reason; for status and tests.
public struct LinkCounters: Hashable, Sendable {
  /// Messages of another epoch or incarnation, or after the end of the link.
  public var fenced: UInt64 = 0
  /// Messages that were received before, or that later ones made obsolete.
  public var old: UInt64 = 0
  /// Messages that are not valid in the state in which they came.
  public var unexpected: UInt64 = 0
  /// The number of times that a message turned out to be missing.
  public var gaps: UInt64 = 0
  /// Requests that were resent.
  public var retries: UInt64 = 0
  /// The number of times that this end itself was suspended, and therefore did not apply the other end's timeout.
  public var stalls: UInt64 = 0

  /// Ticks that newer ones replaced before the worker got to them.
  public var conflatedTicks: UInt64 = 0

  /// Nothing counted yet.
  public init() {}

  /// Adds what another link counted.
  public static func += (sum: inout LinkCounters, more: LinkCounters) {
    sum.fenced += more.fenced
    sum.old += more.old
    sum.unexpected += more.unexpected
    sum.gaps += more.gaps
    sum.retries += more.retries
    sum.stalls += more.stalls
    sum.conflatedTicks += more.conflatedTicks
  }
}

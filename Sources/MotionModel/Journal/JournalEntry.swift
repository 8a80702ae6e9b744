/// An event that must not be lost, in the form in which the journal stores it.
package struct JournalEntry: Hashable, Sendable {
  /// The last frame that had been run when the event was accepted. Transactions that waited for a time up to its end
  /// had been applied by then.
  package var frame: Frame
  /// The simulated time of the acceptance.
  package var time: Double
  /// The accepted event.
  package var event: Event
  /// The last transaction that had been applied by then, besides those whose time had come; 0 before the first. Later ones
  /// of earlier entries waited for the next frame. `nil` in rows of versions that did not store it.
  package var applied: UInt64?
  /// For a transaction: the provenance. `nil` in rows of versions that did not store it.
  package var provenance: Provenance?

  /// The kinds of events that a journal stores.
  package enum Event: Hashable, Sendable {
    /// A transaction was accepted: its place in the order of all transactions, and the client that committed it.
    case commit(sequence: UInt64, Commit, client: UInt64)
    /// A stop was requested for these targets, or for all targets if none is named.
    case stop(StopRequest)
    /// The transactions of these sequences are removed: they held only while their client was connected.
    case withdraw([UInt64])
    /// Simulated time was paused, resumed, or set to another speed.
    case clock(ClockCommand)
    /// In a row with an identity: the transaction of that identity was refused although its row had reached the disk,
    /// so it is ignored. In a row without an identity: the row records only the simulated time. Such a row is written
    /// when that time was reported to a client, or to test whether the disk accepts writes again. It also replaces a
    /// row that could not be read.
    case void
  }

  package init(
    _ event: Event, frame: Frame, time: Double, applied: UInt64? = nil, by provenance: Provenance? = nil
  ) {
    (self.event, self.frame, self.time, self.applied, self.provenance) = (event, frame, time, applied, provenance)
  }
}

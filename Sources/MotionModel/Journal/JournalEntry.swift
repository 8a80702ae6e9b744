/// Something that must not be lost, as the journal keeps it.
package struct JournalEntry: Hashable, Sendable {
  /// The last frame that had been run when it was accepted: what waited for a time up to its end was applied before.
  package var frame: Frame
  /// The simulated time that it was then.
  package var time: Double
  /// What was accepted.
  package var event: Event
  /// Of a transaction: who committed it; `nil` in rows of versions that did not keep that.
  package var provenance: Provenance?

  /// What a journal keeps.
  package enum Event: Hashable, Sendable {
    /// A transaction was accepted: its place in the order of all, and who committed it.
    case commit(sequence: UInt64, Commit, client: UInt64)
    /// Everything on these targets was stopped, or on all if there are none.
    case stop(StopRequest)
    /// What held while a client was connected is removed: the transactions of these sequences.
    case withdraw([UInt64])
    /// Time was made to stand, to run on, or to run at another speed.
    case clock(ClockCommand)
    /// A transaction of the row's identity was refused although its row had reached the disk: it counts for nothing. Or, in
    /// a row without an identity, nothing but what time it is: somebody was told it, or it is tried whether the disk writes
    /// again.
    case void
  }

  package init(_ event: Event, frame: Frame, time: Double, by provenance: Provenance? = nil) {
    (self.event, self.frame, self.time, self.provenance) = (event, frame, time, provenance)
  }
}

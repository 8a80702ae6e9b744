import Synchronization

/// The storage of a ``MemoryJournal``, with the faults that a test injects.
///
/// It outlives its journals, as a disk outlives a process. One journal at a time may be open on it. Its methods may be
/// called from any thread.
package final class MemoryDisk: Sendable {
  /// How a write fails.
  package enum Fault: Sendable, Hashable {
    /// The disk is full; nothing is written.
    case full
    /// The disk is not writable; nothing is written.
    case readOnly
    /// The sync fails, and the first `durable` rows of the group are on disk all the same: 0 loses everything that was
    /// not synced, all of them loses nothing. A checkpoint is on disk if the number is not 0.
    case broken(durable: Int)
  }

  struct State {
    var contents = JournalContents()
    /// The parts of the checkpoint.
    var parts: [UInt64: [UInt8]] = [:]
    var isOpen = false
    /// The number of times that a journal was opened on this disk.
    var openings = 0
    /// The number of writes that were started, including those that failed.
    var writes = 0
    /// The faults of single writes, by the number of the write.
    var faults: [Int: Fault] = [:]
    /// The fault of every write from now on.
    var lastingFault: Fault?
  }

  let state = Mutex(State())

  /// An empty disk.
  package init() {}

  /// Injects a fault into one write: 1 is the next append or checkpoint, 2 the one after it.
  package func fail(_ number: Int = 1, with fault: Fault) {
    state.withLock { $0.faults[$0.writes + number] = fault }
  }

  /// Injects a fault into every write, until it is called with `nil`.
  package func failAlways(with fault: Fault?) {
    state.withLock { $0.lastingFault = fault }
  }

  /// The contents of the disk.
  package var contents: JournalContents { state.withLock { $0.contents } }

  /// The parts of its checkpoint.
  package var parts: [UInt64: [UInt8]] { state.withLock { $0.parts } }

  /// The number of writes that were started.
  package var writes: Int { state.withLock { $0.writes } }

  /// The process that had a journal open has died; the next one may open it.
  package func abandon() {
    state.withLock { $0.isOpen = false }
  }
}

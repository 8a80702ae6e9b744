import Synchronization

/// Where a ``MemoryJournal`` keeps what is on disk, with the faults that a test wants of it.
///
/// It outlives the journals on it, as a disk outlives a process; one journal at a time may be open on it. Any thread may
/// order faults and look.
package final class MemoryDisk: Sendable {
  /// How a write fails.
  package enum Fault: Sendable, Hashable {
    /// There is no room; nothing is written.
    case full
    /// The disk cannot be written; nothing is.
    case readOnly
    /// The sync fails, and the first so many rows of the group happen to be on disk: none is a fault that loses what was
    /// not synced, all of them one that only seems to. A checkpoint is there if the number is not 0.
    case broken(durable: Int)
  }

  struct State {
    var contents = JournalContents()
    /// The parts of the checkpoint.
    var parts: [UInt64: [UInt8]] = [:]
    var isOpen = false
    /// How often a journal was opened here.
    var openings = 0
    /// Writes begun so far, those that failed counted too.
    var writes = 0
    /// Which write fails, and how.
    var faults: [Int: Fault] = [:]
    /// How every write fails from now on.
    var lastingFault: Fault?
  }

  let state = Mutex(State())

  /// An empty disk.
  package init() {}

  /// Lets a write fail: 1 is the next append or checkpoint, 2 the one after it.
  package func fail(_ number: Int = 1, with fault: Fault) {
    state.withLock { $0.faults[$0.writes + number] = fault }
  }

  /// Lets every write fail until `nil` is given, which heals the disk.
  package func failAlways(with fault: Fault?) {
    state.withLock { $0.lastingFault = fault }
  }

  /// What is on disk now.
  package var contents: JournalContents { state.withLock { $0.contents } }

  /// The parts of its checkpoint.
  package var parts: [UInt64: [UInt8]] { state.withLock { $0.parts } }

  /// Writes begun so far.
  package var writes: Int { state.withLock { $0.writes } }

  /// The process that had a journal open has died: the next one may open it.
  package func abandon() {
    state.withLock { $0.isOpen = false }
  }
}

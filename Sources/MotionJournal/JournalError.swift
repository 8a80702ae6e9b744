/// Why a journal cannot do what was asked: where, what, and what to do about it.
package struct JournalError: Error, Hashable, Sendable {
  /// What went wrong, for programs. More may come.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The word.
    package let description: String

    /// The disk, or the quota, is full. Nothing was written; it may go better later, with the same journal.
    package static let full = Code(description: "full")
    /// The disk or the file cannot be written. Nothing was written.
    package static let readOnly = Code(description: "read-only")
    /// A row or a checkpoint is larger than ``JournalLimits`` allows. Nothing was written.
    package static let tooLarge = Code(description: "too-large")
    /// The disk failed, so that nobody can know what is on it: close the journal, and open it again.
    package static let broken = Code(description: "broken")
    /// The journal was closed.
    package static let closed = Code(description: "closed")

    /// Another process, or another part of this one, has the journal open.
    package static let locked = Code(description: "locked")
    /// There is no journal, and none was to be made.
    package static let missing = Code(description: "missing")
    /// The directory or a file in it cannot be opened: its owner, its mode, or the disk.
    package static let inaccessible = Code(description: "inaccessible")
    /// A newer motiond wrote it.
    package static let newer = Code(description: "newer")
    /// Something in it is not as it was written, or what was written is not in it any more.
    package static let damaged = Code(description: "damaged")
  }

  /// What went wrong, for programs.
  package var code: Code
  /// Where: the file, and the row or checkpoint if it is about one.
  package var place: String
  /// What went wrong, for people.
  package var cause: String
  /// What to do about it, in one sentence without a full stop.
  package var remedy: String

  /// An error.
  package init(_ code: Code, at place: String, _ cause: String, remedy: String) {
    self.code = code
    self.place = place
    self.cause = cause
    self.remedy = remedy
  }
}

extension JournalError: CustomStringConvertible {
  /// Place, cause and remedy.
  package var description: String { "\(place): \(cause). \(remedy)." }
}

/// Why a journal cannot do what was asked: where, what, and what to do about it.
public struct JournalError: Error, Hashable, Sendable {
  /// What went wrong, for programs. More may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let description: String

    /// The disk, or the quota, is full. Nothing was written; it may go better later, with the same journal.
    public static let full = Code(description: "full")
    /// The disk or the file cannot be written. Nothing was written.
    public static let readOnly = Code(description: "read-only")
    /// A row or a checkpoint is larger than ``JournalLimits`` allows. Nothing was written.
    public static let tooLarge = Code(description: "too-large")
    /// A checkpoint that was stored could not be read again, or says what no runtime can be. It was rolled back.
    public static let unreadable = Code(description: "unreadable")
    /// The disk failed, so that nobody can know what is on it: close the journal, and open it again.
    public static let broken = Code(description: "broken")
    /// The journal was closed.
    public static let closed = Code(description: "closed")

    /// Another process, or another part of this one, has the journal open.
    public static let locked = Code(description: "locked")
    /// There is no journal, and none was to be made.
    public static let missing = Code(description: "missing")
    /// The directory or a file in it cannot be opened: its owner, its mode, or the disk.
    public static let inaccessible = Code(description: "inaccessible")
    /// An older motiond wrote it, and it was only to be looked at: a start brings it up to date.
    public static let older = Code(description: "older")
    /// A newer motiond wrote it.
    public static let newer = Code(description: "newer")
    /// Something in it is not as it was written, or what was written is not in it any more.
    public static let damaged = Code(description: "damaged")
  }

  /// What went wrong, for programs.
  public var code: Code
  /// Where: the file, and the row or checkpoint if it is about one.
  public var place: String
  /// What went wrong, for people.
  public var cause: String
  /// What to do about it, in one sentence without a full stop.
  public var remedy: String

  /// An error.
  public init(_ code: Code, at place: String, _ cause: String, remedy: String) {
    self.code = code
    self.place = place
    self.cause = cause
    self.remedy = remedy
  }
}

extension JournalError: CustomStringConvertible {
  /// Place, cause and remedy.
  public var description: String { "\(place): \(cause). \(remedy)." }
}

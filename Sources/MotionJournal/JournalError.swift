/// A failure of a journal: its place, its cause and its remedy.
public struct JournalError: Error, Hashable, Sendable {
  /// The kind of failure, for programs. Versions to come may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code as text.
    public let description: String

    /// The disk or the quota is full. Nothing was written; a retry with the same journal may succeed.
    public static let full = Code(description: "full")
    /// The disk or the file is not writable. Nothing was written.
    public static let readOnly = Code(description: "read-only")
    /// A row or a checkpoint is larger than ``JournalLimits`` allows. Nothing was written.
    public static let tooLarge = Code(description: "too-large")
    /// A stored checkpoint could not be decoded, or describes an impossible runtime. It was rolled back.
    public static let unreadable = Code(description: "unreadable")
    /// The disk failed, so its contents are unknown: close the journal and open it again.
    public static let broken = Code(description: "broken")
    /// The journal was closed.
    public static let closed = Code(description: "closed")

    /// Another process, or another part of this one, has the journal open.
    public static let locked = Code(description: "locked")
    /// There is no journal, and the caller did not ask to create one.
    public static let missing = Code(description: "missing")
    /// The directory or a file in it cannot be opened, because of its owner, its mode or the disk.
    public static let inaccessible = Code(description: "inaccessible")
    /// An older motiond wrote it, and the caller only reads it. A start migrates it.
    public static let older = Code(description: "older")
    /// A newer motiond wrote it.
    public static let newer = Code(description: "newer")
    /// A part of it is not as it was written, or acknowledged data is missing.
    public static let damaged = Code(description: "damaged")
  }

  /// The kind of failure, for programs.
  public var code: Code
  /// The file, and the row or checkpoint if the failure concerns one.
  public var place: String
  /// The cause, for people.
  public var cause: String
  /// The remedy, in one sentence without a full stop.
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

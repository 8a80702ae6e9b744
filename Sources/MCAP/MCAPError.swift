/// The reason why a file cannot be read as MCAP, the place, and the remedy.
public struct MCAPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the reason.
  public enum Kind: Hashable, Sendable {
    /// The file does not begin with the magic bytes of MCAP.
    case notMCAP
    /// The file is of another major version.
    case version
    /// The bytes violate the specification.
    case malformed
    /// The bytes differ from those that were written, by their checksum.
    case checksum
    /// A record exceeds a limit of the reader.
    case tooLarge
    /// A chunk is compressed, which this reader does not support.
    case compressed
  }

  /// The kind of the reason.
  public let kind: Kind
  /// The offset in the file of the record concerned, in bytes.
  public let offset: UInt64
  /// The reason in a sentence.
  public let reason: String
  /// The advice to the owner of the file.
  public let remedy: String

  init(_ kind: Kind, at offset: UInt64, _ reason: String, remedy: String = Self.damaged) {
    (self.kind, self.offset, self.reason, self.remedy) = (kind, offset, reason, remedy)
  }

  /// The remedy for bytes that no writer makes.
  static let damaged = "The file is intact up to here: use an undamaged copy for the rest"

  /// Place, reason and remedy.
  public var description: String { "byte \(offset): \(reason). \(remedy)" }
}

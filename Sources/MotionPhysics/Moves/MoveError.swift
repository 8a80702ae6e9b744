/// The reason why a move cannot be planned, and the remedy.
public struct MoveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error; further kinds may follow.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as it appears in logs.
    public let rawValue: String

    /// Creates a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A state or a target that is not finite.
    public static let notFinite = Code(rawValue: "move.notFinite")

    /// A limit that is not positive.
    public static let invalidLimit = Code(rawValue: "move.invalidLimit")

    /// A final velocity above the limit.
    public static let targetAboveLimit = Code(rawValue: "move.targetAboveLimit")

    /// A duration that no move under the limits has.
    public static let impossibleDuration = Code(rawValue: "move.impossibleDuration")

    /// Times or distances beyond the range of Double.
    public static let notRepresentable = Code(rawValue: "move.notRepresentable")
  }

  /// The kind of error.
  public let code: Code

  /// The cause and the remedy.
  public let description: String
}

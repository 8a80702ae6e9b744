public import MotionModel

/// What is wrong with bytes that ought to be a message: where, why, and what would be right.
public struct WireError: Error, Hashable, Sendable {
  /// The kind of mistake, for programs.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The word for it.
    public let rawValue: String

    /// The code that is written so.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// The bytes are no protobuf message of the kind.
    public static let malformed = Code(rawValue: "malformed")
    /// The message is of a version that is not spoken here.
    public static let version = Code(rawValue: "version")
    /// The message has more bytes than are accepted.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A name breaks the rule of its kind.
    public static let name = Code(rawValue: "name")
    /// A number is not finite or out of range, arrays do not fit together, a word is not known.
    public static let value = Code(rawValue: "value")
    /// A list or a text is longer than is accepted.
    public static let limit = Code(rawValue: "limit")
    /// The envelope holds nothing, or something that only a newer version knows.
    public static let unknownBody = Code(rawValue: "unknown-body")
    /// Something that has to be there is not.
    public static let missing = Code(rawValue: "missing")
  }

  /// The kind of mistake.
  public var code: Code
  /// The path to the offending field, as in `commit.operations[3].add.to`; empty when it is the message as a whole.
  public var field: String
  /// The index of the offending operation of a commit, from 0.
  public var operation: Int?
  /// The field of the operation's intention that is wrong, if it is one: `destination`, as files and refusals call it.
  public var intentionField: String?
  /// What is wrong, for people, in one sentence.
  public var message: String
  /// What would be right, in one sentence; may be empty.
  public var remedy: String

  /// Says what is wrong at `field`.
  public init(_ code: Code, field: String = "", operation: Int? = nil, _ message: String, remedy: String = "") {
    self.code = code
    self.field = field
    self.operation = operation
    self.message = message
    self.remedy = remedy
  }

  /// The same mistake as an answer to a request.
  public var refusal: Refusal {
    let refusalCode: Refusal.Code =
      switch code {
      case .version: .version
      case .tooLarge, .limit: .limit
      case .name: .name
      case .value: .value
      default: .malformed
      }
    // Of an operation, the name of the field tells people more than its place in the message.
    let place = operation == nil ? field : intentionField ?? field
    return Refusal(refusalCode, operation: operation, field: place.isEmpty ? nil : place, message, remedy: remedy)
  }
}

extension WireError: CustomStringConvertible {
  /// `commit.operations[3].add.to: "a b" is not a target name: use …`
  public var description: String {
    let sentence = field.isEmpty ? message : "\(field): \(message)"
    return remedy.isEmpty ? sentence : "\(sentence). \(remedy)"
  }
}

extension WireError {
  /// The same mistake, seen from one message further out.
  func within(_ field: String) -> WireError {
    var error = self
    if error.field.isEmpty {
      error.field = field
    } else {
      error.field = "\(field).\(error.field)"
    }
    return error
  }

  /// A list or text that is too long.
  static func limit(_ field: String, _ count: Int, atMost limit: Int, of noun: String) -> WireError {
    WireError(.limit, field: field, "\(count) \(noun) are more than \(limit)", remedy: "Send at most \(limit)")
  }

  /// A word of an enumeration that is not known here, or not said at all.
  static func unknown(_ number: Int) -> WireError {
    number == 0
      ? WireError(.missing, "it does not say which", remedy: "Set one of the values of the enum in motion.proto")
      : WireError(.value, "\(number) is not known", remedy: "Use one of the values of the enum in motion.proto")
  }

  /// A part of a message that has to be there.
  static func missing(_ field: String) -> WireError {
    WireError(.missing, field: field, "it has to be there", remedy: "Set it; see motion.proto")
  }

  /// A choice in which nothing known is chosen.
  static func nothingChosen(_ field: String) -> WireError {
    WireError(.missing, field: field, "none of its members is set", remedy: "Set one that motion.proto knows")
  }
}

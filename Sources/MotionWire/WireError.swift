public import MotionModel

/// The reason why bytes are not a valid message: the place, the cause and the remedy.
public struct WireError: Error, Hashable, Sendable {
  /// The kind of error, for programs.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The text of the code.
    public let rawValue: String

    /// Creates the code with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text of the code.
    public var description: String { rawValue }

    /// The bytes are not a protobuf message of the expected kind.
    public static let malformed = Code(rawValue: "malformed")
    /// The message has a version that is not supported here.
    public static let version = Code(rawValue: "version")
    /// The message has more bytes than are accepted.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A name breaks the rule of its kind.
    public static let name = Code(rawValue: "name")
    /// A number is not finite or out of range, arrays do not fit together, or an enum value is unknown.
    public static let value = Code(rawValue: "value")
    /// A list or a text is longer than is accepted.
    public static let limit = Code(rawValue: "limit")
    /// The envelope has no body, or one that only a newer version defines.
    public static let unknownBody = Code(rawValue: "unknown-body")
    /// A required part is absent.
    public static let missing = Code(rawValue: "missing")
  }

  /// The kind of error.
  public var code: Code
  /// The path to the offending field, as in `commit.operations[3].add.to`; empty for the message as a whole.
  public var field: String
  /// The index of the offending operation of a commit, from 0.
  public var operation: Int?
  /// The offending field of the operation's intention, if the error is in one: `destination`, the name that files and
  /// refusals use.
  public var intentionField: String?
  /// The error, for people, in one sentence.
  public var message: String
  /// The remedy, in one sentence; may be empty.
  public var remedy: String

  /// Creates an error at `field`.
  public init(_ code: Code, field: String = "", operation: Int? = nil, _ message: String, remedy: String = "") {
    self.code = code
    self.field = field
    self.operation = operation
    self.message = message
    self.remedy = remedy
  }

  /// The same error as an answer to a request.
  public var refusal: Refusal {
    let refusalCode: Refusal.Code =
      switch code {
      case .version: .version
      case .tooLarge, .limit: .limit
      case .name: .name
      case .value: .value
      default: .malformed
      }
    // For an operation, the name of the field is more useful to people than its place in the message.
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
  /// The same error, with its path relative to the enclosing message.
  func within(_ field: String) -> WireError {
    var error = self
    if error.field.isEmpty {
      error.field = field
    } else {
      error.field = "\(field).\(error.field)"
    }
    return error
  }

  /// The error for a list or text that is too long.
  static func limit(_ field: String, _ count: Int, atMost limit: Int, of noun: String) -> WireError {
    WireError(.limit, field: field, "\(count) \(noun) are more than \(limit)", remedy: "Send at most \(limit)")
  }

  /// The error for an enum value that is unknown here, or not set.
  static func unknown(_ number: Int) -> WireError {
    number == 0
      ? WireError(.missing, "it is not set", remedy: "Set one of the values of the enum in motion.proto")
      : WireError(.value, "\(number) is not known", remedy: "Use one of the values of the enum in motion.proto")
  }

  /// The error for an absent part of a message that is required.
  static func missing(_ field: String) -> WireError {
    WireError(.missing, field: field, "it is required", remedy: "Set it; see motion.proto")
  }

  /// The error for a choice (oneof) in which no known member is set.
  static func nothingChosen(_ field: String) -> WireError {
    WireError(.missing, field: field, "none of its members is set", remedy: "Set one of those in motion.proto")
  }
}

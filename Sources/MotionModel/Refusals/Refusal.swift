/// The reason for a refusal. A refused request had no effect.
public struct Refusal: Error, Hashable, Sendable {
  /// The kind of problem, for programs. Unknown codes of a newer peer are preserved.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The code's text on the wire.
    public let rawValue: String

    /// Creates the code with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text on the wire.
    public var description: String { rawValue }

    /// The bytes are not a message of this protocol.
    public static let malformed = Code(rawValue: "malformed")
    /// No common protocol version.
    public static let version = Code(rawValue: "version")
    /// No such type of intention.
    public static let unknownType = Code(rawValue: "unknown-type")
    /// No such field of that type.
    public static let unknownField = Code(rawValue: "unknown-field")
    /// A required field is missing, or fields exclude each other.
    public static let fields = Code(rawValue: "fields")
    /// A value of the wrong shape, out of range, or not finite.
    public static let value = Code(rawValue: "value")
    /// A name that breaks its rule.
    public static let name = Code(rawValue: "name")
    /// A value with another number of lanes than the property has.
    public static let lanes = Code(rawValue: "lanes")
    /// The executor does not take named intentions.
    public static let unnamedOnly = Code(rawValue: "unnamed-only")
    /// The plugin is quarantined.
    public static let quarantined = Code(rawValue: "quarantined")
    /// A bound of ``Limits`` is exceeded.
    public static let limit = Code(rawValue: "limit")
    /// The id was committed before with another body.
    public static let idReused = Code(rawValue: "id-reused")
    /// No such target, property, plugin or type.
    public static let notFound = Code(rawValue: "not-found")
    /// The daemon is stopping.
    public static let stopping = Code(rawValue: "stopping")
    /// Storage failed; motion continues, commits are refused.
    public static let storage = Code(rawValue: "storage")
    /// Motion is held, and transactions are refused meanwhile.
    public static let held = Code(rawValue: "held")
  }

  /// The kind of problem, for programs.
  public var code: Code
  /// The index of the offending operation, from 0.
  public var operation: Int?
  /// The offending field.
  public var field: String?
  /// The problem, for people, in one sentence.
  public var message: String
  /// The remedy, in one sentence.
  public var remedy: String

  /// Creates a refusal with its place, cause and remedy.
  public init(_ code: Code, operation: Int? = nil, field: String? = nil, _ message: String, remedy: String = "") {
    self.code = code
    self.operation = operation
    self.field = field
    self.message = message
    self.remedy = remedy
  }
}

extension Refusal: CustomStringConvertible {
  /// `operation 3, field "duration": … Use …`
  public var description: String {
    var place = operation.map { "operation \($0)" } ?? ""
    if let field { place += (place.isEmpty ? "" : ", ") + "field \"\(field)\"" }
    let sentence = place.isEmpty ? message : "\(place): \(message)"
    return remedy.isEmpty ? sentence : "\(sentence). \(remedy)"
  }
}

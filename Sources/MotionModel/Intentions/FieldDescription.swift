/// A field of an intention: the values that it may hold, and their meaning.
public struct FieldDescription: Hashable, Sendable {
  /// The access that the plan has to the property that a property field names.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    /// The executor reads the property.
    case reads
    /// The executor writes the property.
    case writes
    /// Neither: the plan only names the property, for plans that it emits.
    case names
  }

  /// The field's name.
  public var name: String
  /// The shapes it accepts, the usual one first.
  public var accepts: [FieldShape]
  /// Whether a plan without it is refused.
  public var isRequired: Bool
  /// The value that applies when the field is absent and not required; `nil` when its absence has a meaning of its own.
  public var defaultValue: FieldValue?
  /// The bounds of a number, of each lane, or of a duration in seconds.
  public var range: ClosedRange<Double>?
  /// Whether the lower bound itself is outside: a mass is above 0.
  public var excludesLowerBound: Bool
  /// The unit of a number, for people.
  public var unit: String
  /// The texts that a choice may be.
  public var choices: [String]
  /// The shape of the elements of a list.
  public var elements: [FieldShape]
  /// The access to the property that the field names.
  public var access: Access?
  /// The property field whose lanes the value (or each element of a list) must have.
  public var lanesOf: String?
  /// The field's meaning, in a sentence.
  public var documentation: String

  /// Creates a field description.
  public init(
    _ name: String, _ accepts: FieldShape..., required isRequired: Bool = false,
    default defaultValue: FieldValue? = nil,
    range: ClosedRange<Double>? = nil, excludesLowerBound: Bool = false, unit: String = "", choices: [String] = [],
    elements: [FieldShape] = [], access: Access? = nil, lanesOf: String? = nil, _ documentation: String
  ) {
    self.name = name
    self.accepts = accepts
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.range = range
    self.excludesLowerBound = excludesLowerBound
    self.unit = unit
    self.choices = choices
    self.elements = elements
    self.access = access
    self.lanesOf = lanesOf
    self.documentation = documentation
  }

  /// Creates an optional field of one shape without further restrictions.
  public init(_ name: String, _ shape: FieldShape, _ documentation: String) {
    self.init(name, shape, required: false, documentation)
  }
}

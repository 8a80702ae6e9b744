/// The value of a field of an intention.
public enum FieldValue: Hashable, Sendable {
  /// A number; its unit is in the field's description.
  case number(Double)
  /// Two to four lanes; one lane is a ``number(_:)``.
  ///
  /// Stored indirectly, so that other fields, which are far more frequent, do not take its 40 bytes.
  indirect case vector(Lanes)
  /// Any text.
  case text(String)
  /// True or false.
  case flag(Bool)
  /// A duration.
  case duration(Duration)
  /// A property of the intention's own target.
  case property(PropertyName)
  /// One of the texts that the field's description lists.
  case choice(String)
  /// Several values, in order.
  case list([FieldValue])
  /// A property of any target; stored indirectly, like a vector.
  indirect case reference(PropertyReference)

  /// The shape of the value.
  public var shape: FieldShape {
    switch self {
    case .number: .number
    case .vector: .vector
    case .text: .text
    case .flag: .flag
    case .duration: .duration
    case .property: .property
    case .choice: .choice
    case .list: .list
    case .reference: .reference
    }
  }

  /// The lanes of a number or a vector, `nil` for other values.
  public var lanes: Lanes? {
    switch self {
    case .number(let number): Lanes(number)
    case .vector(let lanes): lanes
    default: nil
    }
  }

  /// Creates a value from `lanes`: a number for one lane, a vector for more.
  public init(_ lanes: Lanes) {
    self = lanes.count == 1 ? .number(lanes[0]) : .vector(lanes)
  }
}

/// The shapes that a field's value can have.
public enum FieldShape: String, Hashable, Sendable, CaseIterable {
  /// A finite number.
  case number
  /// Two to four finite numbers.
  case vector
  /// A text.
  case text
  /// True or false.
  case flag
  /// A duration.
  case duration
  /// The name of a property of the target.
  case property
  /// One of a fixed set of texts; called "enum" where types are described.
  case choice = "enum"
  /// A list of values.
  case list
  /// A property of another target.
  case reference
}

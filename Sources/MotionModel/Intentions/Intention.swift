/// A plan: a declaration of motion, which an executor fulfils.
///
/// One shape for all, built in and of plugins: the name of a type and named fields. It is a value: adding it to a
/// transaction copies it. The typed forms (``SpringToIntention``, …) make intentions and read them; write
/// `.springTo("position", [100, 50])` where one is added.
public struct Intention: Hashable, Sendable {
  /// Which plan it is.
  public var type: IntentionType
  /// The fields that were given, in the order given; no name twice. What is absent has the description's default.
  public private(set) var fields: [Field]

  /// A named value of an intention.
  public struct Field: Hashable, Sendable {
    /// The field's name, from the type's description.
    public let name: String
    /// What it holds.
    public var value: FieldValue

    /// Pairs a name with a value.
    public init(_ name: String, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  /// A plan of `type` with `fields`; of a name given twice the last counts.
  public init(_ type: IntentionType, _ fields: [Field] = []) {
    self.type = type
    self.fields = []
    self.fields.reserveCapacity(fields.count)
    for field in fields { self[field.name] = field.value }
  }

  /// The value of the field `name`; setting `nil` takes the field away. Linear in the number of fields, which is small.
  public subscript(name: String) -> FieldValue? {
    get { fields.first { $0.name == name }?.value }
    set {
      let index = fields.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append(Field(name, value))
      case (nil, nil): break
      }
    }
  }
}

/// Something that can be added to a transaction: an ``Intention`` or one of its typed forms.
public protocol IntentionConvertible {
  /// The plan in the one shape that the runtime knows.
  var intention: Intention { get }
}

extension Intention: IntentionConvertible {
  /// The plan itself.
  public var intention: Intention { self }
}

extension Intention {
  /// A field that no description has, so that a commit of it is refused.
  private static let unreadableField = "(unreadable)"

  /// What a start puts in the place of a plan that cannot be read, so that it is reported as failed.
  package static func unreadable(_ type: IntentionType, _ reason: String) -> Intention {
    Intention(type, [Field(unreadableField, .text(reason))])
  }

  /// Why the plan cannot be read, if it stands for one that cannot.
  package var reasonUnreadable: String? {
    guard let field = fields.first, field.name == Self.unreadableField, case .text(let reason) = field.value else {
      return nil
    }
    return reason
  }
}

/// A plan: a declaration of motion, which an executor fulfils.
///
/// All plans, built in and of plugins, have one form: the name of a type and named fields. It is a value: adding it to
/// a transaction copies it. The typed forms (``SpringToIntention``, …) create intentions and read them; write
/// `.springTo("position", [100, 50])` where one is added.
public struct Intention: Hashable, Sendable {
  /// The plan's type.
  public var type: IntentionType
  /// The fields that were given, in the order given; no name twice. An absent field has the description's default.
  public private(set) var fields: [Field]
  /// Its rank where plans compete for a property, within ``Limits/priority``: the highest drives. 0 unless stated.
  public var priority: Int32 = 0
  /// How many simulated seconds after the frame that applies it the plan begins: until then, what moves its properties
  /// goes on. 0 unless stated; at most ``Limits/durationSeconds``.
  public var after: Double = 0

  /// A named value of an intention.
  public struct Field: Hashable, Sendable {
    /// The field's name, from the type's description.
    public let name: String
    /// The field's value.
    public var value: FieldValue

    /// Creates a field from a name and a value.
    public init(_ name: String, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a plan of `type` with `fields`; of a name given twice the last counts.
  public init(_ type: IntentionType, _ fields: [Field] = [], priority: Int32 = 0, after: Double = 0) {
    self.type = type
    self.priority = priority
    self.after = after
    self.fields = []
    self.fields.reserveCapacity(fields.count)
    for field in fields { self[field.name] = field.value }
  }

  /// The value of the field `name`; setting `nil` removes the field. Linear in the number of fields, which is small.
  public subscript(name: String) -> FieldValue? {
    get {
      // By index, because a search of the elements would copy each.
      for index in fields.indices where fields[index].name == name { return fields[index].value }
      return nil
    }
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

/// A type that can be added to a transaction: an ``Intention`` or one of its typed forms.
public protocol IntentionConvertible {
  /// The plan in the runtime's generic form.
  var intention: Intention { get }
}

extension Intention: IntentionConvertible {
  /// The plan itself.
  public var intention: Intention { self }
}

extension IntentionConvertible {
  /// The plan with this priority.
  public func priority(_ priority: Int32) -> Intention {
    var intention = intention
    intention.priority = priority
    return intention
  }

  /// The plan, which begins so many simulated seconds after the frame that applies it.
  public func after(_ seconds: Double) -> Intention {
    var intention = intention
    intention.after = seconds
    return intention
  }
}

extension Intention {
  /// The member of a file, and the field of a refusal, that holds the priority.
  package static let priorityField = "priority"
  /// The member of a file, and the field of a refusal, that states how long after its frame a plan begins.
  package static let afterField = "after"
  /// What every plan may have beside the fields of its type. No type has fields of these names.
  package static let commonFields = [priorityField, afterField]

  /// The members of a file that state what the plan has beside the fields of its type.
  package var commonMembers: [(key: String, value: Double)] {
    (priority == 0 ? [] : [(Self.priorityField, Double(priority))]) + (after == 0 ? [] : [(Self.afterField, after)])
  }

  /// Rejects a priority or a delay beyond its bounds.
  package func checkCommonFields() throws(Refusal) {
    guard Limits.priority.contains(priority) else {
      throw Refusal(
        .value, field: Self.priorityField, "the priority is \(priority)",
        remedy: "Give a whole number from \(Limits.priority.lowerBound) to \(Limits.priority.upperBound).")
    }
    guard after == 0 || (0...Limits.durationSeconds).contains(after) else {
      throw Refusal(
        .value, field: Self.afterField, "\(after) s is no delay",
        remedy: "Give 0 to \(Limits.durationSeconds) seconds.")
    }
  }

  /// A field that no description has, so that a commit with it is refused.
  private static let unreadableField = "(unreadable)"

  /// Returns the replacement that a start uses for a plan that cannot be read, so that the plan is reported as failed.
  package static func unreadable(_ type: IntentionType, _ reason: String) -> Intention {
    Intention(type, [Field(unreadableField, .text(reason))])
  }

  /// The reason why the plan could not be read, if it is such a replacement.
  package var reasonUnreadable: String? {
    guard let field = fields.first, field.name == Self.unreadableField, case .text(let reason) = field.value else {
      return nil
    }
    return reason
  }
}

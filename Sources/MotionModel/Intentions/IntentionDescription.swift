/// The lifetime of a plan, and the times at which it may act.
public enum IntentionKind: String, Hashable, Sendable, CaseIterable {
  /// Holds until it is removed: a spring that keeps pulling.
  case standing
  /// Ends by itself: retired when finished or displaced, and reported as finished with its outcome.
  case oneShot = "one-shot"
  /// May act whenever a hand does: holds until removed, drives only while active.
  case manipulation
  /// Reports property values to an external receiver: holds until removed, and writes no property. A stop leaves it.
  case output
}

/// The definition of a type of intention: its kind, the executor that fulfils it, and its fields.
///
/// Built-in types are described in Swift, all others in the manifest of a plugin. Validation, `describe`, completion
/// and documentation are derived from it.
public struct IntentionDescription: Hashable, Sendable {
  /// The type's name.
  public var type: IntentionType
  /// The lifetime of plans of this type; see ``kind(of:)``.
  public var kind: IntentionKind
  /// The type of executor that fulfils it.
  public var executor: ExecutorType
  /// Its fields, in the order in which they are explained.
  public var fields: [FieldDescription]
  /// Properties it writes that no field names (squash and stretch writes `scale` and `rotation`).
  public var writes: [PropertyName]
  /// Properties it reads that no field names.
  public var reads: [PropertyName]
  /// Names of fields of which at most one may be given: `to` or `values`.
  public var exclusive: [[String]]
  /// Names of fields of which at least one must be given.
  public var requiresOneOf: [[String]]
  /// Whether its plans reach outside the machine: they send to other hosts, or drive something other than the watched
  /// properties. A plan of a type without this flag emits no plan of a type with it. A client that may not use such
  /// types therefore cannot use them indirectly.
  public var reachesOutside: Bool
  /// The effect of the type, in a sentence or two.
  public var documentation: String

  /// Creates a description of a type of intention.
  public init(
    type: IntentionType, kind: IntentionKind, executor: ExecutorType, fields: [FieldDescription],
    writes: [PropertyName] = [], reads: [PropertyName] = [], exclusive: [[String]] = [],
    requiresOneOf: [[String]] = [], reachesOutside: Bool = false, documentation: String
  ) {
    self.type = type
    self.kind = kind
    self.executor = executor
    self.fields = fields
    self.writes = writes
    self.reads = reads
    self.exclusive = exclusive
    self.requiresOneOf = requiresOneOf
    self.reachesOutside = reachesOutside
    self.documentation = documentation
  }

  /// The description of the field `name`, or `nil`.
  public func field(_ name: String) -> FieldDescription? { fields.first { $0.name == name } }

  /// Field names that stand for each other where a type has only one of them: every movement has an end.
  private static let synonyms = ["to": "destination", "destination": "to"]

  /// The description of the field that files and commands mean by `name`: the field of that name, or `to` for
  /// `destination` and `destination` for `to` where the type has no field of that name.
  public func field(meantBy name: String) -> FieldDescription? {
    field(name) ?? Self.synonyms[name].flatMap { field($0) }
  }

  /// Returns the lifetime of a plan of this type: a one-shot that is to repeat itself `forever` is standing.
  public func kind(of intention: Intention) -> IntentionKind {
    kind == .oneShot && intention["repeat"] == .choice("forever") ? .standing : kind
  }

  /// Returns the value of the field `name` in `intention`, or the described default.
  public func value(of name: String, in intention: Intention) -> FieldValue? {
    if let given = intention[name] { return given }
    // By index, because a search of the elements would copy each description with all its references.
    for index in fields.indices where fields[index].name == name { return fields[index].defaultValue }
    return nil
  }

  /// Returns the properties of its own target that `intention` writes, without repeats.
  public func propertiesWritten(by intention: Intention) -> [PropertyName] {
    properties(of: intention, access: .writes, fixed: writes)
  }

  /// Returns the properties of its own target that `intention` reads, without repeats.
  public func propertiesRead(by intention: Intention) -> [PropertyName] {
    properties(of: intention, access: .reads, fixed: reads)
  }

  private func properties(
    of intention: Intention, access: FieldDescription.Access, fixed: [PropertyName]
  ) -> [PropertyName] {
    var names = fixed
    for index in fields.indices where fields[index].access == access {
      if case .property(let name)? = value(of: fields[index].name, in: intention), !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }
}

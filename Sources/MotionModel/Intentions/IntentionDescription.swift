/// How long a plan holds, and when it may act.
public enum IntentionKind: String, Hashable, Sendable, CaseIterable {
  /// Holds until it is removed: a spring that keeps pulling.
  case standing
  /// Ends by itself: retired when finished or displaced, and reported as finished with its outcome.
  case oneShot = "one-shot"
  /// May act whenever the hand does: holds until removed, drives only while active.
  case manipulation
  /// Tells something outside where things are: holds until removed, reads and moves nothing. A stop leaves it.
  case output
}

/// What a type of intention is: its kind, the executor that fulfils it, and its fields.
///
/// It comes from Swift for what is built in and from the manifest of a plugin for the rest. Validation, `describe`,
/// completion and documentation all come from it.
public struct IntentionDescription: Hashable, Sendable {
  /// The type's name.
  public var type: IntentionType
  /// How long such a plan holds.
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
  /// Whether its plans reach outside the machine: they send to other hosts, or drive something beside what is watched. A
  /// plan whose type does not say so emits none whose type does, so that who may not use those cannot by a detour.
  public var reachesOutside: Bool
  /// What it does, in a sentence or two.
  public var documentation: String

  /// Describes a type of intention.
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

  /// The names that mean each other where a type has only one of them: every movement has an end.
  private static let synonyms = ["to": "destination", "destination": "to"]

  /// The description of the field that files and commands mean by `name`: its own name, or `to` for `destination` and
  /// `destination` for `to` where the type has no field of that name.
  public func field(meantBy name: String) -> FieldDescription? {
    field(name) ?? Self.synonyms[name].flatMap { field($0) }
  }

  /// The value of the field `name` in `intention`, or the described default.
  public func value(of name: String, in intention: Intention) -> FieldValue? {
    intention[name] ?? field(name)?.defaultValue
  }

  /// The properties of its own target that `intention` writes, without repeats.
  public func propertiesWritten(by intention: Intention) -> [PropertyName] {
    properties(of: intention, access: .writes, fixed: writes)
  }

  /// The properties of its own target that `intention` reads, without repeats.
  public func propertiesRead(by intention: Intention) -> [PropertyName] {
    properties(of: intention, access: .reads, fixed: reads)
  }

  /// The properties of any target that `intention` refers to, in order.
  public func references(of intention: Intention) -> [PropertyReference] {
    fields.compactMap { field in
      guard case .reference(let reference)? = value(of: field.name, in: intention) else { return nil }
      return reference
    }
  }

  /// All that an executor has to be told of for `intention` on `target`, in order: see ``propertiesRead(by:)`` and
  /// ``references(of:)``.
  public func reads(of intention: Intention, on target: TargetName) -> [PropertyReference] {
    propertiesRead(by: intention).map { PropertyReference(target, $0) } + references(of: intention)
  }

  private func properties(
    of intention: Intention, access: FieldDescription.Access, fixed: [PropertyName]
  ) -> [PropertyName] {
    var names = fixed
    for field in fields where field.access == access {
      if case .property(let name)? = value(of: field.name, in: intention), !names.contains(name) { names.append(name) }
    }
    return names
  }
}

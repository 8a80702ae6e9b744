public import MotionModel
import MotionWire

/// What strangers may do through a gateway: decided before anything reaches motiond, and told in words.
public struct Permissions: Hashable, Sendable {
  /// Something that may be allowed. To greet, to ask and to subscribe are allowed to everybody.
  public enum Permission: String, Hashable, Sendable, CaseIterable {
    /// To commit transactions.
    case commit
    /// To say what pointers do.
    case input
    /// To let targets hold, and everything if they are not restricted to some.
    case stop
    /// To commit for a later time: motiond keeps a limited number of those, which strangers could use up.
    case schedule
    /// To pause, step and set the speed of everybody's time.
    case clock
    /// To see plugins with their logs, and to start them again.
    case plugins
  }

  /// What is allowed.
  public var allowed: Set<Permission>
  /// With what the names of the targets begin that may be used and seen; all of them if there is nothing.
  public var prefixes: [String]

  /// The types of intentions that may be committed; `nil` for all that do not reach outside the machine.
  public var types: Set<IntentionType>?
  /// The types that may be committed although they reach outside the machine.
  public var outside: Set<IntentionType> = []

  /// What motiond's own clients use every day, on these targets.
  public init(_ allowed: Set<Permission> = [.commit, .input, .stop], prefixes: [String] = []) {
    self.allowed = allowed
    self.prefixes = prefixes
  }

  /// Whether some targets may not be used.
  public var isRestricted: Bool { !prefixes.isEmpty }

  /// Whether a target may be used and seen.
  public func allows(_ target: TargetName) -> Bool {
    prefixes.isEmpty || prefixes.contains { target.text.hasPrefix($0) }
  }

  /// Whether a topic may be subscribed to.
  func allows(_ interest: Interest) -> Bool {
    switch interest {
    case .values(let scope), .motion(let scope), .drivers(let scope):
      switch scope {
      case .everything: !isRestricted
      case .target(let target): allows(target)
      case .property(let property): allows(property.target)
      }
    case .outcomes(let target): target.map(allows) ?? !isRestricted
    }
  }

  /// Checks a request.
  func check(_ body: Envelope.Body) throws(Refusal) {
    switch body {
    case .greeting, .alive: return
    case .commit(let commit):
      try need(.commit)
      if commit.at != nil { try need(.schedule) }
      for (index, operation) in commit.transaction.log.enumerated() { try check(operation, index) }
    case .query(let query): try check(query)
    case .clock: try need(.clock)
    case .stop(let stop):
      try need(.stop)
      if stop.targets.isEmpty, isRestricted {
        throw Self.forbidden("everything may not be stopped", "Name the targets")
      }
      for target in stop.targets { try check(target) }
    case .restart: try need(.plugins)
    case .cancel:
      try need(.schedule)
      if isRestricted { throw Self.forbidden("what waits may be for other targets", "Ask whoever committed it") }
    case .input(let input):
      try need(.input)
      try check(input.target)
    default:
      throw Refusal(
        .malformed, "that is no request",
        remedy: "Send Greeting, Commit, Query, Clock, Stop, Alive, Restart, Input or Cancel")
    }
  }

  /// Checks the types of what a transaction adds.
  ///
  /// - Returns: false if motiond has to be asked first which of them reach outside.
  func check(_ transaction: Transaction, knowing known: KnownTypes, at now: Duration) throws(Refusal) -> Bool {
    for (index, operation) in transaction.log.enumerated() {
      guard case .add(let intention, _, _) = operation, !outside.contains(intention.type) else { continue }
      guard let reachesOutside = known.reachesOutside(intention.type, at: now) else { return false }
      guard reachesOutside else { continue }
      throw forbidden(intention.type, index)
    }
    return true
  }

  private func forbidden(_ type: IntentionType, _ operation: Int) -> Refusal {
    var refusal = Self.forbidden(
      "\(type) reaches outside the machine, which this gateway does not allow",
      "Ask whoever runs it to start it with --allow-outside \(type)")
    refusal.operation = operation
    return refusal
  }

  private func check(_ operation: Transaction.Operation, _ index: Int) throws(Refusal) {
    try check(operation.target, operation: index)
    if let types, case .add(let intention, _, _) = operation, !types.contains(intention.type) {
      var refusal = Self.forbidden(
        "\(intention.type) is not among the types that this gateway allows",
        "Use \(types.sorted().map(\.text).joined(separator: ", "))")
      refusal.operation = index
      throw refusal
    }
    guard isRestricted, case .add(let intention, _, _) = operation else { return }
    for field in intention.fields {
      for target in Self.targets(in: field.value) { try check(target, operation: index, field: field.name) }
    }
  }

  /// The targets that a value refers to: their properties would be read.
  private static func targets(in value: FieldValue) -> [TargetName] {
    switch value {
    case .reference(let reference): [reference.target]
    case .list(let values): values.flatMap(targets)
    case .number, .vector, .text, .flag, .duration, .property, .choice: []
    }
  }

  private func check(_ query: Query) throws(Refusal) {
    switch query {
    case .targets, .types, .status: return
    case .properties(let target), .executors(let target), .intentions(let target), .tokens(let target):
      if let target { try check(target) }
    case .plugins: try need(.plugins)
    case .waiting:
      guard !isRestricted else {
        throw Self.forbidden("what waits may be for other targets", "Ask whoever runs this gateway")
      }
    case .graph:
      guard !isRestricted else {
        throw Self.forbidden("a graph shows other targets too", "Ask for properties or executors")
      }
    }
  }

  private func check(_ target: TargetName, operation: Int? = nil, field: String? = nil) throws(Refusal) {
    guard !allows(target) else { return }
    var refusal = Self.forbidden(
      "the target \(target) is not for clients of this gateway",
      "Use targets whose names begin with \(prefixes.joined(separator: " or "))")
    (refusal.operation, refusal.field) = (operation, field)
    throw refusal
  }

  private func need(_ permission: Permission) throws(Refusal) {
    guard !allowed.contains(permission) else { return }
    throw Self.forbidden(
      "this gateway does not allow \(permission.rawValue)",
      "Ask whoever runs it to start it with --allow \(permission.rawValue)")
  }

  private static func forbidden(_ message: String, _ remedy: String) -> Refusal {
    Refusal(Refusal.Code(rawValue: "forbidden"), message, remedy: remedy)
  }
}

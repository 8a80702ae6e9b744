public import MotionModel
import MotionWire

/// The permissions of a gateway's clients. The gateway checks them before it forwards a request, and refuses with a
/// reason.
public struct Permissions: Hashable, Sendable {
  /// A permission. Greetings, queries and subscriptions need none.
  public enum Permission: String, Hashable, Sendable, CaseIterable {
    /// Commit transactions.
    case commit
    /// Send pointer input, and input values that are not held.
    case input
    /// Stop targets; also everything, if the gateway is not restricted to some targets.
    case stop
    /// Commit for a later time, and send input values that are held. motiond keeps a limited number of these, which
    /// untrusted clients could use up.
    case schedule
    /// Pause, step and set the speed of time, for all clients.
    case clock
    /// See plugins with their logs, and restart them.
    case plugins
    /// Set and lift the limits of properties, which protect a machine from all clients.
    case limits
    /// Save, recall, delete and see scenes, whatever targets, types and priorities are in them.
    case scenes
    /// Load lists of cues, command and see them, whatever targets, types and priorities are in them.
    case cues
    /// See who is connected to motiond: names, users, processes and keys.
    case clients
    /// See the complete state, and the past, of all targets, and record the run to files of motiond's machine.
    case history
    /// Ask why a property has its value: its plans with their clients, users, processes and keys.
    case why
  }

  /// The granted permissions.
  public var allowed: Set<Permission>
  /// The prefixes of the names of targets that clients may use and see. Empty allows all targets.
  public var prefixes: [String]

  /// The types of intentions that clients may commit; `nil` allows all that do not reach outside the machine.
  public var types: Set<IntentionType>?
  /// The types that clients may commit although they reach outside the machine.
  public var outside: Set<IntentionType> = []
  /// The highest priority of a plan that clients may state.
  public var highestPriority: Int32 = 0

  /// The usual permissions of a client, on the targets with these prefixes.
  public init(_ allowed: Set<Permission> = [.commit, .input, .stop], prefixes: [String] = []) {
    self.allowed = allowed
    self.prefixes = prefixes
  }

  /// Whether the gateway is restricted to some targets.
  public var isRestricted: Bool { !prefixes.isEmpty }

  /// Whether clients may use and see a target.
  public func allows(_ target: TargetName) -> Bool {
    prefixes.isEmpty || prefixes.contains { target.text.hasPrefix($0) }
  }

  /// Whether clients may send, see and follow an input value: its name begins like those of the targets.
  func allows(_ input: InputName) -> Bool { prefixes.isEmpty || prefixes.contains { input.text.hasPrefix($0) } }

  /// Whether clients may subscribe to a topic.
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

  /// Checks a request against the permissions.
  func check(_ body: Envelope.Body) throws(Refusal) {
    switch body {
    case .greeting, .alive: return
    case .commit(let commit):
      try need(.commit)
      if commit.at != nil { try need(.schedule) }
      let transaction = commit.transaction
      for (index, operation) in transaction.log.enumerated() {
        try check(operation, index, each: transaction.selectors[index])
      }
    case .query(let query): try check(query)
    case .clock: try need(.clock)
    case .stop(let stop):
      try need(.stop)
      if let selector = stop.selector {
        try check(selector)
      } else if stop.targets.isEmpty, isRestricted {
        throw Self.forbidden("this gateway does not allow a stop of everything", "Name the targets")
      }
      for target in stop.targets { try check(target) }
    case .restart: try need(.plugins)
    case .record, .historyRequest: try needHistory()
    case .cancel:
      try need(.schedule)
      if isRestricted {
        throw Self.forbidden("the waiting transaction may be for other targets", "Ask the client that committed it")
      }
    case .input(let input):
      try need(.input)
      try check(input.target)
    case .inputValues(let input):
      try need(.input)
      for value in input.values {
        try check(value.name)
        // Held values take up names of the runtime for as long as it runs.
        if value.isHeld { try need(.schedule) }
      }
    default:
      throw Refusal(
        .malformed, "the message is not a request",
        remedy: "Send Greeting, Commit, Query, Clock, Stop, Alive, Restart, Input, Cancel, Record or HistoryRequest")
    }
  }

  /// Checks the types of the intentions that a transaction adds.
  ///
  /// - Returns: false if motiond must be queried first for the types that reach outside the machine.
  func check(_ transaction: Transaction, knowing known: KnownTypes, at now: Duration) throws(Refusal) -> Bool {
    for (index, operation) in transaction.log.enumerated() {
      if case .cues(_, .list(let list)) = operation {
        for cue in list.cues {
          guard try check(cue.content, knowing: known, at: now) else { return false }
        }
      }
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
      "Ask its operator to start it with --allow-outside \(type)")
    refusal.operation = operation
    return refusal
  }

  private func check(
    _ operation: Transaction.Operation, _ index: Int, each selector: TargetSelector?
  ) throws(Refusal) {
    if let selector {
      try check(selector, operation: index)
    } else if let target = operation.target {
      try check(target, operation: index)
    }
    if case .group = operation, isRestricted {
      // A group has one name for all clients.
      var refusal = Self.forbidden(
        "groups are for all clients, and this gateway is restricted to some targets", "Use a pattern or a list")
      refusal.operation = index
      throw refusal
    }
    do throws(Refusal) {
      switch operation {
      case .scene: try needScenes()
      case .limit: try need(.limits)
      case .cues(_, let change):
        try needCues()
        // What the cues do later has no client to ask for.
        guard case .list(let list) = change else { break }
        for content in list.cues.map(\.content) {
          for place in content.log.indices { try check(content.log[place], index, each: content.selectors[place]) }
        }
      case .add, .remove, .removePlan, .forget, .group: break
      }
    } catch {
      var refusal = error
      refusal.operation = index
      throw refusal
    }
    if case .add(let intention, _, _) = operation, intention.priority > highestPriority {
      var refusal = Self.forbidden(
        "the priority \(intention.priority) is above \(highestPriority), the highest that this gateway allows",
        "State at most \(highestPriority), or ask its operator to start it with --allow-priority \(intention.priority)")
      (refusal.operation, refusal.field) = (index, Intention.priorityField)
      throw refusal
    }
    if let types, case .add(let intention, _, _) = operation, !types.contains(intention.type) {
      var refusal = Self.forbidden(
        "\(intention.type) is not among the types that this gateway allows",
        "Use \(types.sorted().map(\.text).joined(separator: ", "))")
      refusal.operation = index
      throw refusal
    }
    guard isRestricted, case .add(let intention, _, _) = operation else { return }
    if let input = intention.followedInput { try check(input, operation: index, field: "input") }
    guard DMXPatchSelectors(intention) == nil else {
      var refusal = Self.forbidden(
        "the patterns and groups of a patch may stand for other targets", "Name its fixtures: lamp1, lamp{1..12}")
      (refusal.operation, refusal.field) = (index, "patch")
      throw refusal
    }
    if let plan = try? SendDMXIntention(intention) {
      for reference in plan.patch.references { try check(reference.target, operation: index, field: "patch") }
    }
    for field in intention.fields {
      for target in Self.targets(in: field.value) { try check(target, operation: index, field: field.name) }
    }
  }

  /// The targets to which a value refers: a plan with this value would read their properties.
  private static func targets(in value: FieldValue) -> [TargetName] {
    switch value {
    case .reference(let reference): [reference.target]
    case .list(let values): values.flatMap(targets)
    case .number, .vector, .text, .flag, .duration, .property, .choice: []
    }
  }

  private func needScenes() throws(Refusal) {
    try need(.scenes)
    guard !isRestricted else {
      throw Self.forbidden("scenes have other targets, too", "Ask the operator of this gateway")
    }
  }

  private func needCues() throws(Refusal) {
    try need(.cues)
    guard !isRestricted else {
      throw Self.forbidden("lists of cues have other targets, too", "Ask the operator of this gateway")
    }
  }

  private func needHistory() throws(Refusal) {
    try need(.history)
    guard !isRestricted else {
      throw Self.forbidden("the state and the past show other targets too", "Ask the operator of this gateway")
    }
  }

  private func check(_ query: Query) throws(Refusal) {
    switch query {
    case .targets, .types, .inputs, .groups, .status: return
    case .properties(let target), .executors(let target), .intentions(let target), .tokens(let target):
      if let target { try check(target) }
    case .plugins: try need(.plugins)
    case .clients: try need(.clients)
    case .snapshot: try needHistory()
    case .why(let reference):
      try need(.why)
      try check(reference.target)
    case .scenes: try needScenes()
    case .cues: try needCues()
    case .waiting:
      guard !isRestricted else {
        throw Self.forbidden("waiting transactions may be for other targets", "Ask the operator of this gateway")
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

  /// Checks a selector: each of its parts must begin as the allowed targets do, whatever it stands for.
  private func check(_ selector: TargetSelector, operation: Int? = nil) throws(Refusal) {
    guard isRestricted else { return }
    guard let part = selector.beginnings.first(where: { beginning in !prefixes.contains { beginning.hasPrefix($0) } })
    else { return }
    var refusal = Self.forbidden(
      part.isEmpty
        ? "the selector \(selector) may stand for targets that are not for clients of this gateway"
        : "targets that begin with \(part) are not for clients of this gateway",
      "Use patterns that begin with \(prefixes.joined(separator: " or "))")
    refusal.operation = operation
    throw refusal
  }

  /// Checks the name of an input value.
  private func check(_ input: InputName, operation: Int? = nil, field: String? = nil) throws(Refusal) {
    guard !allows(input) else { return }
    var refusal = Self.forbidden(
      "the input \(input) is not for clients of this gateway",
      "Use inputs whose names begin with \(prefixes.joined(separator: " or "))")
    (refusal.operation, refusal.field) = (operation, field)
    throw refusal
  }

  private func need(_ permission: Permission) throws(Refusal) {
    guard !allowed.contains(permission) else { return }
    throw Self.forbidden(
      "this gateway does not allow \(permission.rawValue)",
      "Ask its operator to start it with --allow \(permission.rawValue)")
  }

  private static func forbidden(_ message: String, _ remedy: String) -> Refusal {
    Refusal(Refusal.Code(rawValue: "forbidden"), message, remedy: remedy)
  }
}

import MotionFiles
package import MotionModel
package import MotionWire

/// The parameters that viewers see and set: the clock, the limits of properties, the fields of standing plans that have a
/// name, and which targets have channels.
package struct ParameterTable {
  /// What setting a parameter does.
  package enum Change: Hashable, Sendable {
    /// Send this command to the clock.
    case clock(ClockCommand)
    /// Commit this transaction file.
    case transaction([UInt8])
    /// Show these targets; `nil` for the first ones.
    case channels(TargetSelector?)
  }

  /// The error for a parameter that cannot be set like that.
  package struct ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the remedy, for people.
    package let description: String

    init(_ description: String) { self.description = description }
  }

  static let (speed, paused, channels) = ("/clock/speed", "/clock/paused", "/studio/channels")

  private let clock: ClockState
  private let pattern: TargetSelector?
  private var limits: [(name: String, row: PropertyRow)] = []
  private var fields: [(name: String, row: IntentionRow, field: Int)] = []

  /// Makes the table of what a daemon has.
  package init(
    _ clock: ClockState, pattern: TargetSelector?, properties: EncodedRows<PropertyRow>? = nil,
    plans: EncodedRows<IntentionRow>? = nil
  ) {
    (self.clock, self.pattern) = (clock, pattern)
    for row in properties ?? EncodedRows() where row.limits != nil && limits.count < StudioLimits.parameters {
      limits.append(("/limits/\(row.reference)", row))
    }
    for row in plans ?? EncodedRows() where row.kind == .standing && row.identity.parent == nil {
      guard let name = row.name else { continue }
      for (index, field) in row.intention.fields.enumerated() where fields.count < StudioLimits.parameters {
        fields.append(("/plans/\(row.target)/\(name)/\(field.name)", row, index))
      }
    }
  }

  /// All parameters.
  package var all: [Parameter] {
    [
      Parameter(Self.speed, .number(clock.speed)), Parameter(Self.paused, .flag(clock.isPaused)),
      Parameter(Self.channels, .text(pattern?.description ?? "")),
    ]
      + limits.map { Parameter($0.name, $0.row.limits.map { JSONOutput($0) } ?? .null) }
      + fields.map { Parameter($0.name, FieldText.json(of: $0.row.intention.fields[$0.field].value)) }
  }

  /// The parameters of these names; those that do not exist are left out. All if no name is given.
  package func values(of names: [String]) -> [Parameter] {
    guard !names.isEmpty else { return all }
    let wanted = Set(names)
    return all.filter { wanted.contains($0.name) }
  }

  /// Whether a parameter changes motion, and not only what the viewer sees.
  package static func changesMotion(_ name: String) -> Bool { name != channels }

  /// What setting a parameter does.
  package func change(to parameter: Parameter) throws(ChangeError) -> Change {
    switch (parameter.name, parameter.value) {
    case (Self.speed, .number(let speed)) where Limits.speed.contains(speed): return .clock(.speed(speed))
    case (Self.speed, _):
      throw ChangeError(
        "\(Self.speed) has to be a number from \(Limits.speed.lowerBound) to \(Limits.speed.upperBound)")
    case (Self.paused, .flag(let isPaused)): return .clock(isPaused ? .pause : .resume)
    case (Self.paused, _): throw ChangeError("\(Self.paused) has to be true or false")
    case (Self.channels, .text("")): return .channels(nil)
    case (Self.channels, .text(let text)):
      guard let pattern = TargetSelector.channels(text) else {
        throw ChangeError("\(Self.channels) has to be names of targets, separated by commas, in which * is any text")
      }
      return .channels(pattern)
    case (Self.channels, _): throw ChangeError("\(Self.channels) has to be a text, such as \"ball*\"")
    default: break
    }
    if let found = limits.first(where: { $0.name == parameter.name }) {
      let reference = found.row.reference
      return .transaction(
        Self.file([
          "limit": parameter.value, "property": .text(reference.property.text), "on": .text(reference.target.text),
        ]))
    }
    if let found = fields.first(where: { $0.name == parameter.name }), let name = found.row.name {
      return .transaction(Self.file(Self.addition(found.row, name, found.field, parameter.value)))
    }
    throw ChangeError("there is no parameter \(parameter.name.prefix(200))")
  }

  /// The operation that replaces a plan by one with another value of a field.
  private static func addition(
    _ row: IntentionRow, _ name: IntentionName, _ field: Int, _ value: JSONOutput
  ) -> JSONOutput {
    var members = [JSONOutput.Member(key: "type", value: .text(row.intention.type.text))]
    for (index, other) in row.intention.fields.enumerated() {
      members.append(.init(key: other.name, value: index == field ? value : FieldText.json(of: other.value)))
    }
    // Without its delay: the change is for now.
    for member in row.intention.commonMembers where member.key == Intention.priorityField {
      members.append(.init(key: member.key, value: .number(member.value)))
    }
    return ["add": .object(members), "named": .text(name.text), "to": .text(row.target.text)]
  }

  private static func file(_ operation: JSONOutput) -> [UInt8] {
    let file: JSONOutput = ["transaction": [operation], "comment": .text("set in a viewer")]
    return Array(file.line.utf8)
  }
}

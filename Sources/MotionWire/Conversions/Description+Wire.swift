import MotionModel
import SwiftProtobuf

extension ProtoIntentionDescription: WireRepresentation {
  init(_ description: IntentionDescription) {
    type = description.type.text
    kind = ProtoIntentionKind(description.kind)
    executor = description.executor.text
    fields = description.fields.map(ProtoFieldDescription.init)
    writes = description.writes.map(\.text)
    reads = description.reads.map(\.text)
    exclusive = description.exclusive.map { names in .with { $0.names = names } }
    requiresOneOf = description.requiresOneOf.map { names in .with { $0.names = names } }
    reachesOutside = description.reachesOutside
    documentation = Encode.text(description.documentation)
  }

  func model() throws(WireError) -> IntentionDescription {
    IntentionDescription(
      type: try Decode.name(type, "type"), kind: try Decode.part(kind, "kind"),
      executor: try Decode.name(executor, "executor"),
      fields: try Decode.list(fields, "fields", atMost: Limits.fieldsPerIntention),
      writes: try Decode.names(writes, "writes", atMost: Limits.propertiesPerTarget),
      reads: try Decode.names(reads, "reads", atMost: Limits.propertiesPerTarget),
      exclusive: try groups(exclusive, "exclusive"), requiresOneOf: try groups(requiresOneOf, "requires_one_of"),
      reachesOutside: reachesOutside, documentation: try Decode.text(documentation, "documentation"))
  }

  private func groups(_ groups: [FieldNames], _ field: StaticString) throws(WireError) -> [[String]] {
    try Decode.list(groups, field, atMost: Limits.fieldsPerIntention) { group throws(WireError) in
      try Decode.texts(group.names, "names")
    }
  }
}

extension ProtoFieldDescription: WireRepresentation {
  init(_ description: FieldDescription) {
    name = description.name
    accepts = description.accepts.map(ProtoFieldShape.init)
    required = description.isRequired
    if let value = description.defaultValue { defaultValue = ProtoFieldValue(value) }
    if let range = description.range { bounds = Bounds(range) }
    excludesLowerBound = description.excludesLowerBound
    unit = description.unit
    choices = description.choices
    elements = description.elements.map(ProtoFieldShape.init)
    access =
      switch description.access {
      case nil: .none
      case .reads: .reads
      case .names: .names
      case .writes: .writes
      }
    if let field = description.lanesOf { lanesOf = field }
    documentation = Encode.text(description.documentation)
  }

  func model() throws(WireError) -> FieldDescription {
    var description = FieldDescription(
      try Decode.text(name, "name", atMost: Limits.typeNameBytes), required: required,
      default: try Decode.optional(hasDefaultValue, defaultValue, "default_value"),
      range: try Decode.optional(hasBounds, bounds, "bounds"), excludesLowerBound: excludesLowerBound,
      unit: try Decode.text(unit, "unit"), choices: try Decode.texts(choices, "choices"),
      elements: try Decode.list(elements, "elements", atMost: Limits.fieldsPerIntention),
      lanesOf: hasLanesOf ? try Decode.text(lanesOf, "lanes_of") : nil,
      try Decode.text(documentation, "documentation"))
    description.accepts = try Decode.list(accepts, "accepts", atMost: Limits.fieldsPerIntention)
    switch access {
    case .none: description.access = nil
    case .reads: description.access = .reads
    case .writes: description.access = .writes
    case .names: description.access = .names
    case .UNRECOGNIZED(let number): throw WireError.unknown(number).within("access")
    }
    return description
  }
}

extension ProtoFieldDescription.Bounds: WireRepresentation {
  init(_ range: ClosedRange<Double>) {
    if range.lowerBound.isFinite { lowest = range.lowerBound }
    if range.upperBound.isFinite { highest = range.upperBound }
  }

  func model() throws(WireError) -> ClosedRange<Double> {
    let lowest = try Decode.finite(hasLowest, lowest, "lowest") ?? -.infinity
    let highest = try Decode.finite(hasHighest, highest, "highest") ?? .infinity
    guard lowest <= highest else {
      throw WireError(.value, "\(lowest) to \(highest) is no range", remedy: "Send the lowest first")
    }
    return lowest...highest
  }
}

extension ProtoFieldShape: WireRepresentation {
  init(_ shape: FieldShape) {
    self =
      switch shape {
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

  func model() throws(WireError) -> FieldShape {
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
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}

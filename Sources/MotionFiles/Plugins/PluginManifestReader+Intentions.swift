import MotionModel

extension PluginManifestReader {
  private static let intentionEntries = [
    "type", "kind", "executor", "documentation", "fields", "writes", "reads", "exclusive", "requiresOneOf",
    "reachesOutside",
  ]
  private static let fieldEntries = [
    "name", "accepts", "required", "default", "range", "exclusiveMinimum", "unit", "choices", "elements", "access",
    "lanesOf", "documentation",
  ]

  /// Returns the types that the plugin fulfils.
  mutating func readIntentions(_ value: JSONValue?) -> [IntentionDescription] {
    guard let value,
      let elements = file.elements(value, field: "intentions", most: Limits.intentionsPerPlugin)
    else { return [] }
    if elements.isEmpty {
      file.report("the plugin has no intentions", "Describe an intention.", field: "intentions", at: value.offset)
    }
    var descriptions: [IntentionDescription] = []
    for element in elements where !file.isFull {
      guard let description = readIntention(element) else { continue }
      if descriptions.contains(where: { $0.type == description.type }) {
        file.report(
          "\"\(description.type)\" is described twice", "Describe it once.", field: "type", at: element.offset)
      }
      descriptions.append(description)
    }
    return descriptions
  }

  private mutating func readIntention(_ value: JSONValue) -> IntentionDescription? {
    let required = ["type", "kind", "executor"]
    guard
      let members = file.members(
        of: value, known: Self.intentionEntries, required: required, field: "intentions"),
      let type: IntentionType = file.name(members["type"], field: "type"),
      let kind: IntentionKind = file.choice(members["kind"], field: "kind"),
      let executor: ExecutorType = file.name(members["executor"], field: "executor")
    else { return nil }
    let fields = readFields(members["fields"])
    let most = Limits.fieldsPerIntention
    return IntentionDescription(
      type: type, kind: kind, executor: executor, fields: fields,
      writes: file.names(members["writes"], field: "writes", most: most),
      reads: file.names(members["reads"], field: "reads", most: most),
      exclusive: readGroups(members["exclusive"], "exclusive", of: fields),
      requiresOneOf: readGroups(members["requiresOneOf"], "requiresOneOf", of: fields),
      reachesOutside: file.flag(members["reachesOutside"], field: "reachesOutside") ?? false,
      documentation: file.text(members["documentation"], field: "documentation") ?? "")
  }

  private mutating func readGroups(
    _ value: JSONValue?, _ entry: String, of fields: [FieldDescription]
  ) -> [[String]] {
    var groups: [[String]] = []
    for element in file.elements(value, field: entry, most: Limits.fieldsPerIntention) ?? [] {
      guard let group = file.texts(element, field: entry, most: Limits.fieldsPerIntention) else { continue }
      for name in group where !fields.contains(where: { $0.name == name }) {
        reportUnknownField(name, of: fields, field: entry, at: element.offset)
      }
      if group.count < 2 {
        file.report("a group of \(group.count)", "Name at least two fields.", field: entry, at: element.offset)
      }
      groups.append(group)
    }
    return groups
  }

  private mutating func reportUnknownField(
    _ name: String, of fields: [FieldDescription], field: String, at offset: UInt32
  ) {
    file.report(
      "\(JSONText.string(String(name.prefix(64)))) is no field here",
      NearestName.remedy(for: name, among: fields.map(\.name), plural: "fields"), field: field, at: offset)
  }

  private mutating func readFields(_ value: JSONValue?) -> [FieldDescription] {
    var fields: [FieldDescription] = []
    var places: [UInt32] = []
    for element in file.elements(value, field: "fields", most: Limits.fieldsPerIntention) ?? [] where !file.isFull {
      guard let field = readField(element) else { continue }
      if fields.contains(where: { $0.name == field.name }) {
        file.report("\"\(field.name)\" is described twice", "Describe it once.", field: "name", at: element.offset)
      }
      fields.append(field)
      places.append(element.offset)
    }
    let properties = fields.filter { $0.accepts.contains(.property) }
    for (field, place) in zip(fields, places) {
      guard let owner = field.lanesOf, !properties.contains(where: { $0.name == owner }) else { continue }
      reportUnknownField(owner, of: properties, field: "lanesOf", at: place)
    }
    return fields
  }

  private mutating func readField(_ value: JSONValue) -> FieldDescription? {
    let required = ["name", "accepts"]
    guard
      let members = file.members(of: value, known: Self.fieldEntries, required: required, field: "fields"),
      let name = readFieldName(members["name"])
    else { return nil }
    let documentation = file.text(members["documentation"], field: "documentation")
    var field = FieldDescription(name, .text, documentation ?? "")
    field.accepts = readShapes(members["accepts"], "accepts")
    field.elements = readShapes(members["elements"], "elements")
    field.isRequired = file.flag(members["required"], field: "required") ?? false
    field.excludesLowerBound = file.flag(members["exclusiveMinimum"], field: "exclusiveMinimum") ?? false
    field.range = readRange(members["range"])
    field.unit = file.text(members["unit"], field: "unit") ?? ""
    field.choices = file.texts(members["choices"], field: "choices") ?? []
    field.access = file.choice(members["access"], field: "access")
    field.lanesOf = file.text(members["lanesOf"], field: "lanesOf")
    field.defaultValue = readDefault(members["default"], of: field)
    checkConsistency(of: field, at: value.offset)
    return field
  }

  /// Returns a name that can be used beside `type` and what every plan has in a transaction file.
  private mutating func readFieldName(_ value: JSONValue?) -> String? {
    guard let value, let name = file.text(value, field: "name") else { return nil }
    let isName = name.first?.isLetter == true && PropertyNameRule.accepts(name.utf8)
    if isName, name != "type", !Intention.commonFields.contains(name) { return name }
    file.report(
      "\(JSONText.string(String(name.prefix(64)))) cannot name a field",
      "Use a letter, then up to 63 of A-Z a-z 0-9 _ -, but not \"type\", \"priority\" or \"after\".", field: "name",
      at: value.offset)
    return nil
  }

  private mutating func readShapes(_ value: JSONValue?, _ entry: String) -> [FieldShape] {
    guard let value, let words = file.elements(value, field: entry, most: FieldShape.allCases.count) else { return [] }
    var shapes: [FieldShape] = []
    for word in words {
      if let shape: FieldShape = file.choice(word, field: entry) { shapes.append(shape) }
    }
    if words.isEmpty {
      let all = FieldShape.allCases.map(\.rawValue).joined(separator: ", ")
      file.report("no shape is accepted", "Name some of \(all).", field: entry, at: value.offset)
    }
    return shapes
  }

  /// Returns two bounds; `null` stands for no bound.
  private mutating func readRange(_ value: JSONValue?) -> ClosedRange<Double>? {
    guard let value else { return nil }
    let greatest = Double.greatestFiniteMagnitude
    if case .array(let bounds) = value.content, bounds.count == 2,
      let least = bound(bounds[0], orElse: -greatest), let most = bound(bounds[1], orElse: greatest), least <= most
    {
      return least...most
    }
    file.report(
      "this is no range", "Write [least, most], with null where there is no bound.", field: "range", at: value.offset)
    return nil
  }

  private func bound(_ value: JSONValue, orElse missing: Double) -> Double? {
    switch value.content {
    case .null: missing
    case .number(let number): number
    default: nil
    }
  }

  private mutating func readDefault(_ value: JSONValue?, of field: FieldDescription) -> FieldValue? {
    guard let value, !field.accepts.isEmpty else { return nil }
    do {
      let result = try field.value(from: value)
      try field.check(result)
      return result
    } catch let mismatch as JSONMismatch {
      file.report(mismatch, field: "default")
    } catch let refusal as Refusal {
      file.report(refusal.message, refusal.remedy, field: "default", at: value.offset)
    } catch {
      file.report("\(error)", field: "default", at: value.offset)
    }
    return nil
  }

  /// Checks entries that are valid only together.
  private mutating func checkConsistency(of field: FieldDescription, at offset: UInt32) {
    let namesProperty = field.accepts.contains(.property)
    if namesProperty != (field.access != nil) {
      file.report(
        namesProperty ? "the field does not state how it accesses the property" : "only property fields have an access",
        namesProperty ? "Add \"access\": \"writes\", \"reads\" or \"names\"." : "Leave \"access\" out.",
        field: "access", at: offset)
    }
    if field.accepts.contains(.choice) == field.choices.isEmpty {
      file.report(
        field.choices.isEmpty ? "the field has no choices" : "only enum fields have choices",
        field.choices.isEmpty ? "Add \"choices\"." : "Add \"enum\" to \"accepts\".", field: "choices", at: offset)
    }
  }
}

extension IntentionDescription {
  /// Rejects a plan of this type whose fields are unknown, missing, mutually exclusive, or have invalid values.
  ///
  /// The refusal names the field and the remedy; the caller has to fill in the operation's index. Costs no allocation
  /// unless it refuses, and less than a microsecond for a plan of a few fields.
  public func check(_ intention: Intention) throws(Refusal) {
    guard intention.fields.count <= Limits.fieldsPerIntention else {
      throw Refusal(
        .limit, "\(intention.fields.count) fields are too many",
        remedy: "An intention has at most \(Limits.fieldsPerIntention) fields.")
    }
    try intention.checkCommonFields()
    for given in intention.fields {
      guard let index = fields.firstIndex(where: { $0.name == given.name }) else { throw unknownField(given.name) }
      try fields[index].check(given.value)
    }
    // By index, because a loop over the elements would copy each description with all its references.
    for index in fields.indices where fields[index].isRequired && !intention.has(fields[index].name) {
      throw missing(fields[index])
    }
    for group in exclusive { try checkExclusive(group, in: intention) }
    for group in requiresOneOf where !group.contains(where: { intention.has($0) }) {
      throw Refusal(
        .fields, field: group.first, "one of \(group.quotedList) is required",
        remedy: "Add one of them; the description of \(type) explains them.")
    }
  }

  private func checkExclusive(_ group: [String], in intention: Intention) throws(Refusal) {
    guard let first = group.firstIndex(where: { intention.has($0) }),
      let second = group[(first + 1)...].firstIndex(where: { intention.has($0) })
    else { return }
    throw Refusal(
      .fields, field: group[second], "\"\(group[first])\" and \"\(group[second])\" exclude each other",
      remedy: "Leave one of them out.")
  }

  /// Returns the refusal of a field that plans of this type do not have.
  package func unknownField(_ name: String) -> Refusal {
    if name == "timeline" {
      return Refusal(
        .unknownField, field: name, "\(type) cannot be bound to a timeline",
        remedy: "Timelines are for tweens in a program that embeds MotionStreams; here, pause and step the clock.")
    }
    return Refusal(
      .unknownField, field: String(name.prefix(64)), "\(type) has no such field",
      remedy: NearestName.remedy(for: name, among: fields.map(\.name), plural: "fields"))
  }

  private func missing(_ field: FieldDescription) -> Refusal {
    Refusal(
      .fields, field: field.name, "\(type) requires this field",
      remedy: "Add \(field.accepts.map(\.inWords).joined(separator: " or ")): \(field.documentation)")
  }
}

extension Intention {
  /// Returns whether the field `name` was given.
  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }
}

extension [String] {
  /// The elements in quotes, for messages: `"to", "values"`.
  package var quotedList: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}

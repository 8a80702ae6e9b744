/// Reads the fields of an intention that its description accepts, with the described defaults.
struct FieldReader {
  private let intention: Intention
  private let description: IntentionDescription
  var type: IntentionType { description.type }

  /// Checks `intention` against `description` first, so that all fields have the described shapes.
  init(_ intention: Intention, of description: IntentionDescription) throws(Refusal) {
    guard intention.type == description.type else {
      throw Refusal(
        .unknownType, "\(intention.type) is not \(description.type)", remedy: "Give it to its own executor.")
    }
    try description.check(intention)
    self.intention = intention
    self.description = description
  }

  func value(_ name: String) -> FieldValue? { description.value(of: name, in: intention) }

  func lanesIfGiven(_ name: String) -> Lanes? { value(name)?.lanes }

  func lanes(_ name: String) throws(Refusal) -> Lanes {
    guard let lanes = value(name)?.lanes else { throw missing(name) }
    return lanes
  }

  func numberIfGiven(_ name: String) -> Double? {
    guard case .number(let number)? = value(name) else { return nil }
    return number
  }

  func number(_ name: String) throws(Refusal) -> Double {
    guard let number = numberIfGiven(name) else { throw missing(name) }
    return number
  }

  func durationIfGiven(_ name: String) -> Duration? {
    guard case .duration(let duration)? = value(name) else { return nil }
    return duration
  }

  func duration(_ name: String) throws(Refusal) -> Duration {
    guard let duration = durationIfGiven(name) else { throw missing(name) }
    return duration
  }

  func property(_ name: String) throws(Refusal) -> PropertyName {
    guard case .property(let property)? = value(name) else { throw missing(name) }
    return property
  }

  func reference(_ name: String) throws(Refusal) -> PropertyReference {
    guard case .reference(let reference)? = value(name) else { throw missing(name) }
    return reference
  }

  func textIfGiven(_ name: String) -> String? {
    guard case .text(let text)? = value(name) else { return nil }
    return text
  }

  func text(_ name: String) throws(Refusal) -> String {
    guard let text = textIfGiven(name) else { throw missing(name) }
    return text
  }

  func flag(_ name: String) throws(Refusal) -> Bool {
    guard case .flag(let flag)? = value(name) else { throw missing(name) }
    return flag
  }

  func choice(_ name: String) throws(Refusal) -> String {
    guard case .choice(let word)? = value(name) else { throw missing(name) }
    return word
  }

  /// Returns the elements of a list, or a single value as one element; an empty array if the field is absent.
  func elements(_ name: String) -> [FieldValue] {
    switch value(name) {
    case nil: []
    case .list(let values)?: values
    case let value?: [value]
    }
  }

  private func missing(_ name: String) -> Refusal {
    Refusal(.fields, field: name, "\(description.type) requires this field", remedy: "Add it.")
  }
}

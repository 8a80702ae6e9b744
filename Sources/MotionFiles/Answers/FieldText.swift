package import MotionModel

/// The values of intention fields, as files and the command line write them.
package enum FieldText {
  /// The text of a value for people: `0.5`, `[100, 50]`, `300ms`, `ease-out`.
  package static func text(of value: FieldValue) -> String {
    switch value {
    case .number(let number): JSONText.number(number)
    case .vector(let lanes): "[" + lanes.array.map(JSONText.number).joined(separator: ", ") + "]"
    case .text(let text), .choice(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .duration(let duration): DurationText.text(of: duration)
    case .property(let name): name.text
    case .list(let elements): "[" + elements.map(text(of:)).joined(separator: ", ") + "]"
    case .reference(let reference): reference.description
    }
  }

  /// The value in the form of transaction files.
  package static func json(of value: FieldValue) -> JSONOutput {
    switch value {
    case .number(let number): .number(number)
    case .vector(let lanes): .lanes(lanes)
    case .flag(let flag): .flag(flag)
    case .list(let elements): .list(elements.map(json(of:)))
    case .text, .choice, .duration, .property, .reference: .text(text(of: value))
    }
  }

  /// The fields of a plan, with its priority and delay, on one line, as `motionctl add` takes them: `property=opacity to=1 duration=300ms`. Of
  /// a long list of texts, such as a patch, it has the number of its lines.
  package static func arguments(of intention: Intention) -> String {
    let common = intention.commonMembers.map { "\($0.key)=\(JSONText.number($0.value))" }
    return (intention.fields.map { "\($0.name)=\(argument($0.value))" } + common).joined(separator: " ")
  }

  private static func argument(_ value: FieldValue) -> String {
    let text = text(of: value)
    switch value {
    case .list(let elements):
      guard case .text? = elements.first, text.utf8.count > 120 else { return text }
      return "[\(elements.count) lines]"
    case .text where text.utf8.count > 120 && text.contains(where: \.isNewline):
      return "[\(text.count(where: \.isNewline) + 1) lines]"
    default: return text
    }
  }
}

import MotionModel

/// An error: a JSON value that its field does not accept.
struct JSONMismatch: Error {
  let offset: UInt32
  let message: String
  let remedy: String
}

extension FieldDescription {
  /// Returns the field value that `json` represents in this field.
  ///
  /// Numbers and arrays become numbers, durations in seconds, vectors and lists by the shapes that the field accepts.
  /// Texts become the first of choice, reference, property, duration, color (`#ff8000`) and text that is accepted and
  /// fits. Ranges are not checked here; see ``check(_:)``.
  func value(from json: JSONValue) throws(JSONMismatch) -> FieldValue {
    try value(from: json, accepting: accepts)
  }

  private func value(from json: JSONValue, accepting shapes: [FieldShape]) throws(JSONMismatch) -> FieldValue {
    switch json.content {
    case .null:
      throw JSONMismatch(
        offset: json.offset, message: "null is no value", remedy: "Leave the field out to get its default.")
    case .bool(let flag) where shapes.contains(.flag):
      return .flag(flag)
    case .number(let number) where shapes.contains(.number):
      return .number(number)
    case .number(let seconds) where shapes.contains(.duration):
      if let duration = DurationText.duration(ofSeconds: seconds) { return .duration(duration) }
      throw JSONMismatch(
        offset: json.offset, message: "\(JSONText.number(seconds)) seconds are out of range",
        remedy: "Use a duration \(rangeInWords).")
    case .string(let text):
      return try value(from: text, json, accepting: shapes)
    case .array(let elements):
      return try value(from: elements, json, accepting: shapes)
    case .object(let members) where shapes.contains(.reference):
      return try reference(from: members, json)
    default:
      throw wrongShape(json, accepting: shapes)
    }
  }

  private func value(
    from text: String, _ json: JSONValue, accepting shapes: [FieldShape]
  ) throws(JSONMismatch) -> FieldValue {
    if shapes.contains(.choice), choices.contains(text) { return .choice(text) }
    if shapes.contains(.reference), let slash = text.firstIndex(of: "/") {
      let target = try name(String(text[..<slash]), json.offset) as TargetName
      let property = try name(String(text[text.index(after: slash)...]), json.offset) as PropertyName
      return .reference(PropertyReference(target, property))
    }
    if shapes.contains(.property) { return .property(try name(text, json.offset)) }
    if shapes.contains(.duration), let duration = DurationText.duration(of: text) { return .duration(duration) }
    if shapes.contains(.vector), text.hasPrefix("#") {
      if let color = ColorText.lanes(of: text) { return FieldValue(color) }
      throw JSONMismatch(
        offset: json.offset, message: "\(JSONText.string(String(text.prefix(64)))) is no color", remedy: ColorText.rule)
    }
    if shapes.contains(.text) { return .text(text) }
    let quoted = JSONText.string(String(text.prefix(64)))
    if shapes.contains(.duration) {
      let rule = DurationText.rule
      throw JSONMismatch(
        offset: json.offset, message: "\(quoted) is no duration", remedy: "W\(rule.dropFirst()).")
    }
    if shapes.contains(.choice) {
      throw JSONMismatch(
        offset: json.offset, message: "\(quoted) is no choice",
        remedy: NearestName.remedy(for: text, among: choices, plural: "choices"))
    }
    if shapes.contains(.number) || shapes.contains(.vector), let mismatch = numberInText(text, json) { throw mismatch }
    throw wrongShape(json, accepting: shapes)
  }

  /// Returns the error for a text that looks like a number; `nil` if it does not.
  private func numberInText(_ text: String, _ json: JSONValue) -> JSONMismatch? {
    guard let number = Double(text) else { return nil }
    let quoted = JSONText.string(String(text.prefix(64)))
    return number.isFinite
      ? JSONMismatch(
        offset: json.offset, message: "\(quoted) is a text, not a number", remedy: "Write it without quotes.")
      : JSONMismatch(
        offset: json.offset, message: "\(quoted) is not a finite number",
        remedy: "Use a finite number, such as 0.5: a property cannot move to infinity or to NaN.")
  }

  private func value(
    from array: [JSONValue], _ json: JSONValue, accepting shapes: [FieldShape]
  ) throws(JSONMismatch) -> FieldValue {
    let numbers = array.prefix(Limits.lanes + 1).compactMap { element in
      if case .number(let number) = element.content { number } else { nil }
    }
    if shapes.contains(.vector), numbers.count == array.count, let lanes = Lanes(numbers) {
      let value = FieldValue(lanes)
      if shapes.contains(value.shape) { return value }
    }
    guard shapes.contains(.list) else {
      for element in array.prefix(Limits.lanes) {
        if case .string(let text) = element.content, let mismatch = numberInText(text, element) { throw mismatch }
      }
      throw wrongShape(json, accepting: shapes)
    }
    guard array.count <= Limits.listElements else {
      throw JSONMismatch(
        offset: json.offset, message: "\(array.count) elements are too many",
        remedy: "Use at most \(Limits.listElements).")
    }
    let accepted: [FieldShape] = elements.isEmpty ? [.number, .vector, .flag, .text, .list] : elements
    var values: [FieldValue] = []
    values.reserveCapacity(array.count)
    for element in array { values.append(try value(from: element, accepting: accepted)) }
    return .list(values)
  }

  private func reference(from members: [JSONMember], _ json: JSONValue) throws(JSONMismatch) -> FieldValue {
    let object = FileMembers(offset: json.offset, members: members)
    guard members.count == 2, case .string(let target)? = object["target"]?.content,
      case .string(let property)? = object["property"]?.content
    else {
      throw JSONMismatch(
        offset: json.offset, message: "an object here is a reference to a property",
        remedy: "Write \"target/property\" or {\"target\": …, \"property\": …}.")
    }
    return .reference(PropertyReference(try name(target, json.offset), try name(property, json.offset)))
  }

  private func name<Rule>(_ text: String, _ offset: UInt32) throws(JSONMismatch) -> Name<Rule> {
    do {
      return try Name<Rule>(text)
    } catch {
      throw JSONMismatch(offset: offset, message: error.description, remedy: "")
    }
  }

  private func wrongShape(_ json: JSONValue, accepting shapes: [FieldShape]) -> JSONMismatch {
    JSONMismatch(
      offset: json.offset, message: "\(json.inWords) is not accepted here",
      remedy: "Use \(shapes.map(\.inWords).joined(separator: " or ")).")
  }
}

extension FieldValue {
  /// The value in the form of a file; ``FieldDescription`` reads it back.
  var layout: JSONLayout {
    switch self {
    case .number(let number): .number(number)
    case .vector(let lanes): .array(lanes.array.map(JSONLayout.number))
    case .text(let text), .choice(let text): .text(text)
    case .flag(let flag): .flag(flag)
    case .duration(let duration): .text(DurationText.text(of: duration))
    case .property(let name): .text(name.text)
    case .list(let values): .array(values.map(\.layout))
    case .reference(let reference): .text(reference.description)
    }
  }
}

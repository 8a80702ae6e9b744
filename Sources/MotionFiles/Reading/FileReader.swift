import MotionModel

/// Reads values out of a JSON file and collects the errors.
///
/// A reading method returns `nil` after it has reported an error. Reading continues, so that one run finds many errors.
struct FileReader {
  private let name: String
  private let document: JSONDocument
  private(set) var errors: [FileError] = []
  /// The operation that is being read, for the error reports.
  var operation: Int?

  init(_ bytes: [UInt8], named name: String, limit: Int) throws(FileErrors) {
    self.name = name
    do {
      document = try JSONDocument(bytes, limit: limit)
    } catch {
      throw FileErrors([
        FileError(
          file: name, position: error.position, message: "found \(error.found), expected \(error.expected)")
      ])
    }
  }

  var root: JSONValue { document.root }

  /// Returns the position at which a value begins.
  func position(of value: JSONValue) -> TextPosition { document.position(at: value.offset) }

  /// Whether the most errors that are collected have been found.
  var isFull: Bool { errors.count >= Limits.fileErrors }

  mutating func report(_ message: String, _ remedy: String = "", field: String? = nil, at offset: UInt32) {
    guard !isFull else { return }
    errors.append(
      FileError(
        file: name, position: document.position(at: offset), operation: operation, field: field, message: message,
        remedy: remedy))
  }

  mutating func report(_ mismatch: JSONMismatch, field: String?) {
    report(mismatch.message, mismatch.remedy, field: field, at: mismatch.offset)
  }

  private mutating func expected(_ what: String, not value: JSONValue, field: String?) {
    report("\(value.inWords) is not accepted here", "Use \(what).", field: field, at: value.offset)
  }

  /// Returns the members of an object. Each must be one of `known`, and those in `required` must be present.
  mutating func members(
    of value: JSONValue, known: [String], required: [String] = [], field: String? = nil, plural: String = "entries"
  ) -> FileMembers? {
    guard case .object(let members) = value.content else {
      expected("an object", not: value, field: field)
      return nil
    }
    for member in members where !isFull && !known.contains(member.key) {
      report(
        "there is no entry \(JSONText.string(String(member.key.prefix(64)))) here",
        NearestName.remedy(for: member.key, among: known, plural: plural), field: field, at: member.keyOffset)
    }
    for key in required where !members.contains(where: { $0.key == key }) {
      report("\"\(key)\" is missing", "Add \"\(key)\".", field: field, at: value.offset)
    }
    return FileMembers(offset: value.offset, members: members)
  }

  mutating func text(_ value: JSONValue?, field: String) -> String? {
    guard let value else { return nil }
    if case .string(let text) = value.content { return text }
    expected("a text", not: value, field: field)
    return nil
  }

  mutating func flag(_ value: JSONValue?, field: String) -> Bool? {
    guard let value else { return nil }
    if case .bool(let flag) = value.content { return flag }
    expected("true or false", not: value, field: field)
    return nil
  }

  mutating func integer(_ value: JSONValue?, in range: ClosedRange<Int>, field: String) -> Int? {
    guard let value else { return nil }
    if case .number(let number) = value.content, let integer = JSONText.wholeNumber(number), range.contains(integer) {
      return integer
    }
    expected("a whole number from \(range.lowerBound) to \(range.upperBound)", not: value, field: field)
    return nil
  }

  mutating func elements(_ value: JSONValue?, field: String, most: Int) -> [JSONValue]? {
    guard let value else { return nil }
    guard case .array(let elements) = value.content else {
      expected("an array", not: value, field: field)
      return nil
    }
    if elements.count > most {
      report("\(elements.count) elements are too many", "Use at most \(most).", field: field, at: value.offset)
      return nil
    }
    return elements
  }

  mutating func texts(_ value: JSONValue?, field: String, most: Int = Limits.listElements) -> [String]? {
    guard let elements = elements(value, field: field, most: most) else { return nil }
    var texts: [String] = []
    for element in elements {
      if let text = text(element, field: field) { texts.append(text) }
    }
    return texts
  }

  mutating func name<Rule>(_ value: JSONValue?, field: String) -> Name<Rule>? {
    guard let value, let text = text(value, field: field) else { return nil }
    do {
      return try Name<Rule>(text)
    } catch {
      report("\(error)", field: field, at: value.offset)
      return nil
    }
  }

  mutating func names<Rule>(_ value: JSONValue?, field: String, most: Int) -> [Name<Rule>] {
    var names: [Name<Rule>] = []
    for element in elements(value, field: field, most: most) ?? [] {
      if let name: Name<Rule> = name(element, field: field) { names.append(name) }
    }
    return names
  }

  /// Returns one case of an enumeration whose raw values are the accepted texts.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ value: JSONValue?, field: String) -> Choice? {
    guard let value, let text = text(value, field: field) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    report(
      "\(JSONText.string(String(text.prefix(64)))) is no choice",
      NearestName.remedy(for: text, among: Choice.allCases.map(\.rawValue), plural: "choices"), field: field,
      at: value.offset)
    return nil
  }
}

/// The members of an object that is being read.
struct FileMembers {
  let offset: UInt32
  let members: [JSONMember]

  subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }

  func has(_ key: String) -> Bool { members.contains { $0.key == key } }
}

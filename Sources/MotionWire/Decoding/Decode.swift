import MotionModel

/// A generated message (or enum) and the plain Swift type that it carries.
protocol WireRepresentation {
  /// What the rest of the program knows.
  associatedtype Model
  /// The message that carries `model`.
  init(_ model: Model)
  /// What the message carries, if every part of it follows the rules.
  func model() throws(WireError) -> Model
}

/// Checked steps from what a message holds to what the program may rely on.
///
/// Each names the field in the error it throws; the path to it is put together only when one is thrown.
enum Decode {
  /// What `part` carries, its errors placed at `field`.
  static func part<Part: WireRepresentation>(_ part: Part, _ field: StaticString) throws(WireError) -> Part.Model {
    do {
      return try part.model()
    } catch {
      throw error.within("\(field)")
    }
  }

  /// What `part` carries, if it is there at all.
  static func required<Part: WireRepresentation>(
    _ isThere: Bool, _ part: Part, _ field: StaticString
  ) throws(WireError) -> Part.Model {
    guard isThere else { throw .missing("\(field)") }
    return try self.part(part, field)
  }

  /// What `part` carries, or `nil` if it is not there.
  static func optional<Part: WireRepresentation>(
    _ isThere: Bool, _ part: Part, _ field: StaticString
  ) throws(WireError) -> Part.Model? {
    isThere ? try self.part(part, field) : nil
  }

  /// What the elements of a list carry, of which there are at most `limit`.
  static func list<Part: WireRepresentation>(
    _ parts: [Part], _ field: StaticString, atMost limit: Int = .max
  ) throws(WireError) -> [Part.Model] {
    try list(parts, field, atMost: limit) { part throws(WireError) in try part.model() }
  }

  /// What `element` makes of the elements of a list, of which there are at most `limit`.
  static func list<Element, Result>(
    _ elements: [Element], _ field: StaticString, atMost limit: Int = .max,
    _ element: (Element) throws(WireError) -> Result
  ) throws(WireError) -> [Result] {
    guard elements.count <= limit else { throw .limit("\(field)", elements.count, atMost: limit, of: "elements") }
    var results: [Result] = []
    results.reserveCapacity(elements.count)
    for (index, each) in elements.enumerated() {
      do {
        results.append(try element(each))
      } catch {
        throw error.within("\(field)[\(index)]")
      }
    }
    return results
  }

  /// A name that follows its rule.
  static func name<Rule>(_ text: String, _ field: StaticString) throws(WireError) -> Name<Rule> {
    do {
      return try Name(text)
    } catch {
      throw WireError(.name, field: "\(field)", error.description)
    }
  }

  /// A name that follows its rule, or `nil` if there is none.
  static func name<Rule>(
    _ isThere: Bool, _ text: String, _ field: StaticString
  ) throws(WireError) -> Name<Rule>? {
    isThere ? try name(text, field) : nil
  }

  /// Names that follow their rule, of which there are at most `limit`.
  static func names<Rule>(
    _ texts: [String], _ field: StaticString, atMost limit: Int = .max
  ) throws(WireError) -> [Name<Rule>] {
    guard texts.count <= limit else { throw .limit("\(field)", texts.count, atMost: limit, of: "names") }
    var names: [Name<Rule>] = []
    names.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated() {
      do {
        names.append(try Name(text))
      } catch {
        throw WireError(.name, field: "\(field)[\(index)]", error.description)
      }
    }
    return names
  }

  /// A text of at most `limit` bytes.
  static func text(
    _ text: String, _ field: StaticString, atMost limit: Int = Limits.textBytes
  ) throws(WireError) -> String {
    guard text.utf8.count <= limit else { throw .limit("\(field)", text.utf8.count, atMost: limit, of: "bytes") }
    return text
  }

  /// Texts of at most `Limits.textBytes` bytes each.
  static func texts(_ texts: [String], _ field: StaticString) throws(WireError) -> [String] {
    try list(texts, field) { text throws(WireError) in try self.text(text, "") }
  }
}

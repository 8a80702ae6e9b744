import MotionModel

/// A generated message (or enum) and the plain Swift type that it carries.
protocol WireRepresentation {
  /// The plain Swift type that the rest of the program uses.
  associatedtype Model
  /// The message that carries `model`.
  init(_ model: Model)
  /// The value that the message carries, if every part of it follows the rules.
  func model() throws(WireError) -> Model
}

/// Checked conversions from the fields of a message to values that the program may rely on.
///
/// Each conversion names the field in the error that it throws. The path to the field is composed only when an error is
/// thrown.
enum Decode {
  /// The value that `part` carries; its errors are placed at `field`.
  static func part<Part: WireRepresentation>(_ part: Part, _ field: StaticString) throws(WireError) -> Part.Model {
    do {
      return try part.model()
    } catch {
      throw error.within("\(field)")
    }
  }

  /// The value that `part` carries; an error if the part is absent.
  static func required<Part: WireRepresentation>(
    _ isThere: Bool, _ part: Part, _ field: StaticString
  ) throws(WireError) -> Part.Model {
    guard isThere else { throw .missing("\(field)") }
    return try self.part(part, field)
  }

  /// The value that `part` carries, or `nil` if the part is absent.
  static func optional<Part: WireRepresentation>(
    _ isThere: Bool, _ part: Part, _ field: StaticString
  ) throws(WireError) -> Part.Model? {
    isThere ? try self.part(part, field) : nil
  }

  /// The values that the elements of a list carry; the list has at most `limit` elements.
  static func list<Part: WireRepresentation>(
    _ parts: [Part], _ field: StaticString, atMost limit: Int = .max
  ) throws(WireError) -> [Part.Model] {
    try list(parts, field, atMost: limit) { part throws(WireError) in try part.model() }
  }

  /// The results of `element` for the elements of a list, which has at most `limit` elements.
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

  /// A name that follows its rule, or `nil` if the name is absent.
  static func name<Rule>(
    _ isThere: Bool, _ text: String, _ field: StaticString
  ) throws(WireError) -> Name<Rule>? {
    isThere ? try name(text, field) : nil
  }

  /// Names that follow their rule, at most `limit` of them.
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

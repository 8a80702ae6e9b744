/// The head of a request, as far as access depends on it.
package struct HTTPRequest: Hashable, Sendable {
  /// The method.
  package var method: String
  /// The path and query as they were sent.
  package var target: String
  /// The header fields in order; names in any case.
  package var fields: [Field]

  /// A header field.
  package struct Field: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// A header field.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The head of a request.
  package init(_ method: String, _ target: String, _ fields: [Field]) {
    (self.method, self.target, self.fields) = (method, target, fields)
  }

  /// The path, without the query.
  var path: String { String(target.prefix { $0 != "?" && $0 != "#" }) }

  /// The values of all fields of a name.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map { Self.trimmed($0.value) }
  }

  /// The elements of a list, which may be in several fields.
  func elements(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  /// The first parameter of this name in the query. It is not decoded: tokens need no escapes.
  func parameter(_ name: String) -> String? {
    guard let query = target.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
    return query.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    let cookies = values("cookie").flatMap { $0.split(separator: ";") }.map { Self.trimmed(String($0)) }
    return cookies.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

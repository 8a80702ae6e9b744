/// A checked name: text that follows the rule of its kind.
///
/// Every name that crosses a border (a file, a frame, a flag) becomes one of these first, so that no code below has to
/// ask again whether a name is legal. Equality and order are those of the text. Costs one `String`.
public struct Name<Rule: NameRule>: Hashable, Sendable {
  /// The text as it was given.
  public let text: String

  /// Checks `text` against the rule of this kind of name.
  ///
  /// - Throws: ``NameError`` with the text and the rule that it breaks.
  public init(_ text: String) throws(NameError) {
    guard Rule.accepts(text.utf8) else {
      throw NameError(noun: Rule.noun, text: text, rule: Rule.rule)
    }
    self.text = text
  }
}

/// What texts a kind of name accepts.
public protocol NameRule: Sendable {
  /// What such a name names, for messages: "target".
  static var noun: String { get }
  /// The rule in words, for messages.
  static var rule: String { get }
  /// Whether the text follows the rule. Linear in its length.
  static func accepts(_ text: String.UTF8View) -> Bool
}

/// A text that breaks the rule of the name it was meant to be.
public struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the text should have named.
  public let noun: String
  /// The offending text, shortened to 64 characters.
  public let text: String
  /// The rule it breaks, in words.
  public let rule: String

  init(noun: String, text: String, rule: String) {
    self.noun = noun
    self.text = text.count > 64 ? String(text.prefix(64)) + "…" : text
    self.rule = rule
  }

  /// The message for people: what is wrong and what would be right.
  public var description: String { "\"\(text)\" is not a valid \(noun) name: \(rule)" }
}

extension Name: ExpressibleByStringLiteral {
  /// Makes a name from a literal in source code; an illegal literal is a programmer's error and traps.
  public init(stringLiteral text: String) {
    do {
      self = try Name(text)
    } catch {
      preconditionFailure(error.description)
    }
  }
}

extension Name: Comparable {
  /// Orders names as their texts.
  public static func < (a: Name, b: Name) -> Bool { a.text < b.text }
}

extension Name: CustomStringConvertible {
  /// The text itself.
  public var description: String { text }
}

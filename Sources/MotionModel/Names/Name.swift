/// A checked name: text that follows the rule of its kind.
///
/// Every name from outside (a file, a frame, a flag) is converted to this type first, so that no later code has to
/// check again whether a name is legal. Equality and order are those of the text. Costs one `String`.
public struct Name<Rule: NameRule>: Hashable, Sendable {
  /// The text as it was given.
  public let text: String

  /// Creates a name from `text`, checked against the rule of this kind of name.
  ///
  /// - Throws: ``NameError`` with the text and the rule that it breaks.
  public init(_ text: String) throws(NameError) {
    guard Rule.accepts(text.utf8) else {
      throw NameError(noun: Rule.noun, text: text, rule: Rule.rule)
    }
    self.text = text
  }
}

/// The rule for a kind of name.
public protocol NameRule: Sendable {
  /// The noun for such a name, for messages: "target".
  static var noun: String { get }
  /// The rule in words, for messages.
  static var rule: String { get }
  /// Returns whether the text follows the rule. Linear in its length.
  static func accepts(_ text: String.UTF8View) -> Bool
}

/// The error for a text that breaks the rule of its kind of name.
public struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The noun for the kind of name.
  public let noun: String
  /// The offending text, shortened to 64 characters.
  public let text: String
  /// The rule that the text breaks, in words.
  public let rule: String

  init(noun: String, text: String, rule: String) {
    self.noun = noun
    self.text = text.count > 64 ? String(text.prefix(64)) + "…" : text
    self.rule = rule
  }

  /// The message for people: the problem and the rule.
  public var description: String { "\"\(text)\" is not a valid \(noun) name: \(rule)" }
}

extension Name: ExpressibleByStringLiteral {
  /// Creates a name from a literal in source code; an illegal literal is a programming error and traps.
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

extension Name {
  /// Returns whether this name is sorted before another one in a list for people; see ``NaturalOrder``.
  public func isListedBefore(_ other: Name) -> Bool { NaturalOrder.isBefore(text, other.text) }
}

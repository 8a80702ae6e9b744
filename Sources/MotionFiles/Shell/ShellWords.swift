/// Splits a line of the shell into words.
///
/// Spaces separate words. Text in quotes is part of a word: in `'…'` every character stands for itself, in `"…"` a
/// backslash takes the next character literally, as it does outside of quotes. A `#` at the beginning of a word begins a
/// comment.
public struct ShellWords: Hashable, Sendable {
  /// A word without its quotes, with the column at which it begins, from 1.
  public struct Part: Hashable, Sendable {
    /// The word's text.
    public var text: String
    /// The column at which it begins.
    public var column: Int

    init(_ text: String, column: Int) {
      self.text = text
      self.column = column
    }
  }

  /// Whether brackets and parentheses hold a word together: `cubic-bezier(0.4, 0, 0.2, 1)`.
  enum Brackets {
    case separate
    case join
  }

  /// The words, in order.
  public private(set) var words: [Part] = []
  /// The word that the end of the line belongs to, for completion; empty after a space.
  public private(set) var last = Part("", column: 1)
  /// Whether the line ends in a comment.
  public private(set) var endsInComment = false
  /// Whether the line ends within quotes.
  public private(set) var endsInQuotes = false

  /// The words of a whole line.
  ///
  /// - Throws: ``ShellLineError`` for a quote that is not closed and for a backslash without a character.
  public init(_ line: String) throws(ShellLineError) {
    try self.init(line.unicodeScalars, from: 1, .separate)
  }

  /// The words before the cursor, for completion. A quote that is still open ends with the text.
  public init(completing text: String) {
    var splitter = Splitter(text.unicodeScalars, from: 1, .separate)
    splitter.run()
    words = splitter.words
    last = splitter.current ?? Part("", column: splitter.column)
    endsInComment = splitter.endsInComment
    endsInQuotes = splitter.open.map { $0.scalar != "\\" } ?? false
  }

  init(_ scalars: some Sequence<Unicode.Scalar>, from column: Int, _ brackets: Brackets) throws(ShellLineError) {
    var splitter = Splitter(scalars, from: column, brackets)
    splitter.run()
    if let open = splitter.open {
      throw ShellLineError(
        open.column, open.scalar == "\\" ? "the line ends after a backslash" : "the quote is not closed")
    }
    words = splitter.words + (splitter.current.map { [$0] } ?? [])
    endsInComment = splitter.endsInComment
  }
}

/// The state while a line is split.
private struct Splitter {
  private let scalars: [Unicode.Scalar]
  private let brackets: ShellWords.Brackets
  private var depth = 0
  private(set) var words: [ShellWords.Part] = []
  /// The word that has begun.
  private(set) var current: ShellWords.Part?
  /// The quote or backslash that has begun, with its column.
  private(set) var open: (scalar: Unicode.Scalar, column: Int)?
  private(set) var column: Int
  private(set) var endsInComment = false

  init(_ scalars: some Sequence<Unicode.Scalar>, from column: Int, _ brackets: ShellWords.Brackets) {
    self.scalars = Array(scalars)
    self.brackets = brackets
    self.column = column
  }

  mutating func run() {
    var isEscaped = false
    for scalar in scalars {
      defer { column += 1 }
      if isEscaped {
        append(scalar)
        isEscaped = false
        if open?.scalar == "\\" { open = nil }
        continue
      }
      if let quote = open {
        if scalar == quote.scalar {
          open = nil
        } else if scalar == "\\", quote.scalar == "\"" {
          isEscaped = true
        } else {
          append(scalar)
        }
        continue
      }
      if scalar == "#", current == nil {
        endsInComment = true
        return
      }
      isEscaped = scalar == "\\"
      takeUnquoted(scalar)
    }
  }

  private mutating func takeUnquoted(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "'", "\"", "\\":
      begin()
      open = (scalar, column)
    case " ", "\t", "\r", "\n":
      guard depth == 0 else { return append(scalar) }
      if let word = current { words.append(word) }
      current = nil
    default:
      if brackets == .join {
        if scalar == "(" || scalar == "[" { depth += 1 }
        if scalar == ")" || scalar == "]" { depth = max(0, depth - 1) }
      }
      append(scalar)
    }
  }

  private mutating func begin() {
    if current == nil { current = ShellWords.Part("", column: column) }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    begin()
    current?.text.unicodeScalars.append(scalar)
  }
}

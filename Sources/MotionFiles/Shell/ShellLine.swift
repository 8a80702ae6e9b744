/// A line of the shell, read as far as that is possible without a daemon.
public enum ShellLine: Hashable, Sendable {
  /// Nothing, or a comment.
  case empty
  /// The first line of a JSON text; see ``JSONBalance``.
  case json
  /// A short form.
  case shortForm(ShortForm)
  /// A command with its arguments; at least one word.
  case command([ShellWords.Part])

  /// Reads a line without its end.
  ///
  /// - Throws: ``ShellLineError`` with the column of the first mistake.
  public init(_ line: String) throws(ShellLineError) {
    if JSONBalance.begins(line.utf8) {
      self = .json
    } else if let form = try ShortForm.parse(line) {
      self = .shortForm(form)
    } else {
      let words = try ShellWords(line).words
      self = words.isEmpty ? .empty : .command(words)
    }
  }
}

import MotionModel

/// The viewers that have a token of their own, as their file lists them: `TOKEN read|write NAME` on each line.
package struct ViewerList: Hashable, Sendable {
  /// A viewer.
  package struct Entry: Hashable, Sendable {
    /// Its token.
    package var token: AccessToken
    /// Whether it may change motion, or only look.
    package var mayChange: Bool
    /// Its name, for people.
    package var name: String

    /// A viewer.
    package init(_ token: AccessToken, mayChange: Bool, name: String) {
      (self.token, self.mayChange, self.name) = (token, mayChange, name)
    }
  }

  /// The error for a line that is no viewer.
  package struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    package let line: Int
    /// The line and the remedy, for people. It does not repeat the line, which may hold a token.
    package var description: String {
      "line \(line) is no viewer: write TOKEN read NAME, or TOKEN write NAME; motion-studio viewer add makes one"
    }
  }

  /// The viewers in order.
  package private(set) var entries: [Entry] = []

  /// No viewers.
  package init() {}

  /// Reads the file's text. Empty lines, and those that begin with `#`, are skipped.
  package init(_ text: String) throws(LineError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 3, let token = AccessToken(first), words[1] == "read" || words[1] == "write",
        Self.isName(words[2]), self[words[2]] == nil
      else { throw LineError(line: index + 1) }
      entries.append(Entry(token, mayChange: words[1] == "write", name: words[2]))
    }
  }

  /// The viewer of this name.
  package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

  /// The viewer with this token. Looks at all of them, so that the time does not depend on which one it is.
  package func viewer(with token: String) -> Entry? {
    var found: Entry?
    for entry in entries where entry.token.matches(token) { found = entry }
    return found
  }

  /// Adds a viewer with a new token; one of that name is replaced.
  package mutating func add(_ name: String, mayChange: Bool) -> Entry {
    remove(name)
    let entry = Entry(.random(), mayChange: mayChange, name: name)
    entries.append(entry)
    return entry
  }

  /// Removes a viewer: its token admits nobody any more.
  ///
  /// - Returns: whether there was one of that name.
  @discardableResult
  package mutating func remove(_ name: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.name == name }
    return entries.count < count
  }

  /// The text of the file.
  package var text: String {
    entries.map { "\($0.token.text) \($0.mayChange ? "write" : "read") \($0.name)\n" }.joined()
  }

  /// Whether a text can be a name: 1 to 64 bytes that can be shown, without blanks at the ends.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && ShownText.escaping(text) == text && !text.contains("\n")
      && !text.hasPrefix(" ") && !text.hasSuffix(" ")
  }
}

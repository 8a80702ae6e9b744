import ZeroMQ

extension AuthorizedKeys {
  /// The longest file of keys: 10,000 of them.
  static let fileBytes = 1 << 20

  /// The longest name of a key: that of a plugin with its instance fits.
  static let nameBytes = 128

  /// Reads a file: a line for each key, with its role, the public key in 40 characters, and a name. Lines that begin
  /// with `#`, and empty ones, are ignored.
  ///
  /// - Throws: ``KeyFileError`` or ``StartError``, with the line, when the file cannot be read or another user may
  ///   write into it: a user who can add a key has all rights of a key.
  init(reading path: String) throws {
    try self.init(parsing: KeyFile.text(of: path, isSecret: false, limit: Self.fileBytes), from: path)
  }

  /// Reads the text of such a file.
  package init(parsing text: String, from path: String) throws {
    self.init()
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let place = "\(path):\(index + 1)"
      let entry = try Self.entry(words, place)
      guard add(entry) else {
        throw StartError(
          "read the authorized keys \(place)", "the key of \(entry.name) is listed twice",
          remedy: "Give each client and each worker a key of its own: motionctl key new")
      }
    }
  }

  private static func entry(_ words: [Substring], _ place: String) throws -> Entry {
    func failure(_ problem: String) -> StartError {
      StartError(
        "read the authorized keys \(place)", problem,
        remedy: "Write client or worker, the 40 characters of the public key, and a name, separated by spaces")
    }
    guard words.count == 3 else {
      throw failure("the line has \(words.count == 1 ? "1 word" : "\(words.count) words"), not 3")
    }
    guard let role = Role(rawValue: String(words[0])) else { throw failure("\"\(words[0].prefix(32))\" is not a role") }
    guard let key = CurveKey(z85: String(words[1])) else {
      throw failure("\"\(words[1].prefix(64))\" is not a public key")
    }
    let name = String(words[2])
    guard name.utf8.count <= nameBytes else { throw failure("the name has more than \(nameBytes) bytes") }
    return Entry(role: role, key: key, name: name)
  }
}

import Glibc

/// A pair of CURVE keys in two files: the pair in a file that only its owner may read, and the public key in another
/// one.
///
/// The first has the lines `public KEY` and `secret KEY`; the second has `KEY NAME`. Keys are 40 characters of Z85.
/// Lines that begin with `#` are comments.
package struct CurveKeyFile: Sendable {
  /// The public key, which may be published.
  package let publicKey: CurveKey
  /// The secret key, which only its owner may have.
  package let secretKey: CurveKey

  /// The longest key file: a pair takes 100 bytes, and the rest is for comments.
  package static let longest = 4096

  /// Reads a pair.
  ///
  /// - Throws: ``KeyFileError`` when users other than its owner may read the file, it belongs to another user, or it
  ///   holds no pair.
  package init(reading path: String) throws(KeyFileError) {
    let lines = try KeyFile.lines(of: path, isSecret: true, limit: Self.longest)
    func key(_ word: String) -> CurveKey? {
      let found = lines.filter { $0.count == 2 && $0[0] == word }
      return found.count == 1 ? CurveKey(z85: found[0][1]) : nil
    }
    guard let publicKey = key("public"), let secretKey = key("secret") else {
      let found = lines.first?.first.flatMap(CurveKey.init(z85:)) == nil ? "no pair of keys" : "a public key only"
      throw KeyFileError(
        path, "it holds \(found), not the two lines \"public KEY\" and \"secret KEY\"", remedy: Self.remedy,
        isContent: true)
    }
    (self.publicKey, self.secretKey) = (publicKey, secretKey)
    guard secretKey.publicKey == publicKey else {
      throw KeyFileError(path, "its two keys are no pair", remedy: Self.remedy, isContent: true)
    }
  }

  private static let remedy = "Give the .key file of a pair, or make a pair: motionctl key new NAME"

  /// Reads a public key from a file, or from the text itself if that is a key.
  ///
  /// - Throws: ``KeyFileError`` when it is neither.
  package static func publicKey(_ text: String) throws(KeyFileError) -> CurveKey {
    if let key = CurveKey(z85: text) { return key }
    let lines = try KeyFile.lines(of: text, isSecret: false, limit: longest)
    if let key = lines.first?.first.flatMap(CurveKey.init(z85:)) { return key }
    // A file with the pair has the public key, too.
    if let line = lines.first(where: { $0.count == 2 && $0[0] == "public" }), let key = CurveKey(z85: line[1]) {
      return key
    }
    throw KeyFileError(
      text, "it holds no public key", remedy: "Give the file that ends in .pub, or the 40 characters of the key")
  }

  /// The longest list of public keys: about a thousand.
  package static let longestList = 1 << 16

  /// Reads the public keys of a file, one in each line, followed by a name; or one key from the text itself if that is
  /// a key.
  ///
  /// - Throws: ``KeyFileError`` when a line does not begin with a key, or there is none.
  package static func publicKeys(_ text: String) throws(KeyFileError) -> [CurveKey] {
    if let key = CurveKey(z85: text) { return [key] }
    let lines = try KeyFile.lines(of: text, isSecret: false, limit: longestList)
    var keys: [CurveKey] = []
    for line in lines {
      guard let key = CurveKey(z85: line[0]) else {
        // A file with the pair has the public key, too.
        if ["public", "secret"].contains(line[0]) { return [try publicKey(text)] }
        // The file may hold anything, and the error is shown on a terminal.
        let shown = line[0].unicodeScalars.prefix(48).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" }
        throw KeyFileError(
          text, "a line of it begins with no key: \(String(shown))",
          remedy: "Write KEY NAME, as the files do that end in .pub")
      }
      keys.append(key)
    }
    if keys.isEmpty { throw KeyFileError(text, "it holds no public key", remedy: "Write KEY NAME into it") }
    return keys
  }

  /// Generates a pair and writes its two files, which must not exist.
  ///
  /// - Parameters:
  ///   - path: of the pair, as a rule with `.key` at its end.
  ///   - publicPath: of the public key.
  ///   - name: the name of its owner, one word.
  /// - Throws: ``KeyFileError``.
  package static func make(at path: String, publicPath: String, name: String) throws(KeyFileError) -> CurveKeyFile {
    let (publicText, secretText): (String, String)
    do {
      let keys = try CurveKey.generate()
      (publicText, secretText) = (keys.0.z85, keys.1.z85)
    } catch {
      throw KeyFileError(path, "\(error)", remedy: "Use a libzmq that was built with CURVE")
    }
    let text =
      "# A key of \(name). Whoever has this file is \(name): keep it to yourself.\n"
      + "public \(publicText)\nsecret \(secretText)\n"
    try KeyFile.write(text, to: path, mode: 0o600)
    do {
      try KeyFile.write("\(publicText) \(name)\n", to: publicPath, mode: 0o644)
    } catch {
      unlink(path)
      throw error
    }
    return try CurveKeyFile(reading: path)
  }
}

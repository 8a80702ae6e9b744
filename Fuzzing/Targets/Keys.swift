import MotionCoordinator
import ZeroMQ

/// Files of keys: of whoever may connect from elsewhere, and of those who do.
enum Keys {
  static func run(_ bytes: [UInt8]) throws {
    try authorized(String(decoding: bytes, as: UTF8.self))
    let file = try MemoryFile(bytes)
    let path = file.path
    do {
      let pair = try CurveKeyFile(reading: path)
      try require(pair.secretKey.publicKey == pair.publicKey, "two keys that are no pair are taken for one")
    } catch let error as KeyFileError {
      try told(error)
    }
    do throws(KeyFileError) { _ = try CurveKeyFile.publicKey(path) } catch { try told(error) }
    withExtendedLifetime(file) {}
  }

  private static func authorized(_ text: String) throws {
    let keys: AuthorizedKeys
    do {
      keys = try AuthorizedKeys(parsing: text, from: "keys")
    } catch let error as StartError {
      return try require(!error.problem.isEmpty && !error.remedy.isEmpty, "keys are refused without words")
    }
    let written = keys.entries.map { "\($0.role.rawValue) \($0.key.z85) \($0.name)" }.joined(separator: "\n")
    try require(try AuthorizedKeys(parsing: written, from: "keys") == keys, "\(keys) are not read back")
  }

  private static func told(_ error: KeyFileError) throws {
    try require(!error.problem.isEmpty && !error.remedy.isEmpty, "a file of keys is refused without words")
  }
}

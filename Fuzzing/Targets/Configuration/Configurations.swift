/// Configuration files, as motiond checks them before anything is taken from them. The files beside this one are those of the
/// program, of which nobody can import anything.
enum Configurations {
  static func run(_ bytes: [UInt8]) throws {
    let file = try MemoryFile(bytes)
    defer { withExtendedLifetime(file) {} }
    do {
      try ConfigurationKeys.check(file.path)
      _ = try ConfigurationKeys.isEmpty(file.path)
    } catch let error as SettingsError {
      try require(!error.description.isEmpty, "a configuration is refused without words")
    }
  }
}

import Foundation

/// The locations of the built programs, and of the repository's files that belong to them.
enum Programs {
  /// The folder of the executables: `$MOTION_BIN`, else the one in which the tests were built.
  static let directory: String = {
    if let named = ProcessInfo.processInfo.environment["MOTION_BIN"], !named.isEmpty { return named }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().path
  }()

  /// The path of a program.
  static func path(_ name: String) throws -> String {
    let path = "\(directory)/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Problem("\(path) is not there; build it (make build), or set MOTION_BIN to the folder of the executables")
    }
    return path
  }

  /// The path of a file of the repository.
  static func source(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../\(name)").standardized
      .path
  }
}

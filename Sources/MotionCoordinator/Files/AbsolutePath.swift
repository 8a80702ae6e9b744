import Glibc

/// Absolute paths.
enum AbsolutePath {
  /// The absolute form of a path that is relative to the working directory.
  static func of(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }
}

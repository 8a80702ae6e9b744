import Glibc

/// The way from the root.
enum AbsolutePath {
  /// The way from the root to what this path leads to from the working directory.
  static func of(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }
}

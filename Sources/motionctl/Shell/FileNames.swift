import Glibc

/// The names of files, for completion.
enum FileNames {
  /// The most entries of a folder that are read: beyond that, a list is of no use at a keyboard.
  private static let mostEntries = 10_000

  /// The paths that begin with a text: folders, with a slash, and the files with one of these endings.
  ///
  /// - Parameter extensions: the endings; empty for all files, `nil` for folders only.
  static func matching(_ prefix: String, extensions: [String]?) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    guard let entries = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(entries) }
    var found: [String] = []
    var count = 0
    while let entry = readdir(entries), count < mostEntries {
      count += 1
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = folder + name
      // Hidden files only if the user has typed the dot.
      guard path.hasPrefix(prefix), name != ".", name != "..",
        !name.hasPrefix(".") || prefix.dropFirst(folder.count).hasPrefix(".")
      else { continue }
      if isFolder(path) {
        found.append(path + "/")
      } else if let extensions, extensions.isEmpty || extensions.contains(where: { name.hasSuffix("." + $0) }) {
        found.append(path)
      }
    }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

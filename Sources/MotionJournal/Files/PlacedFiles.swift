import Glibc

/// Detects that open files were moved or removed: data written to such a file is lost.
struct PlacedFiles {
  private struct Identity: Equatable {
    let device: dev_t
    let file: ino_t
  }

  private let paths: [String]
  private var identities: [Identity?]

  /// Records which files are at the paths now. A missing file is recorded when it appears.
  init(_ paths: [String]) {
    self.paths = paths
    identities = paths.map(Self.identity)
  }

  /// Checks that the files are still there; takes a microsecond for each.
  ///
  /// - Throws: ``JournalError/Code/missing``.
  mutating func check() throws(JournalError) {
    for (index, path) in paths.enumerated() {
      let now = Self.identity(of: path)
      guard let known = identities[index] else {
        identities[index] = now
        continue
      }
      guard now != known else { continue }
      throw JournalError(
        .missing, at: path,
        now == nil ? "it has been moved or removed" : "it has been replaced by another file",
        remedy: "Restore the journal's directory")
    }
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    return lstat(path, &status) == 0 ? Identity(device: status.st_dev, file: status.st_ino) : nil
  }
}

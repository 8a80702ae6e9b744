import Glibc

/// An entry of the wrong kind in the state or journal directory: a file in place of a directory, or a directory or pipe
/// in place of a file.
package struct Misplaced {
  let path: String
  let problem: String

  /// The misplaced entries of these settings.
  static func all(_ settings: CoordinatorSettings) -> [Misplaced] {
    let journal = settings.journalOpener == nil ? settings.journalDirectory : nil
    return all(["epoch", "journal.last"].map { ("\(settings.stateDirectory)/\($0)", false) })
      + (journal.map(all(inJournal:)) ?? [])
  }

  private static func all(inJournal journal: String) -> [Misplaced] {
    let files = ["journal.epoch", "journal.head", "journal.sqlite", "journal.sqlite-wal", "journal.lock"]
    return all([(journal, true)] + files.map { ("\(journal)/\($0)", false) })
  }

  private static func all(_ places: [(path: String, isDirectory: Bool)]) -> [Misplaced] {
    places.compactMap { place in
      var status = stat()
      // Symbolic links are followed: a journal may be on another disk.
      guard stat(place.path, &status) == 0 else { return nil }
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      if place.isDirectory {
        return isDirectory ? nil : Misplaced(path: place.path, problem: "it is not a directory")
      }
      guard status.st_mode & S_IFMT != S_IFREG else { return nil }
      return Misplaced(path: place.path, problem: isDirectory ? "it is a directory" : "it is not a file")
    }
  }

  /// Checks that nothing is misplaced.
  ///
  /// - Throws: ``StartError`` with the first entry that is.
  static func check(_ settings: CoordinatorSettings) throws(StartError) { try check(all(settings)) }

  /// Checks that nothing is misplaced in the directory of a journal.
  ///
  /// - Throws: ``StartError`` with the first entry that is.
  package static func check(journal: String) throws(StartError) { try check(all(inJournal: journal)) }

  private static func check(_ misplaced: [Misplaced]) throws(StartError) {
    guard let first = misplaced.first else { return }
    throw StartError(
      "use \(first.path)", first.problem,
      remedy: "Restore the original, or start motiond once with --accept-loss, which renames it")
  }

  /// Renames the misplaced entries, so that a start that accepts loss can create them again.
  ///
  /// - Returns: what was renamed, and to what.
  /// - Throws: ``StartError`` if an entry cannot be renamed.
  static func setAside(_ settings: CoordinatorSettings) throws -> [String] {
    var renamed: [String] = []
    while let entry = all(settings).first {
      let other = "\(entry.path).damaged-\(time(nil))"
      guard rename(entry.path, other) == 0 else {
        throw StartError(writing: "rename \(entry.path)", remedy: "Move it away")
      }
      renamed.append("\(entry.path): \(entry.problem), and was renamed to \(other)")
    }
    return renamed
  }
}

package import LinuxSystem
import MotionJournal
import MotionWire

/// All names that a start opens, creates or replaces, in its directories: the one list for a start, `motiond --check`
/// and `motionctl journal verify`. What a start does not open is not listed: plugins, the recording and files that a
/// setting names have checks of their own.
package enum StartEntries {
  /// The names in a state directory, and the directory first.
  ///
  /// - Parameters:
  ///   - keepsAssignments: whether workers on other machines may connect.
  ///   - makesKey: whether motiond's key for other machines is kept there.
  package static func state(
    _ directory: String, keepsAssignments: Bool = false, makesKey: Bool = false
  ) -> [ExpectedEntry] {
    var entries = [
      ExpectedEntry(directory, .linkedDirectory, isOurs: false),
      ExpectedEntry("\(directory)/epoch.lock", .file(isWritten: true), isOwned: true),
    ]
    for name in ["epoch", "journal.last"] + (keepsAssignments ? ["assignments"] : []) {
      entries += replaced("\(directory)/\(name)")
    }
    // An administrator may keep a key elsewhere, and put a link here.
    if makesKey { entries += ["motiond.key", "motiond.pub"].map { ExpectedEntry("\(directory)/\($0)", .linkedFile) } }
    return entries
  }

  /// The names in a journal's directory, and the directory first.
  package static func journal(_ directory: String) -> [ExpectedEntry] {
    SQLiteJournal.entries(in: directory) + replaced("\(directory)/journal.epoch")
  }

  /// The names in a runtime directory, and the directory first.
  static func runtime(_ paths: RuntimePaths) -> [ExpectedEntry] {
    let sockets = [
      paths.controlSocket, paths.valuesSocket, paths.linkSocket, paths.commandsSocket, paths.ticksSocket,
      paths.eventsSocket,
    ]
    return [
      ExpectedEntry(paths.directory, .linkedDirectory, isOurs: false),
      ExpectedEntry(paths.lockFile, .file(isWritten: true)),
      ExpectedEntry(paths.clientDirectory, .directory), ExpectedEntry(paths.workerDirectory, .directory),
    ] + sockets.map { ExpectedEntry($0, .socket) }
  }

  /// The names that a start with these settings opens: the directories of the sockets, of the state, and of the journal
  /// if it is on a disk.
  static func all(
    _ settings: CoordinatorSettings
  ) -> (runtime: [ExpectedEntry], state: [ExpectedEntry], journal: [ExpectedEntry]) {
    let paths = RuntimePaths(directory: AbsolutePath.of(settings.runtimeDirectory))
    let listens = settings.clientListener != nil || settings.workerListener != nil
    let state = state(
      settings.stateDirectory, keepsAssignments: settings.workerListener != nil,
      makesKey: listens && settings.key == nil)
    let directory = settings.journalOpener == nil ? settings.journalDirectory : nil
    return (runtime(paths), state, directory.map(journal) ?? [])
  }

  /// A small file, and the name under which its replacement is written.
  private static func replaced(_ path: String) -> [ExpectedEntry] {
    [
      ExpectedEntry(path, .file(isWritten: false), isOwned: true),
      ExpectedEntry(SyncedFile.replacement(of: path), .temporaryFile),
    ]
  }
}

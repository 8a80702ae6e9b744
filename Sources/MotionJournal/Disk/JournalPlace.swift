import Glibc
import LinuxSystem

/// The files of a journal, and how a damaged journal is set aside.
struct JournalPlace {
  let directory: String
  let options: JournalOptions

  var database: String { "\(directory)/\(SQLiteJournal.FileName.database)" }
  var log: String { database + "-wal" }
  /// The file in which SQLite would keep the previous pages of a transaction, if there were no write-ahead log: it
  /// exists while a journal is created, and after a power loss at that time.
  var rollbackLog: String { database + "-journal" }
  var head: String { "\(directory)/\(SQLiteJournal.FileName.head)" }
  var lock: String { "\(directory)/\(SQLiteJournal.FileName.lock)" }

  /// All files.
  var files: [String] { [database, log, head, lock] }

  /// The files from which a start would read the journal. After a crash while a damaged journal was replaced, some are
  /// still in the folder of the new one.
  var current: (database: String, log: String, head: String) {
    let (new, isNew) = (built, { (path: String) in Folder.size(of: path) != nil })
    let (database, log) = isNew(new.database) ? (new.database, new.log) : (database, log)
    return (database, log, isNew(new.head) ? new.head : head)
  }

  /// Whether there is a journal, or a part of one.
  var holdsFiles: Bool { [database, head].contains { Folder.size(of: $0) != nil } }

  /// The folder in which a replacement for a damaged journal is built, and the folder in which it waits, complete.
  private var building: JournalPlace { JournalPlace(directory: "\(directory)/building", options: options) }
  var built: JournalPlace { JournalPlace(directory: "\(directory)/built", options: options) }

  /// Replaces the existing journal with a new one that has these contents. The old files move to a folder `damaged-…`.
  ///
  /// The new journal is built next to the old one first. So a crash at any moment leaves the damaged journal or the
  /// new one, and ``finishReplacing()`` completes the replacement.
  func replace(with contents: JournalContents) throws(JournalError) {
    let place = building
    try place.remove()
    try Folder.make(place.directory)
    try JournalBuilder.build(contents, at: place)
    unlink(place.lock)
    guard rename(place.directory, built.directory) == 0 else { throw .system("rename", place.directory) }
    try Folder.sync(directory)
    try finishReplacing()
  }

  /// Completes ``replace(with:)`` after a crash.
  func finishReplacing() throws(JournalError) {
    let place = built
    guard Folder.size(of: place.directory) != nil else { return }
    let new = [(place.database, database), (place.head, head)].filter { Folder.size(of: $0.0) != nil }
    if !new.isEmpty {
      let damaged = try damagedFolder()
      // The log moves first, because it must never lie next to another database. The head moves last, because it marks
      // the journal as complete.
      if Folder.size(of: place.database) != nil { try Self.move(log, into: damaged) }
      for (new, old) in new {
        try Self.move(old, into: damaged)
        guard rename(new, old) == 0 else { throw .system("rename", new) }
        try Folder.sync(directory)
      }
    }
    try place.remove()
    try Folder.sync(directory)
  }

  /// Creates a folder for the damaged files, named by the current time: "damaged-2026-11-22T131415Z".
  private func damagedFolder() throws(JournalError) -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H%M%SZ", &parts)
    let name = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let base = "\(directory)/damaged-\(name)"
    var (path, number) = (base, 1)
    while mkdir(path, 0o700) != 0 {
      guard errno == EEXIST else { throw .system("make", path) }
      number += 1
      path = "\(base)-\(number)"
    }
    return path
  }

  private static func move(_ path: String, into folder: String) throws(JournalError) {
    guard Folder.size(of: path) != nil else { return }
    let name = path.split(separator: "/").last ?? ""
    guard rename(path, "\(folder)/\(name)") == 0 else { throw .system("rename", path) }
  }

  /// Removes the folder of a journal that was being built, with its files. If the folder contains anything else, it is
  /// renamed.
  private func remove() throws(JournalError) {
    unlink(directory)
    for path in files + [rollbackLog] { unlink(path) }
    guard rmdir(directory) != 0, errno != ENOENT else { return }
    do {
      _ = try ExpectedEntry(directory, .temporaryDirectory).setAside()
    } catch {
      throw .system("rename", directory, error.code)
    }
  }
}

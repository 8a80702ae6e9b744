import Glibc

/// The files of a journal, and how a damaged journal is set aside.
struct JournalPlace {
  let directory: String
  let options: JournalOptions

  var database: String { "\(directory)/\(SQLiteJournal.FileName.database)" }
  var log: String { database + "-wal" }
  var head: String { "\(directory)/\(SQLiteJournal.FileName.head)" }
  var lock: String { "\(directory)/\(SQLiteJournal.FileName.lock)" }

  /// All files.
  var files: [String] { [database, log, head, lock] }

  /// Whether there is a journal, or a part of one.
  var holdsFiles: Bool { [database, head].contains { Folder.size(of: $0) != nil } }

  /// The folder in which a replacement for a damaged journal is built, and the folder in which it waits, complete.
  private var building: String { "\(directory)/building" }
  private var built: String { "\(directory)/built" }

  /// Replaces the existing journal with a new one that has these contents. The old files move to a folder `damaged-…`.
  ///
  /// The new journal is built next to the old one first. So a crash at any moment leaves the damaged journal or the
  /// new one, and ``finishReplacing()`` completes the replacement.
  func replace(with contents: JournalContents) throws(JournalError) {
    Self.remove(building)
    let place = JournalPlace(directory: building, options: options)
    try Folder.make(building)
    try JournalBuilder.build(contents, at: place)
    unlink(place.lock)
    guard rename(building, built) == 0 else { throw .system("rename", building) }
    try Folder.sync(directory)
    try finishReplacing()
  }

  /// Completes ``replace(with:)`` after a crash.
  func finishReplacing() throws(JournalError) {
    guard Folder.size(of: built) != nil else { return }
    let place = JournalPlace(directory: built, options: options)
    let damaged = try damagedFolder()
    // The log moves first, because it must never lie next to another database. The head moves last, because it marks
    // the journal as complete.
    if Folder.size(of: place.database) != nil { try Self.move(log, into: damaged) }
    for (new, old) in [(place.database, database), (place.head, head)] where Folder.size(of: new) != nil {
      try Self.move(old, into: damaged)
      guard rename(new, old) == 0 else { throw .system("rename", new) }
      try Folder.sync(directory)
    }
    Self.remove(built)
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
    let path = "\(directory)/damaged-\(name)"
    try Folder.make(path)
    return path
  }

  private static func move(_ path: String, into folder: String) throws(JournalError) {
    guard Folder.size(of: path) != nil else { return }
    let name = path.split(separator: "/").last ?? ""
    guard rename(path, "\(folder)/\(name)") == 0 else { throw .system("rename", path) }
  }

  /// Removes one of our own folders, which contain only these files.
  private static func remove(_ folder: String) {
    for name in [
      SQLiteJournal.FileName.database, SQLiteJournal.FileName.database + "-wal", SQLiteJournal.FileName.head,
      SQLiteJournal.FileName.lock,
    ] {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }
}

extension JournalPlace {
  /// Checks that only the owner, root or the user of this process, can exchange files in the journal's directory. Its
  /// files must be regular files: a link leads elsewhere, and a pipe would block.
  ///
  /// A user who could write there would control what moves, and could block motiond by locking its journal.
  func checkOwner() throws(JournalError) {
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .system("look at", directory) }
    try Self.check(status, of: directory)
    guard status.st_mode & 0o022 == 0 else {
      throw JournalError(
        .inaccessible, at: directory,
        "users other than its owner may write into it (mode \(String(status.st_mode & 0o7777, radix: 8)))",
        remedy: "Name a directory of its own, or remove this permission: chmod go-w \(directory)")
    }
    for path in files where lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        let what = status.st_mode & S_IFMT == S_IFLNK ? "it is a link" : "it is not a file"
        throw JournalError(.inaccessible, at: path, what, remedy: "Put the file itself in its place")
      }
      try Self.check(status, of: path)
    }
  }

  private static func check(_ status: stat, of path: String) throws(JournalError) {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return }
    throw JournalError(
      .inaccessible, at: path, "it belongs to user \(status.st_uid)",
      remedy: "Give it to the user that motiond runs as (chown \(geteuid())), if you trust its contents")
  }
}

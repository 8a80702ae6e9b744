import Glibc

/// Where a journal lies: its files, and how a damaged one is put aside.
struct JournalPlace {
  let directory: String
  let options: JournalOptions

  var database: String { "\(directory)/\(SQLiteJournal.FileName.database)" }
  var log: String { database + "-wal" }
  var head: String { "\(directory)/\(SQLiteJournal.FileName.head)" }
  var lock: String { "\(directory)/\(SQLiteJournal.FileName.lock)" }

  /// All of them.
  var files: [String] { [database, log, head, lock] }

  /// Whether there is a journal, or something of one.
  var holdsFiles: Bool { [database, head].contains { Folder.size(of: $0) != nil } }

  /// Where a journal is built that is to take the place of a damaged one, and where it waits for that, complete.
  private var building: String { "\(directory)/building" }
  private var built: String { "\(directory)/built" }

  /// Puts a new journal with these contents in the place of what is there, which is kept in a folder `damaged-…`.
  ///
  /// It is built beside it first, so that a crash at any moment leaves the damaged one or the new one, and
  /// ``finishReplacing()`` goes on from there.
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

  /// Goes on with what ``replace(with:)`` began, if a crash came between.
  func finishReplacing() throws(JournalError) {
    guard Folder.size(of: built) != nil else { return }
    let place = JournalPlace(directory: built, options: options)
    let damaged = try damagedFolder()
    // The log first: it must never lie beside a database that is not its own. The head last: it says what is complete.
    if Folder.size(of: place.database) != nil { try Self.move(log, into: damaged) }
    for (new, old) in [(place.database, database), (place.head, head)] where Folder.size(of: new) != nil {
      try Self.move(old, into: damaged)
      guard rename(new, old) == 0 else { throw .system("rename", new) }
      try Folder.sync(directory)
    }
    Self.remove(built)
    try Folder.sync(directory)
  }

  /// A folder for what is damaged, by the time at which it was found so: "damaged-2026-11-22T131415Z".
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

  /// Removes one of our own folders, in which there are files only.
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

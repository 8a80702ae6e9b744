import Glibc

/// A copy of a database and its write-ahead log in a folder of its own; removed with this object.
///
/// SQLite applies a rollback log that lies beside a database, or waits for a pipe under its name. A start removes such
/// a file, because a journal uses a write-ahead log from its first row on. A reader must not remove it, so it reads a
/// copy without that file. Takes as much time and space as the files have bytes.
final class DatabaseCopy {
  private let folder: String
  /// The path of the copied database.
  var database: String { "\(folder)/\(SQLiteJournal.FileName.database)" }
  private var log: String { database + "-wal" }

  /// Copies the database at `path`, and its log if there is one, into the directory for temporary files.
  init(of path: String) throws(JournalError) {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(place)/motion-journal-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("copy", path) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Self.copy(path, to: database)
    if Folder.size(of: path + "-wal") != nil { try Self.copy(path + "-wal", to: log) }
  }

  deinit {
    unlink(database)
    unlink(log)
    rmdir(folder)
  }

  private static func copy(_ path: String, to copy: String) throws(JournalError) {
    let source = open(path, O_RDONLY | Folder.openFlags)
    guard source >= 0 else { throw .system("open", path) }
    defer { close(source) }
    let destination = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard destination >= 0 else { throw .system("make", copy) }
    defer { close(destination) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("read", path) }
      guard count > 0 else { return }
      var written = 0
      while written < count {
        let step = bytes.withUnsafeBytes { write(destination, $0.baseAddress?.advanced(by: written), count - written) }
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw .system("write", copy) }
        written += step
      }
    }
  }
}

import CSQLite
import Glibc
import MotionTestKit

@testable import MotionJournal

/// A journal's folder, and direct changes of its files by a test.
struct JournalFolder {
  let folder: TemporaryFolder
  var path: String { "\(folder.path)/journal" }
  var database: String { "\(path)/journal.sqlite" }
  var log: String { database + "-wal" }
  var head: String { "\(path)/journal.head" }

  init() throws { folder = try TemporaryFolder() }

  func open(acceptingLoss: Bool = false, options: JournalOptions = JournalOptions()) throws(JournalError)
    -> SQLiteJournal
  {
    try SQLiteJournal(at: path, acceptingLoss: acceptingLoss, options: options)
  }

  /// Fills it with rows and a checkpoint, and closes it.
  func fill(_ rows: UInt64, checkpoint: UInt64? = nil, tidy: Bool = true) throws {
    let journal = try open()
    let last = try journal.contents().lastSequence
    if last < rows { try journal.append(JournalRow.samples(last + 1...rows)) }
    if let checkpoint { try journal.checkpoint(.sample(checkpoint)) }
    if tidy { while try journal.tidy() {} }
    journal.close()
  }

  /// Runs statements on the database, as a person who bypasses motiond would.
  func alter(_ sql: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(database, &connection) == SQLITE_OK, sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw TemporaryFolder.Problem(description: String(cString: sqlite3_errmsg(connection))) }
  }

  func read(_ path: String) throws -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TemporaryFolder.Problem(description: path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else {
      throw TemporaryFolder.Problem(description: path)
    }
    return bytes
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TemporaryFolder.Problem(description: path) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TemporaryFolder.Problem(description: path)
    }
  }

  /// All files, by name.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in [database, log, head] where Folder.size(of: path) != nil { files[path] = try read(path) }
    return files
  }

  /// Writes files that were read before, and removes those that did not exist then.
  func restore(_ files: [String: [UInt8]]) throws {
    for path in [database, log, head] { unlink(path) }
    for (path, bytes) in files { try write(bytes, to: path) }
  }
}

import Glibc
import LinuxSystem
import MotionModel
import MotionWire

/// The files of a ring: the newest begins with a snapshot, and the one before it has the frames between that snapshot and
/// the first frame in the newest.
struct RingFolder {
  let path: String

  /// How many starts in a row may end while they read the ring: one that ends each of them is not to prevent motiond from
  /// starting.
  static let mostReadings = 3

  /// The files whose presence means that a start is reading the ring, or has ended while it did.
  private var signs: [String] { (1...Self.mostReadings).map { "\(path)/reading-\($0)" } }

  init(at path: String) { self.path = path }

  /// The folder within a runtime directory.
  init(in directory: RuntimeDirectory) { self.init(at: "\(directory.path)/ring") }

  /// Makes the folder.
  ///
  /// - Throws: ``PrivateDirectoryError``.
  func make() throws(PrivateDirectoryError) { try PrivateDirectory.make(path, isWithinOurs: true) }

  func path(of number: UInt64) -> String { "\(path)/\(number)" }

  /// The path of the file with the operations of a transaction.
  func path(ofTransaction sequence: UInt64) -> String { "\(path)/transaction-\(sequence)" }

  /// The numbers of the files, the oldest first.
  var numbers: [UInt64] { (FolderEntries.names(in: path) ?? []).compactMap { UInt64($0) }.sorted() }

  /// Removes everything in it.
  func clear() {
    for name in FolderEntries.names(in: path) ?? [] { unlink("\(path)/\(name)") }
  }

  /// Removes files.
  func remove(_ numbers: some Sequence<UInt64>) { for number in numbers { unlink(path(of: number)) } }

  /// Makes a file, with room for what follows.
  ///
  /// - Throws: ``SystemError`` when it cannot be written; there is none then.
  func make(_ number: UInt64, _ bytes: [UInt8]) throws(SystemError) {
    try make(path(of: number), bytes, room: Ring.room(after: bytes.count))
  }

  /// Makes the file with the operations of a transaction, likewise.
  func make(transaction sequence: UInt64, _ bytes: [UInt8]) throws(SystemError) {
    try make(path(ofTransaction: sequence), bytes)
  }

  private func make(_ path: String, _ bytes: [UInt8], room: Int = 0) throws(SystemError) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
    defer { close(descriptor) }
    var status = WholeWrite.write(bytes, to: descriptor)
    if status == 0, room > 0 { status = posix_fallocate(descriptor, bytes.count, room) }
    guard status == 0 else {
      unlink(path)
      throw SystemError(code: status, operation: "write \(path)")
    }
  }

  /// The contents of the files, the oldest first.
  var files: [(number: UInt64, bytes: [UInt8])] {
    numbers.compactMap { number in
      (try? FileBytes.read(path(of: number), limit: 1 << 30)).map { (number: number, bytes: $0) }
    }
  }

  /// The contents of the file with the operations of a transaction; `nil` if there is none.
  func bytes(ofTransaction sequence: UInt64) -> [UInt8]? {
    try? FileBytes.read(path(ofTransaction: sequence), limit: 1 << 30)
  }

  // MARK: Reading

  /// A start begins to read the ring.
  ///
  /// - Returns: whether it may: fewer than ``mostReadings`` before it have ended while they did.
  func beginReading() -> Bool {
    for sign in signs {
      let descriptor = open(sign, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor < 0 else {
        close(descriptor)
        return true
      }
      guard errno == EEXIST else { return false }
    }
    return false
  }

  /// The start has read it.
  func endReading() { for sign in signs { unlink(sign) } }
}

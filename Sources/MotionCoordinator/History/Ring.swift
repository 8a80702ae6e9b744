import Glibc
import LinuxSystem
import MotionModel
import MotionWire

/// The file to which the loop appends each frame before the frame has any effect outside.
///
/// It is in memory (the runtime directory), so that the loop waits for no disk. What was written survives the end of the
/// process, and not that of the machine.
struct Ring {
  /// How much is appended to a file at most, after the state that it begins with: memory of the machine.
  static let mostBytes = 64 << 20
  /// How much is in it when the thread is asked for the next file.
  private static let muchBytes = mostBytes / 4

  private let folder: RingFolder
  private let descriptor: Int32
  let number: UInt64
  /// The bytes after the state.
  private var bytes: Int

  /// Continues a file, with a mark.
  ///
  /// - Parameter parts: the size of the state, and where to continue. Without them nothing follows the state yet.
  /// - Throws: ``SystemError``.
  init(
    _ number: UInt64, in folder: RingFolder, after parts: (state: Int, length: Int)? = nil, _ mark: RingFile.Mark
  ) throws(SystemError) {
    (self.folder, self.number) = (folder, number)
    let path = folder.path(of: number)
    descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
    if let parts { _ = ftruncate(descriptor, parts.length) }
    bytes = parts.map { max(0, $0.length - $0.state) } ?? 0
    if let problem = append(RingFile.bytes(of: mark)) {
      close(descriptor)
      throw SystemError(code: problem, operation: "write \(path)")
    }
  }

  /// Whether the next file should follow.
  var isLarge: Bool { bytes >= Self.muchBytes }

  /// Appends a record.
  ///
  /// - Returns: the number of the error, if it cannot be written. The ring is of no use then.
  mutating func append(_ record: [UInt8]) -> Int32? {
    guard bytes + record.count <= Self.mostBytes else { return EFBIG }
    let written = record.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard written == record.count else { return written < 0 ? errno : ENOSPC }
    bytes += written
    return nil
  }

  /// Nothing is appended any more; the files before this one are removed, as the next does not need them.
  ///
  /// - Parameter isKept: whether the next file needs this one.
  func end(isKept: Bool) {
    close(descriptor)
    folder.remove(folder.numbers.filter { isKept ? $0 < number : $0 <= number })
  }
}

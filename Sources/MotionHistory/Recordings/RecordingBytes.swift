import Glibc

/// The bytes of a file, piece by piece.
final class RecordingBytes {
  /// The number of bytes per read.
  private static let chunk = 1 << 16

  let file: String
  private(set) var isAtEnd = false
  private let descriptor: Int32
  private let isInterrupted: () -> Bool
  /// The place in the file from which the next piece is read.
  private(set) var offset: Int
  private var buffer = [UInt8](repeating: 0, count: RecordingBytes.chunk)

  /// - Parameters:
  ///   - offset: where in the file to begin.
  ///   - isInterrupted: asked before each read.
  init(_ file: String, from offset: Int = 0, isInterrupted: @escaping () -> Bool) throws(HistoryError) {
    (self.file, self.offset, self.isInterrupted) = (file, offset, isInterrupted)
    descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(file) }
    // A pipe has no places, and is read from its beginning.
    if offset > 0, lseek(descriptor, offset, SEEK_SET) < 0 { throw Self.unreadable(file) }
  }

  deinit { close(descriptor) }

  /// The next piece; empty at the end.
  func next() throws(HistoryError) -> ArraySlice<UInt8> {
    guard !isInterrupted() else { throw .interruption }
    let count = read(descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw Self.unreadable(file) }
    isAtEnd = count == 0
    offset += count
    return buffer[..<count]
  }

  private static func unreadable(_ file: String) -> HistoryError {
    HistoryError(
      "cannot read \(file): \(String(cString: strerror(errno)))", remedy: "check the path and its permissions")
  }
}

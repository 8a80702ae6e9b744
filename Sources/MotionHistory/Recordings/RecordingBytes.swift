import Glibc

/// The bytes of a recording, piece by piece.
final class RecordingBytes {
  /// The number of bytes per read.
  private static let chunk = 1 << 16

  /// The path or the name of the recording.
  let file: String
  private(set) var isAtEnd = false
  private let input: Input
  private let isInterrupted: () -> Bool
  /// The place from which the next piece is read.
  private(set) var offset: Int
  private var buffer: [UInt8] = []

  private enum Input {
    case descriptor(Int32)
    case memory([UInt8])
  }

  /// - Parameters:
  ///   - offset: where to begin.
  ///   - isInterrupted: asked before each read.
  init(_ source: RecordingSource, from offset: Int = 0, isInterrupted: @escaping () -> Bool) throws(HistoryError) {
    (file, self.offset, self.isInterrupted) = (source.name, offset, isInterrupted)
    switch source {
    case .bytes(let bytes, _): input = .memory(bytes)
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      input = .descriptor(descriptor)
      guard descriptor >= 0 else { throw Self.unreadable(path) }
      // A pipe has no places, and is read from its beginning.
      if offset > 0, lseek(descriptor, offset, SEEK_SET) < 0 { throw Self.unreadable(path) }
      buffer = [UInt8](repeating: 0, count: Self.chunk)
    }
  }

  deinit { if case .descriptor(let descriptor) = input, descriptor >= 0 { close(descriptor) } }

  /// The next piece; empty at the end.
  func next() throws(HistoryError) -> ArraySlice<UInt8> {
    guard !isInterrupted() else { throw .interruption }
    let piece: ArraySlice<UInt8>
    switch input {
    case .memory(let bytes): piece = bytes.dropFirst(offset).prefix(Self.chunk)
    case .descriptor(let descriptor):
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw Self.unreadable(file) }
      piece = buffer[..<count]
    }
    isAtEnd = piece.isEmpty
    offset += piece.count
    return piece
  }

  private static func unreadable(_ file: String) -> HistoryError {
    HistoryError(
      "cannot read \(file): \(String(cString: strerror(errno)))", remedy: "check the path and its permissions")
  }
}

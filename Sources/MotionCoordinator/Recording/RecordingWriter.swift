import Glibc
import MotionModel
import MotionWire

/// Writes a recording frame by frame.
///
/// Frames reach the file when 64 KiB have been collected, with the first frame after a second, when the runtime falls
/// idle, and at the end. A daemon that is killed loses at most its last second; readers report an end that is cut off.
final class RecordingWriter {
  private let descriptor: Int32
  /// The new path of the recording that was at the path before.
  let kept: String?
  private let path: String
  private var buffer: [UInt8]
  private var lastFlush: Duration

  /// Bytes that are collected before they are written: one system call for some hundred frames.
  static let chunk = 65_536
  /// How long a frame may wait to be written.
  static let timeout = Duration.seconds(1)

  init(_ path: String, _ header: RecordingHeader, at now: Duration) throws {
    let place = try RecordingPlace(path)
    (descriptor, kept) = (place.descriptor, place.kept)
    self.path = path
    buffer = RecordingFile.beginning(header)
    lastFlush = now
    try flush()
  }

  deinit { Glibc.close(descriptor) }

  /// Adds a frame.
  ///
  /// - Throws: ``StartError`` when the file cannot be written; nothing more should be added then.
  func write(_ frame: RecordedFrame, at now: Duration) throws {
    buffer += RecordingFile.chunk(frame)
    guard buffer.count >= Self.chunk || now - lastFlush >= Self.timeout else { return }
    lastFlush = now
    try flush()
  }

  /// Writes the rest of the buffer.
  func flush() throws {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw StartError("write \(path)", String(cString: strerror(errno)), remedy: "Free some space and record again")
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

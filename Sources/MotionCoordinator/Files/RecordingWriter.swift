import Glibc
import MotionModel
import MotionWire

/// Writes a recording frame by frame.
///
/// Chunks are written when 64 KiB have come together and at the end; what a killed daemon has not written is missing at
/// the end of the file, which readers report.
final class RecordingWriter {
  private let descriptor: Int32
  private let path: String
  private var buffer: [UInt8]

  /// Bytes that are collected before they are written: one system call for some hundred frames.
  static let chunk = 65_536

  init(_ path: String, _ header: RecordingHeader) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StartError("record to \(path)", String(cString: strerror(errno)), remedy: "Choose another file")
    }
    self.path = path
    buffer = RecordingFile.beginning(header)
  }

  /// Checks that a recording could be written to `path`, if there is to be one, without touching what is there.
  static func check(_ path: String?) throws {
    guard let path else { return }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let target = access(path, F_OK) == 0 ? path : folder.isEmpty ? "/" : folder
    guard access(target, W_OK) == 0 else {
      throw StartError("record to \(path)", String(cString: strerror(errno)), remedy: "Choose another file")
    }
  }

  /// Adds a frame.
  func write(_ frame: RecordedFrame) throws {
    buffer += RecordingFile.chunk(frame)
    if buffer.count >= Self.chunk { try flush() }
  }

  /// Writes what is left and closes the file.
  func close() {
    try? flush()
    Glibc.close(descriptor)
  }

  private func flush() throws {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw StartError("write \(path)", String(cString: strerror(errno)), remedy: "Make room and record anew")
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

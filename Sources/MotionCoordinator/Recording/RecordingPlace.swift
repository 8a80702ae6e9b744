import Glibc
import MotionWire

/// The file that a recording goes to: locked while it is recorded into, and never at the cost of existing data.
///
/// An existing recording, of any format, is kept under the next free name (`show.mcap.1`); any other file is not touched. A pipe with
/// a reader is accepted, too.
struct RecordingPlace {
  /// The file, for writing; the caller closes it.
  let descriptor: Int32
  /// The new path of the recording that was there before.
  let kept: String?

  /// Takes the file.
  ///
  /// - Throws: ``StartError`` when it cannot be written, holds something else, or is being recorded into.
  init(_ path: String) throws {
    if let file = try Self.existing(path) {
      guard file.isRegular, file.isRecording else {
        (descriptor, kept) = (file.descriptor, nil)
        return
      }
      kept = try Self.moveAside(path)
      close(file.descriptor)
    } else {
      kept = nil
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    try Self.lock(descriptor, path)
  }

  /// Checks that ``init(_:)`` would succeed, without touching existing files.
  static func check(_ path: String) throws {
    if let file = try existing(path) {
      close(file.descriptor)
      return
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard access(folder.isEmpty ? "/" : folder, W_OK) == 0 else { throw failure(path) }
  }

  private struct Existing {
    let descriptor: Int32
    let isRegular: Bool
    let isRecording: Bool
  }

  /// The existing file, locked; `nil` if there is none.
  private static func existing(_ path: String) throws -> Existing? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw failure(path) }
      return nil
    }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    // Opening a pipe without a reader would block.
    let descriptor = open(path, (isRegular ? O_RDWR : O_WRONLY) | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    do {
      guard isRegular else {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return Existing(descriptor: descriptor, isRegular: false, isRecording: false)
      }
      try lock(descriptor, path)
      let isRecording = try holdsRecording(descriptor, path)
      return Existing(descriptor: descriptor, isRegular: true, isRecording: isRecording)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Whether the file is a recording, and not empty.
  private static func holdsRecording(_ descriptor: Int32, _ path: String) throws -> Bool {
    var beginning = [UInt8](repeating: 0, count: RecordingFile.identifyingBytes)
    let count = pread(descriptor, &beginning, beginning.count, 0)
    guard count >= 0 else { throw failure(path) }
    guard count > 0 else { return false }
    guard RecordingFile.isRecording(beginning: beginning[..<count]) else {
      throw StartError("record to \(path)", "the file exists and is not a recording", remedy: "Choose another file")
    }
    return true
  }

  private static func lock(_ descriptor: Int32, _ path: String) throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno == EWOULDBLOCK ? "another motiond records into it" : String(cString: strerror(errno))
      throw StartError("record to \(path)", reason, remedy: "Choose another file")
    }
  }

  /// Renames the file at `path` to the next free name.
  private static func moveAside(_ path: String) throws -> String {
    var number = 1
    while access("\(path).\(number)", F_OK) == 0 { number += 1 }
    guard rename(path, "\(path).\(number)") == 0 else { throw failure(path) }
    return "\(path).\(number)"
  }

  private static func failure(_ path: String) -> StartError {
    let reason = errno == ENXIO ? "it is a pipe without a reader" : String(cString: strerror(errno))
    return StartError("record to \(path)", reason, remedy: "Choose another file")
  }
}

import Glibc
import MotionFiles
import MotionModel

/// Writes what pointers do into a file as a trace, while they do it.
struct TraceRecorder {
  private let path: String
  private let descriptor: Int32
  /// When the recording began, in the time of the events: with the first one.
  private var start: Double?
  private var last = 0.0

  /// Opens the file and empties it. It is closed when the program ends.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  /// Writes entries.
  mutating func record(_ entries: [PointerTraceFile.Entry]) throws(Failure) {
    var recorded = entries
    for index in recorded.indices {
      let start = start ?? recorded[index].event.time
      self.start = start
      // Microseconds are what devices tell. A trace does not go back, even if a device does.
      last = max(last, ((recorded[index].event.time - start) * 1e6).rounded() / 1e6)
      recorded[index].event.time = last
    }
    try write(PointerTraceFile(recorded).encoded())
  }

  private func write(_ text: String) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes.removeFirst(written)
      } else if errno != EINTR {
        throw Self.failure(path)
      }
    }
  }

  /// Why it cannot be written, right after the call that failed.
  private static func failure(_ path: String) -> Failure {
    Failure(
      .failure, "cannot write \(path): \(String(cString: strerror(errno)))",
      remedy: "let --record name a file elsewhere")
  }
}

import Glibc
import MotionFiles
import MotionModel

/// Records pointer events into a trace file as they arrive.
struct TraceRecorder {
  private let path: String
  private let descriptor: Int32
  /// The start of the recording, in the time of the events: the time of the first one.
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
      // Devices report microseconds. The times of a trace never decrease, even if a device's do.
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

  /// The failure of a write; call directly after the call that failed.
  private static func failure(_ path: String) -> Failure {
    Failure(
      .failure, "cannot write \(path): \(String(cString: strerror(errno)))",
      remedy: "give --record another path")
  }
}

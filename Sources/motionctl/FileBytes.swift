import CLinux
import Glibc

/// Reads files whole, up to a limit.
enum FileBytes {
  /// What is read at a time.
  private static let chunk = 1 << 16

  /// The bytes of a file, or of standard input if it is called `-`.
  ///
  /// - Parameter parts: what a file that is too large can be split into.
  static func read(_ name: String, limit: Int, parts: String = "transactions") throws(Failure) -> [UInt8] {
    let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = Glibc.read(descriptor, &buffer, chunk)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(name)
      }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw Failure(
          .usage, "\(name) has more than \(limit >> 20) MiB", remedy: "split it into several \(parts)")
      }
    }
  }

  /// Why a file could not be read, right after the call that failed.
  static func failure(_ name: String) -> Failure {
    let reason = String(cString: strerror(errno))
    return Failure(.failure, "cannot read \(name): \(reason)", remedy: "check the path and its permissions")
  }
}

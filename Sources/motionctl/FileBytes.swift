import CLinux
import Glibc

/// Reads whole files up to a size limit, and writes files.
enum FileBytes {
  /// The number of bytes per read.
  private static let chunk = 1 << 16

  /// The bytes of a file, or of standard input if it is called `-`.
  ///
  /// - Parameter parts: the parts into which a file that is too large can be split.
  static func read(_ name: String, limit: Int, parts: String = "transactions") throws(Failure) -> [UInt8] {
    if name == "-", let bytes = ShellSession.current?.input { return bytes }
    let descriptor = try open(name)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      try ShellSession.awaitReadable(descriptor)
      let count = Glibc.read(descriptor, &buffer, chunk)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw failure(name)
      }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        let most = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
        throw Failure(
          .usage, "\(name) has more than \(most)", remedy: "split it into several \(parts)")
      }
    }
  }

  /// Opens a file to read it, or takes standard input if it is called `-`; the caller closes it, except for that.
  ///
  /// In a shell a pipe without a writer does not block: the shell waits for it, so that Ctrl-C ends the wait.
  static func open(_ name: String) throws(Failure) -> Int32 {
    guard name == "-" else {
      let waits = ShellSession.current == nil ? 0 : O_NONBLOCK
      let descriptor = Glibc.open(name, O_RDONLY | O_CLOEXEC | waits)
      guard descriptor >= 0 else { throw failure(name) }
      return descriptor
    }
    guard !Console.closed.input else {
      throw Failure(.usage, "standard input is closed", remedy: "pipe the text into it, or name a file")
    }
    guard ShellSession.current?.readsInput != true else {
      throw Failure(.usage, "standard input is the script of the shell", remedy: "name a file")
    }
    return STDIN_FILENO
  }

  /// The name of a file in errors.
  static func shownName(_ name: String) -> String {
    guard name == "-" else { return name }
    return ShellSession.current?.source ?? "standard input"
  }

  /// Writes a text to a file, and replaces its previous contents.
  static func write(_ text: String, to name: String) throws(Failure) {
    let file = OutputFile(name, mode: 0o644)
    try file.write(Array(text.utf8))
    try file.finish()
  }

  /// Checks whether a file could be written, as far as that is possible without changing or creating it.
  static func checkWritable(_ name: String) throws(Failure) {
    guard !name.isEmpty else { throw Failure(.usage, "the file has no name", remedy: "name it") }
    if access(name, W_OK) == 0 {
      var status = stat()
      guard stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        errno = EISDIR
        throw unwritable(name)
      }
      return
    }
    guard errno == ENOENT else { throw unwritable(name) }
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw unwritable(name) }
  }

  /// The failure of a write; call directly after the call that failed.
  static func unwritable(_ name: String) -> Failure {
    let reason = String(cString: strerror(errno))
    return Failure(
      .failure, "cannot write \(name): \(reason)", remedy: "check the path, its permissions, and the space left")
  }

  /// The failure of a read; call directly after the call that failed.
  static func failure(_ name: String) -> Failure {
    let reason = String(cString: strerror(errno))
    return Failure(.failure, "cannot read \(name): \(reason)", remedy: "check the path and its permissions")
  }
}

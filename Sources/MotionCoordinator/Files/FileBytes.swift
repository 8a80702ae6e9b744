import Glibc

/// Whole files as bytes, with a bound.
enum FileBytes {
  /// The bytes of the file at `path`.
  ///
  /// - Throws: ``StartError`` when it cannot be read, is no regular file (a pipe would block the caller, and a link is
  ///   not followed), or has more than `limit` bytes. In the last two cases with `remedy`, if it is given.
  static func read(_ path: String, limit: Int, remedy: String? = nil) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    return try read(descriptor, named: path, limit: limit, remedy: remedy)
  }

  /// The same for an open file.
  static func read(
    _ descriptor: Int32, named path: String, limit: Int, remedy: String? = nil
  ) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StartError("read \(path)", "it is not a file", remedy: remedy ?? "Put a file in its place")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw failure(path)
      }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw StartError("read \(path)", "it has more than \(limit) bytes", remedy: remedy ?? "Shorten it")
      }
    }
  }

  private static func failure(_ path: String) -> StartError {
    StartError("read \(path)", String(cString: strerror(errno)), remedy: "Correct its mode or its path")
  }
}

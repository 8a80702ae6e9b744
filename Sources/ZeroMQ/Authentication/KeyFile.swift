import Glibc
import LinuxSystem

/// Reads and writes files with keys, and lists of authorized keys.
package enum KeyFile {
  /// The words of each line that is neither empty nor a comment.
  ///
  /// - Parameters:
  ///   - isSecret: whether only the owner may read the file; otherwise only the owner may write it.
  ///   - limit: the largest size of the file in bytes.
  package static func lines(
    of path: String, isSecret: Bool, limit: Int
  ) throws(KeyFileError) -> [[String]] {
    try text(of: path, isSecret: isSecret, limit: limit).split(whereSeparator: \.isNewline).map { line in
      line.split { $0 == " " || $0 == "\t" }.map(String.init)
    }.filter { !$0.isEmpty && !$0[0].hasPrefix("#") }
  }

  /// The text of a file, after checks of its owner and its mode, and of the directories on its path: a user who could
  /// replace the file could put another key in its place.
  package static func text(of path: String, isSecret: Bool, limit: Int) throws(KeyFileError) -> String {
    // Does not block if the path is a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw KeyFileError(path, errno, remedy: "Correct its path or its mode") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw KeyFileError(path, "it is not a file", remedy: "Put a file in its place")
    }
    try check(status, path, isSecret: isSecret)
    if let weakness = PathTrust.weakness(onTheWayTo: path) {
      throw KeyFileError(
        path, "\(weakness): another user could replace it",
        remedy: "Keep it elsewhere, or correct this: \(weakness.command())")
    }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw KeyFileError(path, errno, remedy: "Check the disk that it is on") }
      if part == 0 { break }
      count += part
    }
    guard count <= limit else {
      throw KeyFileError(path, "it has more than \(limit) bytes", remedy: "Shorten it", isContent: true)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func check(_ status: stat, _ path: String, isSecret: Bool) throws(KeyFileError) {
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw KeyFileError(
        path, "it belongs to user \(status.st_uid), not to \(geteuid())", remedy: "Give it to the user who runs this")
    }
    let mode = String(status.st_mode & 0o777, radix: 8)
    if isSecret, status.st_mode & 0o077 != 0 {
      throw KeyFileError(path, "others may read it (mode \(mode))", remedy: "Keep it to yourself: chmod 600 \(path)")
    }
    if status.st_mode & 0o022 != 0 {
      throw KeyFileError(path, "others may write into it (mode \(mode))", remedy: "Forbid that: chmod go-w \(path)")
    }
  }

  /// Writes a new file, and syncs it to disk before this returns.
  package static func write(_ text: String, to path: String, mode: UInt32) throws(KeyFileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw KeyFileError(
          path, "it is there already", remedy: "Choose another name, or remove it: rm \(ShellWord.quoting(path))")
      }
      throw KeyFileError(path, errno, remedy: "Choose a folder that you may write into")
    }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let reason = errno
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw KeyFileError(path, reason, remedy: "Make room on the disk")
    }
  }
}

/// A key file that cannot be used: the file, the problem and the remedy.
package struct KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The problem.
  package let problem: String
  /// The remedy.
  package let remedy: String
  /// Whether the contents are the problem, not the name, the owner or the mode.
  package let isContent: Bool

  /// An error with this file.
  package init(_ path: String, _ problem: String, remedy: String, isContent: Bool = false) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
    self.isContent = isContent
  }

  init(_ path: String, _ code: Int32, remedy: String) {
    self.init(path, String(cString: strerror(code)), remedy: remedy)
  }

  /// The file, the problem and the remedy as sentences.
  package var description: String { "the key file \(path): \(problem). \(remedy)" }
}

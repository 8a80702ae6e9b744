import Glibc
import LinuxSystem

/// The file with the lines that were typed into the shell. Only its owner can read it, and it is bounded.
///
/// A file that cannot be used is no error: the shell then has the history of its own run only.
struct HistoryFile {
  /// The most lines that are kept.
  static let mostLines = 1000
  /// The size from which on the file is shortened when it is read: ten times what most histories need.
  private static let largestSize = 1 << 20

  private let path: String

  /// The file in `$XDG_STATE_HOME`, or in `~/.local/state`; `nil` without a home directory.
  init?(environment: [String: String]) {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = state ?? environment["HOME"].map({ $0 + "/.local/state" }), folder.hasPrefix("/") else {
      return nil
    }
    path = folder + "/motionctl/history"
  }

  /// The last lines, the oldest first. Shortens a file that has many more.
  func read() -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    guard let size = Self.size(of: descriptor) else { return [] }
    // Of a file that grew beyond its bound, the end.
    let first = max(0, size - Self.largestSize)
    var bytes = [UInt8](repeating: 0, count: size - first)
    let count = pread(descriptor, &bytes, bytes.count, off_t(first))
    guard count > 0 else { return [] }
    var lines = bytes[..<count].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    if first > 0 { lines.removeFirst() }
    let kept = Array(lines.suffix(Self.mostLines))
    if first > 0 || lines.count > 2 * Self.mostLines { replace(with: kept) }
    return kept
  }

  /// Adds a line. Several shells can write at once.
  func add(_ line: String) {
    makeFolders()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard Self.size(of: descriptor) != nil, fchmod(descriptor, 0o600) == 0 else { return }
    _ = WholeWrite.write(Array((line + "\n").utf8), to: descriptor)
  }

  private func replace(with lines: [String]) {
    let next = "\(path).\(getpid())"
    let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = lines.map { $0 + "\n" }.joined()
    guard WholeWrite.write(Array(text.utf8), to: descriptor) == 0, rename(next, path) == 0 else {
      unlink(next)
      return
    }
  }

  private func makeFolders() {
    for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
      mkdir(String(path[..<index]), 0o700)
    }
  }

  /// The size of a regular file of this user; `nil` for anything else.
  private static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      return nil
    }
    return Int(status.st_size)
  }
}

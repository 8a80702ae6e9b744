import Glibc
import LinuxSystem

/// The file with the list of viewers. Its owner alone may read it: it holds their tokens.
public struct ViewersFile: Sendable {
  /// Some thousand viewers.
  private static let mostBytes = 1 << 20

  private let path: String

  /// A file, which need not exist.
  public init(_ path: String) { self.path = path }

  /// The list; empty if there is no file.
  func read() throws(StudioError) -> ViewerList {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return ViewerList() }
      throw failure("read")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &part, part.count)
      if count < 0 { throw failure("read") }
      if count == 0 { break }
      bytes += part.prefix(count)
      guard bytes.count <= Self.mostBytes else {
        throw StudioError("\(path) is longer than a mebibyte", remedy: "Name the file of viewers")
      }
    }
    do throws(ViewerList.LineError) {
      return try ViewerList(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw StudioError("\(path), \(error.description)", remedy: "Correct the line, or remove it")
    }
  }

  /// Replaces the file, so that a reader finds either list whole.
  func write(_ list: ViewerList) throws(StudioError) {
    let next = path + ".new"
    unlink(next)
    let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write") }
    defer { close(descriptor) }
    let bytes = Array(list.text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0, rename(next, path) == 0
    else { throw failure("write") }
  }

  private func failure(_ verb: String) -> StudioError {
    StudioError(
      "cannot \(verb) \(path): \(String(cString: strerror(errno)))",
      remedy: "Choose another file with --viewers, or its owner's account")
  }

  // MARK: Commands

  /// Adds a viewer with a new token; one of that name is replaced.
  ///
  /// - Returns: the token.
  public func add(_ name: String, mayChange: Bool) throws(StudioError) -> String {
    guard ViewerList.isName(name) else {
      throw StudioError("\"\(name)\" is no name", remedy: "Use 1 to 64 bytes without control characters", isUsage: true)
    }
    var list = try read()
    let entry = list.add(name, mayChange: mayChange)
    try write(list)
    return entry.token.text
  }

  /// Removes a viewer. A server that runs closes its connections within a second.
  ///
  /// - Throws: when there is none of that name.
  public func remove(_ name: String) throws(StudioError) {
    var list = try read()
    guard list.remove(name) else {
      throw StudioError("there is no viewer \(name)", remedy: "motion-studio viewer list shows them", isUsage: true)
    }
    try write(list)
  }

  /// The names of all viewers, and whether each may change motion.
  public func names() throws(StudioError) -> [(name: String, mayChange: Bool)] {
    try read().entries.map { ($0.name, $0.mayChange) }
  }
}

import CLinux
import Glibc

/// A file that is written in pieces, or standard output if it is called `-`.
///
/// The bytes go to a file of its folder without a name, which takes its place when it is complete. So an existing file
/// stays as it is until then: also if the disk is full, or an input cannot be read; and nothing is left behind when the
/// program is ended meanwhile. Without bytes nothing is replaced.
final class OutputFile {
  private let name: String
  private let mode: mode_t
  private var descriptor: Int32?
  /// The path of the file that becomes the named one, whether it has that already, and the path of the named one.
  private var part: (path: String, isNamed: Bool, target: String)?

  /// Prepares a file.
  ///
  /// - Parameter mode: who may do what with a new file. By default only its owner reads it.
  init(_ name: String, mode: mode_t = 0o600) { (self.name, self.mode) = (name, mode) }

  /// Prepares a file with a content that is made from the file `input`.
  ///
  /// - Throws: when it is that file.
  convenience init(_ name: String, from input: String) throws(Failure) {
    self.init(name)
    guard name != "-" else { return }
    var (source, target) = (stat(), stat())
    if stat(input, &source) == 0, stat(name, &target) == 0, source.st_dev == target.st_dev,
      source.st_ino == target.st_ino
    {
      throw Failure(.usage, "\(name) is the recording itself", remedy: "name another file")
    }
  }

  deinit {
    if let part, part.isNamed { unlink(part.path) }
    if let descriptor, name != "-" { Glibc.close(descriptor) }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    guard !rest.isEmpty else { return }
    let descriptor: Int32
    if let open = self.descriptor { descriptor = open } else { descriptor = try open() }
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest.removeFirst(written)
      } else if errno != EINTR {
        throw FileBytes.unwritable(name)
      }
    }
  }

  /// The file is complete.
  func finish() throws(Failure) {
    guard let descriptor, name != "-" else { return }
    if let part, !part.isNamed {
      guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, part.path, AT_SYMLINK_FOLLOW) == 0 else {
        throw FileBytes.unwritable(name)
      }
      self.part?.isNamed = true
    }
    self.descriptor = nil
    guard close(descriptor) == 0 else { throw FileBytes.unwritable(name) }
    guard let part else { return }
    guard rename(part.path, part.target) == 0 else { throw FileBytes.unwritable(name) }
    self.part = nil
  }

  private func open() throws(Failure) -> Int32 {
    var opened: Int32? = name == "-" ? STDOUT_FILENO : nil
    if opened == nil { opened = try openPart() }
    let descriptor = opened ?? Glibc.open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileBytes.unwritable(name) }
    self.descriptor = descriptor
    return descriptor
  }

  /// Opens a file beside the named one; `nil` if the named one is to be written itself: it is a device or a pipe, or
  /// nothing can be added to its folder.
  private func openPart() throws(Failure) -> Int32? {
    var status = stat()
    let exists = stat(name, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else { return nil }
    if exists { try checkExisting() }
    let target = exists ? Self.resolved(name) : name
    let path = "\(target).\(getpid()).part"
    var descriptor = Self.openUnnamed(inFolderOf: target, mode)
    let isNamed = descriptor < 0
    if isNamed { descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode) }
    guard descriptor >= 0 else { return nil }
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
    part = (path, isNamed, target)
    return descriptor
  }

  /// Opens a file without a name, where the file system has such, and `/proc` is there to name it later.
  private static func openUnnamed(inFolderOf path: String, _ mode: mode_t) -> Int32 {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard access("/proc/self/fd", X_OK) == 0 else { return -1 }
    return motion_open_unnamed(folder, mode)
  }

  /// Checks that the existing file may be replaced: it is writable, and motiond does not record into it.
  private func checkExisting() throws(Failure) {
    guard access(name, W_OK) == 0 else { throw FileBytes.unwritable(name) }
    let existing = Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard existing >= 0 else { return }
    defer { Glibc.close(existing) }
    guard flock(existing, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw Failure(
      .usage, "motiond records into \(name)", remedy: "name another file, or end that recording: motionctl record stop")
  }

  /// The path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

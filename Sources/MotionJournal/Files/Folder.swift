import Glibc

/// The requirements of a journal for its directory.
enum Folder {
  /// The flags for opening any file of a journal: a link is not followed, and a pipe does not block.
  static let openFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// Checks that ``make(_:)`` would succeed and that files can be created there. Creates nothing.
  static func check(_ path: String) throws(JournalError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .system("use", path, ENOTDIR) }
      // A read-only disk fails here, which the examination of the entries does not cover: the problem may pass.
      guard access(path, R_OK | W_OK | X_OK) == 0 else { throw .system("write into", path) }
      return
    }
    guard errno == ENOENT else { throw .system("open", path) }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let parent = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    guard access(parent, W_OK | X_OK) == 0 else { throw .system("make", path) }
  }

  /// Creates the directory if it does not exist, with access for its owner only. Its parent must exist.
  static func make(_ path: String) throws(JournalError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("make", path) }
  }

  /// Returns when the names in a directory are on disk.
  static func sync(_ path: String) throws(JournalError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("sync", path, as: .broken) }
  }

  /// The size of a file or a link in bytes; `nil` if it does not exist.
  static func size(of path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Restricts a file to its owner, and drops the kernel's cached pages, so that the next read comes from the disk and
  /// not from a write that failed. Creates an empty file if none exists, unless it `mustExist`.
  ///
  /// Call it before SQLite opens the file: closing any descriptor of a file releases the locks that SQLite has on it.
  static func prepare(_ path: String, mustExist: Bool) throws(JournalError) {
    let descriptor = open(path, O_RDWR | openFlags | (mustExist ? 0 : O_CREAT), 0o600)
    guard descriptor >= 0 else {
      if mustExist, errno == ENOENT { return }
      throw .system("open", path)
    }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw .system("change the mode of", path) }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }
}

/// Gives one program exclusive use of a journal while this object exists. The lock ends with the process in any case.
final class JournalLock {
  private let descriptor: Int32

  /// - Throws: ``JournalError/Code/locked`` if another process, or another journal of this process, has the lock.
  convenience init(_ path: String) throws(JournalError) {
    let descriptor = open(path, O_RDWR | O_CREAT | Folder.openFlags, 0o600)
    guard descriptor >= 0 else { throw .system("open", path) }
    try self.init(path, descriptor)
  }

  /// The lock of a journal that is only read; `nil` if the file does not exist, as in a copy of the other files. Then
  /// no process has the journal open.
  static func existing(_ path: String) throws(JournalError) -> JournalLock? {
    let descriptor = open(path, O_RDWR | Folder.openFlags)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("open", path)
    }
    return try JournalLock(path, descriptor)
  }

  private init(_ path: String, _ descriptor: Int32) throws(JournalError) {
    self.descriptor = descriptor
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      guard reason == EWOULDBLOCK else { throw .system("lock", path, reason) }
      throw JournalError(
        .locked, at: path, "another program has this journal open",
        remedy: "Stop the motiond that runs with it, or name another journal")
    }
  }

  deinit { close(descriptor) }
}

extension JournalError {
  /// A failed system call. The error number determines the code, unless one is given.
  static func system(_ step: String, _ path: String, _ number: Int32 = errno, as code: Code? = nil) -> JournalError {
    let cause = "cannot \(step) it: \(String(cString: strerror(number)))"
    let known: (Code, String) =
      switch number {
      case ENOSPC, EDQUOT: (.full, "Make room on that disk")
      case EROFS: (.readOnly, "Make the disk writable, or name a journal on another one")
      case EACCES, EPERM: (.inaccessible, "Give the directory to the user that motiond runs as (chown, chmod 0700)")
      case ENOENT, ENOTDIR: (.inaccessible, "Make the directory for the journal")
      case ELOOP: (.inaccessible, "Put the file itself in the place of the link")
      case EMFILE, ENFILE: (.inaccessible, "Raise the limit of open files (ulimit -n)")
      default: (.inaccessible, "Check the disk (dmesg), and name a journal on another one if it fails")
      }
    return JournalError(code ?? known.0, at: path, cause, remedy: known.1)
  }
}

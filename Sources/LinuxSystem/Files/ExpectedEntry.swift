package import Glibc

/// A name that a program opens, creates or replaces, and the kind of entry that may be there.
///
/// A program that lists its names can examine all of them before it opens the first: opening a pipe may block, and a
/// link leads elsewhere. An examination takes two system calls for each name.
package struct ExpectedEntry: Hashable, Sendable {
  /// The kinds of entries.
  package enum Kind: Hashable, Sendable {
    /// A regular file that is read, and that is written, too, if `isWritten`. A link is refused.
    case file(isWritten: Bool)
    /// A regular file, or a link to one.
    case linkedFile
    /// A directory, or a link to one: it may be on another disk.
    case linkedDirectory
    /// A directory. A link is refused.
    case directory
    /// A file that is replaced at its next use, so that its contents do not matter. ``removeRemains()`` removes a link,
    /// a pipe or a socket; a directory is refused.
    case temporaryFile
    /// A directory that exists only during an operation. ``removeRemains()`` removes everything else.
    case temporaryDirectory
    /// A socket, which replaces everything but a directory when it is bound.
    case socket
  }

  /// The path.
  package let path: String
  /// The kind of entry that may be there.
  package let kind: Kind
  /// Whether the entry must belong to root or the user, and may be written by no other user.
  package let isOwned: Bool
  /// Whether an entry with an unsuitable owner or mode may be renamed: it was certainly made by this program.
  package let isOurs: Bool

  /// An entry. It may be missing.
  package init(_ path: String, _ kind: Kind, isOwned: Bool = false, isOurs: Bool = true) {
    (self.path, self.kind, self.isOwned, self.isOurs) = (path, kind, isOwned, isOurs)
  }

  /// The reason why an entry cannot be used, and the command that makes it usable.
  package struct Problem: Hashable, Sendable {
    /// The path of the entry.
    package let path: String
    /// The reason, as a clause: "it is a link".
    package let reason: String
    /// The command of a shell that makes the name usable without a loss; `nil` if there is none, because an original
    /// is missing.
    package let command: String?
    /// Whether the entry is of the wrong kind; otherwise its owner or its mode is wrong.
    package let isKind: Bool
  }

  /// Examines the entry.
  ///
  /// - Parameter user: the user who will open it.
  /// - Returns: the reason why that user cannot use it; `nil` if there is none, or the entry is missing.
  package func problem(for user: uid_t = geteuid()) -> Problem? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard let reason = wrongKind(&status) else { return permission(status, user) }
    guard kind == .temporaryFile || kind == .socket else {
      return Problem(path: path, reason: reason, command: nil, isKind: true)
    }
    let name = ShellWord.quoting(path)
    return Problem(
      path: path, reason: "\(reason), and a file is to be written under this name",
      command: "mv \(name) \(ShellWord.quoting(Self.freeName(for: path)))", isKind: true)
  }

  /// Removes the remains of an operation that was interrupted: a link, a pipe or a socket at a temporary name. Their
  /// targets are not touched.
  package func removeRemains() {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    switch self.kind {
    case .temporaryFile where kind != S_IFDIR && kind != S_IFREG: unlink(path)
    case .temporaryDirectory where kind != S_IFDIR: unlink(path)
    default: break
    }
  }

  /// Renames the entry to a free name beside it: `NAME.damaged-SECONDS`.
  ///
  /// - Returns: the new path.
  package func setAside() throws(SystemError) -> String {
    let new = Self.freeName(for: path)
    guard rename(path, new) == 0 else { throw SystemError(code: errno, operation: "rename \(path)") }
    return new
  }

  /// The name to which ``setAside()`` would rename an entry now.
  package static func freeName(for path: String) -> String {
    let base = "\(path).damaged-\(time(nil))"
    var (name, number) = (base, 1)
    var status = stat()
    while lstat(name, &status) == 0 {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  /// The reason why the entry has the wrong kind. For a link that may be followed, `status` is that of its target then.
  private func wrongKind(_ status: inout stat) -> String? {
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    switch kind {
    case .linkedFile, .linkedDirectory:
      if isLink, stat(path, &status) != 0 { return Self.brokenLink(errno) }
    case .temporaryDirectory: return nil
    case .file, .directory, .temporaryFile, .socket: break
    }
    let found = status.st_mode & S_IFMT
    switch kind {
    case .linkedDirectory, .directory:
      if found == S_IFLNK { return "it is a link" }
      return found == S_IFDIR ? nil : "it is not a directory"
    case .file, .linkedFile:
      if found == S_IFLNK { return "it is a link" }
      if found == S_IFREG { return nil }
      return found == S_IFDIR ? "it is a directory" : "it is not a file"
    case .temporaryFile, .socket, .temporaryDirectory: return found == S_IFDIR ? "it is a directory" : nil
    }
  }

  private static func brokenLink(_ code: Int32) -> String {
    switch code {
    case ENOENT: "it is a link to nothing"
    case ELOOP: "it is a link that leads back to itself"
    default: "it is a link that cannot be followed (\(String(cString: strerror(code))))"
    }
  }

  private func permission(_ status: stat, _ user: uid_t) -> Problem? {
    let name = ShellWord.quoting(path)
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    if isOwned, status.st_uid != user, status.st_uid != 0 {
      return Problem(
        path: path, reason: "it belongs to user \(status.st_uid), not to \(user)", command: "chown \(user) \(name)",
        isKind: false)
    }
    if isOwned, isDirectory, status.st_mode & 0o022 != 0 {
      let mode = String(status.st_mode & 0o7777, radix: 8)
      return Problem(
        path: path, reason: "users other than its owner may write into it (mode \(mode))",
        command: "chmod go-w \(name)",
        isKind: false)
    }
    if isOwned, !isDirectory, PathTrust.isShared(status, user) {
      let mode = String(status.st_mode & 0o7777, radix: 8)
      return Problem(
        path: path, reason: "users other than its owner may write it (mode \(mode))", command: "chmod go-w \(name)",
        isKind: false)
    }
    guard user == geteuid(), let needed = access, faccessat(AT_FDCWD, path, needed, AT_EACCESS) != 0, errno == EACCES
    else { return nil }
    let command =
      status.st_uid == user ? "chmod u+\(isDirectory ? "rwx" : "rw") \(name)" : "chown \(user) \(name)"
    return Problem(
      path: path, reason: "its mode or owner denies access to user \(user)", command: command, isKind: false)
  }

  /// The access that opening needs; `nil` if it opens nothing.
  private var access: Int32? {
    switch kind {
    case .file(let isWritten): isWritten ? R_OK | W_OK : R_OK
    case .linkedFile: R_OK
    case .linkedDirectory, .directory: R_OK | W_OK | X_OK
    case .temporaryFile, .temporaryDirectory, .socket: nil
    }
  }
}

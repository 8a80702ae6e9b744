import Glibc

/// Directories that only their owner may change, and that only permitted users may enter. Their files are as safe as
/// the directories.
package enum PrivateDirectory {
  /// A directory with one of these files was used by us before.
  private static let marks: Set<String> = ["lock", "epoch.lock"]

  /// Makes a directory, parents included, or checks an existing one, and sets its mode.
  ///
  /// - Parameters:
  ///   - mode: the permissions, which determine who may enter besides the owner.
  ///   - group: the group of the directory.
  ///   - isWithinOurs: whether the directory above was made by this function before. If so, existing entries are not
  ///     checked.
  /// - Throws: ``PrivateDirectoryError`` when the directory cannot be made, belongs to another user, is shared by all
  ///   users, or holds files to which other users would lose access. Root may give `/etc` by mistake without harm to
  ///   the machine.
  package static func make(
    _ path: String, mode: UInt32 = 0o700, group: UInt32? = nil, isWithinOurs: Bool = false
  ) throws(PrivateDirectoryError) {
    try checkWay(to: path)
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
        throw PrivateDirectoryError("make the directory \(made)", errno, remedy: "Make it, or choose another")
      }
    }
    try checkWay(to: path)
    // Checked and changed through one descriptor, so that both concern the same directory. A link is followed only
    // where an administrator may have put one.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isWithinOurs ? O_NOFOLLOW : 0))
    guard descriptor >= 0 else {
      throw PrivateDirectoryError("use the directory \(path)", errno, remedy: "Choose another")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
      throw PrivateDirectoryError(
        "use the directory \(path)", "it belongs to user \(status.st_uid), not to \(geteuid())",
        remedy: "Choose another, or give it to this user: chown \(geteuid()) \(ShellWord.quoting(path))")
    }
    // A directory shared by all users must not be closed, even if it is ours.
    guard status.st_mode & S_ISVTX == 0 else {
      throw PrivateDirectoryError(
        "use the directory \(path)", "it is shared by all users", remedy: "Choose a directory below it")
    }
    if !isWithinOurs, status.st_mode & 0o777 & ~mode != 0, let name = foreignEntry(of: path) {
      throw PrivateDirectoryError(
        "use the directory \(path)", "it holds other things, such as \(name), and would be closed to others",
        remedy: "Choose a directory of its own, or close this one yourself: chmod \(String(mode, radix: 8)) \(path)")
    }
    guard group.map({ fchown(descriptor, uid_t.max, $0) == 0 }) ?? true, fchmod(descriptor, mode) == 0 else {
      throw PrivateDirectoryError(
        "close the directory \(path) to others", errno,
        remedy: group == nil ? "Choose another" : "Choose another, or a group that its owner is in")
    }
  }

  /// Checks that no other user could replace this directory by another one; called before anything is made, and after.
  private static func checkWay(to path: String) throws(PrivateDirectoryError) {
    guard let weakness = PathTrust.weakness(onTheWayTo: path) else { return }
    throw PrivateDirectoryError(
      "use the directory \(path)", "\(weakness): another user could replace the directory",
      remedy: "Choose one that only root and user \(geteuid()) can replace, or correct it: \(weakness.command())")
  }

  /// An entry of a directory that was not used by us before; `nil` if it was, or is empty.
  private static func foreignEntry(of path: String) -> String? {
    let names = FolderEntries.names(in: path) ?? []
    return names.contains(where: marks.contains) ? nil : names.last
  }
}

/// A directory that cannot be used: the step that failed, the problem and the remedy.
package struct PrivateDirectoryError: Error, Hashable, Sendable {
  /// The step that failed.
  package let step: String
  /// The problem.
  package let problem: String
  /// The remedy.
  package let remedy: String

  init(_ step: String, _ problem: String, remedy: String) {
    self.step = step
    self.problem = problem
    self.remedy = remedy
  }

  init(_ step: String, _ code: Int32, remedy: String) {
    self.init(step, String(cString: strerror(code)), remedy: remedy)
  }
}

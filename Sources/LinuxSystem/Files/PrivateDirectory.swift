import Glibc

/// Directories that only their owner may change, and only those may enter who are let in: what is in them is as safe as
/// they are.
package enum PrivateDirectory {
  /// Whoever finds one of these in a directory has used it before.
  private static let marks: Set<String> = ["lock", "epoch.lock"]

  /// Makes a directory, parents included, or checks that it is one, and gives it a mode.
  ///
  /// - Parameters:
  ///   - mode: who may enter, besides its owner.
  ///   - group: the group that it is given to.
  ///   - isWithinOurs: whether the directory around it was made so before: what is in it is not looked at then.
  /// - Throws: ``PrivateDirectoryError`` when it cannot be made, belongs to somebody else, is everybody's, or holds what
  ///   others would be cut off from: whoever says `/etc` by mistake as root loses no machine.
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
    // Looked at and changed through one descriptor: what is checked is what is changed.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PrivateDirectoryError("use the directory \(path)", errno, remedy: "Choose another")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
      throw PrivateDirectoryError(
        "use the directory \(path)", "it belongs to user \(status.st_uid), not to \(geteuid())",
        remedy: "Choose another, or run as its owner")
    }
    // A directory that everybody uses is not ours to close, even if it is ours.
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

  /// Checks that nobody else could put another directory in this one's place, before anything is made and after it.
  private static func checkWay(to path: String) throws(PrivateDirectoryError) {
    guard let weakness = PathTrust.weakness(onTheWayTo: path) else { return }
    throw PrivateDirectoryError(
      "use the directory \(path)", "\(weakness): another could be put in its place",
      remedy:
        "Choose one that only root and user \(geteuid()) can replace, or mend that: chown, chmod go-w \(weakness.path)")
  }

  /// Something in a directory that we have not used before; `nil` if we have, or there is nothing.
  private static func foreignEntry(of path: String) -> String? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var found: String?
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if marks.contains(name) { return nil }
      if name != ".", name != ".." { found = name }
    }
    return found
  }
}

/// A directory that cannot be used: what was being done, why it cannot be, and what to do.
package struct PrivateDirectoryError: Error, Hashable, Sendable {
  /// What was being done.
  package let step: String
  /// What is wrong.
  package let problem: String
  /// What to do about it.
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

import Glibc

/// Checks whether another user could replace the file at a path: a directory is as safe as all directories above it.
package enum PathTrust {
  /// The reason why a path is unsafe.
  package struct Weakness: Hashable, Sendable, CustomStringConvertible {
    /// The directory or link that another user owns or may change.
    package let path: String
    /// The problem.
    package let problem: String

    /// The path and the problem, as a sentence.
    package var description: String { "\(path) \(problem)" }

    /// The command of a shell that corrects the owner or the mode.
    ///
    /// - Parameter user: the user for whom the path has to be safe.
    package func command(for user: UInt32? = nil) -> String {
      let name = ShellWord.quoting(path)
      return problem.hasPrefix(Self.foreign) ? "chown -h \(user ?? geteuid()) \(name)" : "chmod go-w \(name)"
    }

    /// The beginning of the problem of an entry that belongs to another user.
    fileprivate static let foreign = "belongs to user"
  }

  /// Symbolic links that are followed on one path: as many as Linux follows.
  private static let mostLinks = 40

  /// The first place on `path` at which another user could put another file; `nil` if there is none, or the path ends
  /// before.
  ///
  /// - Each directory above must belong to root or to `user` (by default the user of this process), and other users may
  ///   not write it.
  /// - In a sticky directory, such as `/tmp`, other users may add entries, but may not rename those of others. An entry
  ///   in it must belong to root or to `user`.
  /// - Group `root` counts as root, and the private group of the user as the user. With umask 002, which goes with such
  ///   groups, the group may write all of the user's directories.
  /// - Symbolic links are followed, each in a directory that was checked.
  package static func weakness(onTheWayTo path: String, for user: UInt32? = nil) -> Weakness? {
    let user = user ?? geteuid()
    var rest = Array(absolute(path).split(separator: "/").map(String.init).reversed())
    var (directory, links) = ("", 0)
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        directory = directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? ""
        continue
      }
      var (above, entry) = (stat(), stat())
      let place = directory.isEmpty ? "/" : directory
      guard stat(place, &above) == 0 else { return nil }
      if let problem = problem(of: above, for: user) { return Weakness(path: place, problem: problem) }
      let path = "\(directory)/\(name)"
      guard lstat(path, &entry) == 0 else { return nil }
      if isShared(above, user), !isTrusted(entry.st_uid, user) {
        return Weakness(path: path, problem: "\(Weakness.foreign) \(entry.st_uid), and all users may make it")
      }
      guard entry.st_mode & S_IFMT == S_IFLNK else {
        directory = path
        continue
      }
      links += 1
      guard links <= mostLinks, let target = target(of: path) else { return nil }
      rest += target.split(separator: "/").map(String.init).reversed()
      if target.hasPrefix("/") { directory = "" }
    }
    return nil
  }

  /// The weakness of a directory that all users may write; `nil` if they may not. The directory may belong to another
  /// user. For use once the path to it is safe: the owner of the directory is the one that serves there.
  package static func weakness(of directory: String) -> Weakness? {
    var status = stat()
    guard stat(directory, &status) == 0, status.st_mode & 0o002 != 0 else { return nil }
    return Weakness(path: directory, problem: "may be written by all users")
  }

  /// The weakness of the file or folder at the end of a path, links followed: another user owns it or may write it. `nil`
  /// if there is none, or no such file.
  package static func weakness(ofFileAt path: String, for user: UInt32? = nil) -> Weakness? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let user = user ?? geteuid()
    if !isTrusted(status.st_uid, user) { return Weakness(path: path, problem: "\(Weakness.foreign) \(status.st_uid)") }
    return isShared(status, user) ? Weakness(path: path, problem: "may be written by others") : nil
  }

  private static func isTrusted(_ owner: uid_t, _ user: uid_t) -> Bool { owner == 0 || owner == user }

  /// Whether other users may write a directory or a file.
  static func isShared(_ status: stat, _ user: uid_t) -> Bool {
    if status.st_mode & 0o002 != 0 { return true }
    return status.st_mode & 0o020 != 0 && status.st_gid != 0 && !isPrivate(status.st_gid, of: user)
  }

  /// Whether a group is the user's private group: it has the user's name, and no other member.
  private static func isPrivate(_ group: gid_t, of user: uid_t) -> Bool {
    guard let person = getpwuid(user).map({ String(cString: $0.pointee.pw_name) }), let entry = getgrgid(group),
      String(cString: entry.pointee.gr_name) == person, let members = entry.pointee.gr_mem
    else { return false }
    return sequence(state: members) { next in
      defer { next += 1 }
      return next.pointee.map { String(cString: $0) }
    }.allSatisfy { $0 == person }
  }

  private static func problem(of status: stat, for user: uid_t) -> String? {
    if !isTrusted(status.st_uid, user) { return "\(Weakness.foreign) \(status.st_uid)" }
    return isShared(status, user) && status.st_mode & S_ISVTX == 0 ? "may be written by others" : nil
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }
}

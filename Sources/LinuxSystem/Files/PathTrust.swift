import Glibc

/// Whether somebody else could exchange what a path leads to: a directory is as safe as all those above it.
package enum PathTrust {
  /// What makes a way unsafe.
  package struct Weakness: Hashable, Sendable, CustomStringConvertible {
    /// The directory or link that another user owns or may change.
    package let path: String
    /// Why.
    package let problem: String

    /// Both, as a sentence.
    package var description: String { "\(path) \(problem)" }
  }

  /// Links that are followed on one way: as many as Linux follows.
  private static let mostLinks = 40

  /// The first place on the way to `path` at which another user could put something else; `nil` if there is none, or the
  /// way ends before.
  ///
  /// Each directory above has to belong to root or to `user` (that of this process if none is given), and others may not
  /// write it. In a sticky one, such as `/tmp`, others may add and not rename what they do not own: what lies there has to
  /// belong to root or to `user`. Group `root` counts as root, and a private group of the user's as the user: with umask
  /// 002, which goes with such groups, it may write all of the user's directories. Links are followed, each in a directory
  /// that was looked at.
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
        return Weakness(path: path, problem: "belongs to user \(entry.st_uid), and all users may make it")
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

  /// What lets others change a directory that another user may own, once the way to it is safe: who owns it serves there.
  package static func weakness(of directory: String) -> Weakness? {
    var status = stat()
    guard stat(directory, &status) == 0, status.st_mode & 0o002 != 0 else { return nil }
    return Weakness(path: directory, problem: "may be written by all users")
  }

  private static func isTrusted(_ owner: uid_t, _ user: uid_t) -> Bool { owner == 0 || owner == user }

  /// Whether others may write a directory.
  private static func isShared(_ status: stat, _ user: uid_t) -> Bool {
    if status.st_mode & 0o002 != 0 { return true }
    return status.st_mode & 0o020 != 0 && status.st_gid != 0 && !isPrivate(status.st_gid, of: user)
  }

  /// Whether a group is the user's own: it has the user's name, and nobody else is in it.
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
    if !isTrusted(status.st_uid, user) { return "belongs to user \(status.st_uid)" }
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

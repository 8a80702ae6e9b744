import Glibc

/// A file that configures motiond, and so decides which programs it runs.
public enum TrustedFile {
  /// The bytes of such a file. Symbolic links in its path are followed, each in a directory that only trusted users
  /// may change.
  ///
  /// - Parameter option: the setting that names it, for the remedy.
  /// - Throws: ``StartError`` when it cannot be read, is no regular file, has more than `limit` bytes, or a user
  ///   other than root and the user of this process could have written or replaced it.
  public static func bytes(of path: String, option: String, limit: Int) throws -> [UInt8] {
    let step = "read \(path)"
    // Reading a pipe, which has no end, would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw StartError(step, String(cString: strerror(errno)), remedy: "correct it, or give \(option) another file")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw StartError(step, String(cString: strerror(errno)), remedy: "correct it, or give \(option) another file")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let what = status.st_mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is not a file"
      throw StartError(step, what, remedy: "give \(option) a file")
    }
    if let permissionProblem = PermissionProblem(status, of: path) ?? PermissionProblem(onTheWayTo: path) {
      throw StartError(step, permissionProblem.problem, remedy: permissionProblem.remedy)
    }
    return try FileBytes.read(descriptor, named: path, limit: limit)
  }
}

package import Glibc

/// Identifies a file independently of its name.
package struct FileIdentity: Hashable, Sendable {
  /// The device number of the file system.
  package let device: UInt64
  /// The inode number.
  package let file: UInt64

  /// The identity of the file with this status.
  package init(_ status: stat) {
    (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The identity of the file that has this name now; symbolic links are not followed. `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

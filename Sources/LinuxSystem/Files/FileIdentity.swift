package import Glibc

/// Which file it is, whatever its name.
package struct FileIdentity: Hashable, Sendable {
  /// The number of the file system's device.
  package let device: UInt64
  /// The file's number on it.
  package let file: UInt64

  /// The file that was looked at.
  package init(_ status: stat) {
    (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The file that has this name now, not one that it links to; `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

import Glibc
import LinuxSystem

/// The file with the address of the page, for `motionctl open`. It holds the page's token, so only its owner may read it.
struct AddressFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Writes the file; a former one is replaced.
  func write(_ address: String) throws {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    try PrivateDirectory.make(folder)
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
    defer { close(descriptor) }
    let bytes = Array((address + "\n").utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SystemError(code: errno, operation: "write \(path)")
    }
  }

  /// Removes the file.
  func remove() { unlink(path) }
}

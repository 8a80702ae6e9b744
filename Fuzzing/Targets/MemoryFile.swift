import Glibc

/// A file that only its owner may read, for what reads files; gone with this.
final class MemoryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var name = Array("/dev/shm/motion-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    path = name.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
    guard descriptor >= 0 else { throw FuzzFinding("there is no file in memory: \(errno)") }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw FuzzFinding("a file in memory cannot be written: \(errno)")
    }
  }

  deinit { unlink(path) }
}

import Glibc

/// A folder that goes with the test that made it.
final class TemporaryFolder {
  let path: String

  init(in place: String = "/tmp") throws {
    var template = Array("\(place)/motiond-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Problem(description: String(cString: strerror(errno))) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  struct Problem: Error, CustomStringConvertible { let description: String }

  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Problem(description: "\(name): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Problem(description: name) }
  }

  func make(_ name: String) { mkdir("\(path)/\(name)", 0o700) }

  func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private static func remove(_ path: String) {
    guard let directory = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}

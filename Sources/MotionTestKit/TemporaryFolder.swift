package import Glibc

/// A temporary folder that is removed when the object is released.
package final class TemporaryFolder {
  /// The folder's path.
  package let path: String

  /// Creates a folder in `place`.
  package init(in place: String = "/tmp") throws {
    var template = Array("\(place)/motiond-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Problem(description: String(cString: strerror(errno))) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// A failed file operation of a test.
  package struct Problem: Error, CustomStringConvertible {
    /// The file or the reason.
    package let description: String

    /// A problem.
    package init(description: String) { self.description = description }
  }

  /// Writes a file with these bytes into the folder.
  package func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Problem(description: "\(name): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Problem(description: name) }
  }

  /// Writes a file with this text into the folder.
  package func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// Creates a folder inside it.
  package func make(_ name: String) { mkdir("\(path)/\(name)", 0o700) }

  /// The mode of the entry of this name; 0 if there is none.
  package func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// Removes the entry of this name, with everything in it; does nothing if there is none.
  package func remove(_ name: String) { Self.remove("\(path)/\(name)") }

  private static func remove(_ path: String) {
    // A link is removed, its target is not.
    if unlink(path) == 0 { return }
    guard let directory = opendir(path) else { return }
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

import Foundation
import Testing

/// A private directory of one test, with a path short enough for sockets; removed when the test releases it.
final class TestDirectory {
  let path: String

  init() throws {
    // A file that other members of the group may write is not accepted as a plugin.
    umask(0o022)
    var template = Array("/tmp/mXXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Problem("mkdtemp: \(String(cString: strerror(errno)))") }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in it.
  subscript(name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the folders on the way to it.
  func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
    let file = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path) }
  }

  /// The text of a file, or nothing if there is none.
  func text(of name: String) -> String {
    (try? String(contentsOfFile: self[name], encoding: .utf8)) ?? ""
  }
}

/// A failure of the test's own setup, apart from what it tests.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

import Foundation
import Testing

/// Files of a program's expected output. With `MOTION_GOLDEN_UPDATE=1` in the environment they are written instead of
/// compared: check the difference before you commit it.
enum Golden {
  /// The directory of the files.
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The path of a file.
  static func path(of name: String) -> String { directory.appendingPathComponent(name).path }

  /// Compares a text with the file `name`, such as `Help/commit.txt`.
  static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = directory.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["MOTION_GOLDEN_UPDATE"] == "1" {
      try Data(text.utf8).write(to: file)
      return
    }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? "(there is no file \(name))"
    #expect(text == golden, "differs from Tests/Golden/\(name)", sourceLocation: sourceLocation)
  }
}

import Foundation

/// The files of this repository to which the rules apply.
enum Repository {
  /// The folder that holds Package.swift.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path(percentEncoded: false)

  /// Every file of ours except generated files, by its path from the root.
  static let files: [String] = {
    let manager = FileManager.default
    // Of the fuzzing folders not the corpora, which are arbitrary bytes.
    let folders = [
      "Sources", "Tests", "plugins", "examples", "docs", "deploy", "Benchmarks", ".ci", "Fuzzing/CFuzzer",
      "Fuzzing/Dictionaries", "Fuzzing/Program", "Fuzzing/Targets",
    ]
    let top = (try? manager.contentsOfDirectory(atPath: root)) ?? []
    var files = top.filter { name in
      ["Makefile", "LICENSE", ".gitignore", ".swift-format"].contains(name)
        || name.hasSuffix(".md") || name.hasSuffix(".swift")
    }
    for folder in folders {
      let inside = (manager.enumerator(atPath: "\(root)/\(folder)")?.allObjects as? [String]) ?? []
      files += inside.map { "\(folder)/\($0)" }
    }
    let made = ["/Generated/", "/.build/", "__pycache__"]
    return files.filter { file in isFile(file) && !made.contains { file.contains($0) } }.sorted()
  }()

  /// Every Swift file, with comments and string literals separated from code.
  static let sources: [SwiftSource] = files.filter { $0.hasSuffix(".swift") }.map {
    SwiftSource(path: $0, text: text(of: $0) ?? "")
  }

  /// The text of a file; `nil` when it is not text.
  static func text(of path: String) -> String? {
    try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// Whether this file or folder exists.
  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
  }
}

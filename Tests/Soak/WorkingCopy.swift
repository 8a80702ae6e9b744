import Foundation

/// The working copy in which the soak is started.
enum WorkingCopy {
  /// The revision that it is built from, if the history is available: the last commit, and whether there are further
  /// changes.
  static var revision: String? {
    guard FileManager.default.fileExists(atPath: ".git"),
      let commit = said(["rev-parse", "--short=12", "HEAD"]), !commit.isEmpty
    else { return nil }
    let changes = said(["status", "--porcelain", "--untracked-files=no", "--", "Sources", "Tests", "plugins"])
    return changes?.isEmpty == true ? commit : "\(commit) with changes"
  }

  private static func said(_ arguments: [String]) -> String? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

import Glibc

/// A file with the number of the coordinator's last start that used the data beside it; the number grows.
struct EpochFile {
  /// An upper bound of all numbers of starts: a file that holds a number as high is damaged.
  private static let highest: UInt64 = 1 << 62

  /// The path of the file.
  let path: String

  /// The number; `nil` if there is no file.
  ///
  /// - Throws: ``StartError`` when the file is damaged.
  func read() throws -> UInt64? {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    let text = String(decoding: try FileBytes.read(path, limit: 4096, remedy: Self.remedy), as: UTF8.self)
    guard text.hasSuffix("\n"), let epoch = UInt64(text.dropLast()) else {
      throw StartError(
        "read \(path)",
        "it contains \"\(text.prefix(32).replacing("\n", with: "\\n"))\" instead of a number and a newline",
        remedy: Self.remedy)
    }
    guard epoch < Self.highest else {
      throw StartError(
        "read \(path)", "it contains \(epoch), and motiond has not been started that often", remedy: Self.remedy)
    }
    return epoch
  }

  /// Checks that the last epoch of a state directory can be read, and the next one written: writes it to another file,
  /// which is removed.
  ///
  /// - Throws: ``StartError`` when the file is damaged, or nothing can be written.
  static func check(in directory: String) throws {
    let last = try EpochFile(path: "\(directory)/epoch").read() ?? 0
    let probe = "\(directory)/epoch.check"
    defer {
      unlink(SyncedFile.replacement(of: probe))
      unlink(probe)
    }
    try EpochFile(path: probe).write(last + 1)
  }

  private static let remedy =
    "Put the file back as it was, or start motiond once with --accept-loss, which continues with a higher number than any start had"

  /// Writes the number, and waits until it is on disk.
  ///
  /// - Throws: ``StartError`` when it cannot be written.
  func write(_ epoch: UInt64) throws { try SyncedFile.write("\(epoch)\n", to: path) }
}

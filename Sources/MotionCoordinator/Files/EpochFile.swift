import Glibc

/// A file with the number of the coordinator's last start that used the data beside it; the number grows.
struct EpochFile {
  /// The start after which there can be no other.
  private static let highest = UInt64.max

  /// The path of the file.
  let path: String

  /// The number; `nil` if there is no file.
  ///
  /// - Throws: ``StartError`` when the file is damaged.
  func read() throws -> UInt64? {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    let text = String(decoding: try FileBytes.read(path, limit: 4096), as: UTF8.self)
    guard text.hasSuffix("\n"), let epoch = UInt64(text.dropLast()) else {
      throw StartError(
        "read \(path)", "it holds no number but \"\(text.prefix(32))\"",
        remedy: "Write a number above all epochs used so far into it, and a line end")
    }
    guard epoch < Self.highest else {
      throw StartError(
        "read \(path)", "it holds \(epoch), the highest number there is, and the next start needs a higher one",
        remedy: "Write a number into it that is above all epochs used so far and leaves room, and a line end")
    }
    return epoch
  }

  /// Writes the number, and waits until it is on disk.
  ///
  /// - Throws: ``StartError`` when it cannot be written.
  func write(_ epoch: UInt64) throws { try SyncedFile.write("\(epoch)\n", to: path) }
}

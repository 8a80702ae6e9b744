import Glibc

/// A file that holds which start of the coordinator was the last that used what lies beside it: a number that grows.
struct EpochFile {
  /// The start after which there can be no other.
  private static let highest = UInt64.max

  /// Where it is.
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
  func write(_ epoch: UInt64) throws { try Self.write("\(epoch)\n", to: path) }

  /// Writes a small file whole: into a second one, synced, that takes the place of the first, so that a crash leaves either
  /// of them whole.
  ///
  /// - Throws: ``StartError`` when it cannot be written.
  static func write(_ text: String, to path: String) throws {
    let remedy = "Give motiond a state directory, and a journal, that it may write, and room there"
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StartError(writing: "write \(new)", remedy: remedy) }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten else { throw StartError(writing: "write \(path)", reason, remedy: remedy) }
    guard rename(new, path) == 0 else { throw StartError(writing: "write \(path)", remedy: remedy) }
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let folder = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw StartError(writing: "open \(directory)", remedy: remedy) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw StartError(writing: "sync \(directory)", remedy: remedy) }
  }
}

import Glibc
import LinuxSystem
import ZeroMQ

/// A small file that is on disk as a whole, or as it was before.
enum SyncedFile {
  /// The name under which the new contents of a file are written first.
  static func replacement(of path: String) -> String { path + ".new" }

  /// Writes the whole file: into a second one, synced, that replaces the first, so that a crash leaves either of them
  /// whole.
  ///
  /// - Throws: ``StartError`` when it cannot be written.
  static func write(_ text: String, to path: String) throws {
    let remedy = "Give motiond a state directory and a journal that it can write, with free space"
    let new = replacement(of: path)
    // What a crash has left behind may be a link of any kind, or a pipe, which would block.
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StartError(writing: "write \(new)", remedy: remedy) }
    var reason = WholeWrite.write(Array(text.utf8), to: descriptor)
    if reason == 0, fsync(descriptor) != 0 { reason = errno }
    close(descriptor)
    guard reason == 0 else { throw StartError(writing: "write \(path)", reason, remedy: remedy) }
    guard rename(new, path) == 0 else { throw StartError(writing: "write \(path)", remedy: remedy) }
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let folder = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw StartError(writing: "open \(directory)", remedy: remedy) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw StartError(writing: "sync \(directory)", remedy: remedy) }
  }
}

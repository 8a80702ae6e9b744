import Glibc

/// Keeps which start of the coordinator this is: a number that grows with each, on disk before anything is bound.
enum EpochFile {
  /// Reads the last epoch, writes the next one and waits until it is on disk.
  ///
  /// The new number is written to a second file, synced, and put in the place of the first, so that a crash leaves
  /// either number whole. ``StateDirectory`` holds the lock.
  /// - Throws: ``StartError`` when the file is damaged or cannot be written.
  static func next(in directory: String) throws -> UInt64 {
    let path = "\(directory)/epoch"
    let epoch = try read(path) + 1
    try write("\(epoch)\n", to: path + ".new", movedTo: path, in: directory)
    return epoch
  }

  /// Checks that the last epoch can be read.
  ///
  /// - Throws: ``StartError`` when the file is damaged.
  static func check(in directory: String) throws {
    _ = try read("\(directory)/epoch")
  }

  private static func read(_ path: String) throws -> UInt64 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return 0 }
      throw failure("read \(path)")
    }
    defer { close(descriptor) }
    // 20 digits and a line end are the longest number there is.
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure("read \(path)") }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.hasSuffix("\n"), let epoch = UInt64(text.dropLast()) else {
      throw StartError(
        "read \(path)", "it holds no number but \"\(text.prefix(32))\"",
        remedy: "Write a number above all epochs used so far into it, and a line end")
    }
    guard epoch < UInt64.max else {
      throw StartError(
        "read \(path)", "it holds \(epoch), the highest number there is, and the next start needs a higher one",
        remedy: "Write a number into it that is above all epochs used so far and leaves room, and a line end")
    }
    return epoch
  }

  /// Writes a small file whole: in a second one, synced, that takes the place of the first.
  ///
  /// - Throws: ``StartError`` when it cannot be written.
  static func write(_ text: String, to new: String, movedTo path: String, in directory: String) throws {
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write \(new)") }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let isClosed = close(descriptor) == 0
    guard isWritten, isClosed, rename(new, path) == 0 else { throw failure("write \(path)") }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure("open \(directory)") }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure("sync \(directory)") }
  }

  private static func failure(_ step: String) -> StartError {
    StartError(step, String(cString: strerror(errno)), remedy: "Give motiond a state directory that it may write")
  }
}

import Glibc

/// A lock on a file that is held for as long as this lives, and no longer than the process, however that ends.
final class FileLock {
  private let descriptor: Int32

  /// Takes the lock; the file is made if it is not there, and stays: removing it would let two hold it.
  ///
  /// - Parameters:
  ///   - option: the setting that chooses another folder, for the remedy.
  ///   - place: what the other one does, if somebody has it: "runs in this directory".
  /// - Throws: ``StartError`` when another process, or another part of this one, holds it.
  init(_ path: String, option: String, ifTaken place: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StartError(
        "open \(path)", String(cString: strerror(errno)), remedy: "Choose another \(option) or mend its mode")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw StartError(
          "lock \(path)", String(cString: strerror(reason)), remedy: "Choose an \(option) on a disk that knows locks")
      }
      throw StartError(
        "lock \(path)", "another motiond \(place)", remedy: "Stop it, or give this one another \(option)",
        isTaken: true)
    }
  }

  deinit { close(descriptor) }
}

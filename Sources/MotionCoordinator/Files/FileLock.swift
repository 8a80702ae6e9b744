import Glibc

/// A lock on a file that is held until this object is released, and no longer than the process, however that ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock. The file is made if it does not exist, and stays: if it were removed, two processes could hold the
  /// lock.
  ///
  /// - Parameters:
  ///   - option: the setting that chooses another folder, for the remedy.
  ///   - place: the activity of the other holder, if there is one: "runs in this directory".
  /// - Throws: ``StartError`` when another process, or another part of this one, holds it.
  init(_ path: String, option: String, ifTaken place: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw StartError(
        "open \(path)", String(cString: strerror(errno)), remedy: "Choose another \(option) or correct its mode")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw StartError(
          "lock \(path)", String(cString: strerror(reason)),
          remedy: "Choose an \(option) on a file system that supports locks")
      }
      throw StartError(
        "lock \(path)", "another motiond \(place)", remedy: "Stop it, or give this one another \(option)",
        isTaken: true)
    }
  }

  deinit { close(descriptor) }
}

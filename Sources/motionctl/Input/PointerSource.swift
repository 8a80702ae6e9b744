import Glibc
import MotionClient

/// The source of an input device's bytes: the device, or a pipe or file with recorded bytes.
struct PointerSource {
  /// The file to read.
  let file: EvdevFile
  /// Whether it is a device, whose events have times of the boot clock. Events of other sources have the times of their
  /// recorder.
  let isDevice: Bool

  /// Opens a path.
  ///
  /// - Parameters:
  ///   - path: a device, a pipe, or a file.
  ///   - axes: the ranges of a touchscreen's axes, for bytes of another source than a device; without it, the bytes are
  ///     a mouse's.
  init(path: String, axes: EvdevDevice?) throws(Failure) {
    var facts = stat()
    isDevice = stat(path, &facts) != 0 || ![S_IFIFO, S_IFREG, S_IFSOCK].contains(facts.st_mode & S_IFMT)
    if isDevice {
      guard axes == nil else {
        throw Failure(.usage, "\(path) reports the ranges of its axes itself", remedy: "omit --axes")
      }
      do {
        file = try EvdevFile(path: path)
      } catch {
        throw Failure(error)
      }
    } else {
      // Opening does not wait for a writer of the pipe: the player polls for that.
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileBytes.failure(path) }
      file = EvdevFile(descriptor: descriptor, device: axes ?? .mouse, path: path)
    }
  }
}

extension Failure {
  /// The failure for an input device that cannot be used.
  init(_ error: EvdevFileError) {
    let reason = error.code == 0 ? "" : ": \(String(cString: strerror(error.code)))"
    self.init(.failure, "\(error.path) cannot \(error.problem)\(reason)", remedy: error.remedy)
  }
}

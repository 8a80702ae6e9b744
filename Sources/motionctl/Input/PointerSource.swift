import Glibc
import MotionClient

/// Where the bytes of an input device come from: the device, or a pipe or file with what one gave.
struct PointerSource {
  /// The bytes.
  let file: EvdevFile
  /// Whether it is a device, whose events have times of the boot clock. Others have those of whatever recorded them.
  let isDevice: Bool

  /// Opens a path.
  ///
  /// - Parameters:
  ///   - path: a device, a pipe, or a file.
  ///   - axes: the ranges of a touchscreen's axes, for bytes that come from no device; without it, they are a mouse's.
  init(path: String, axes: EvdevDevice?) throws(Failure) {
    var facts = stat()
    isDevice = stat(path, &facts) != 0 || ![S_IFIFO, S_IFREG, S_IFSOCK].contains(facts.st_mode & S_IFMT)
    if isDevice {
      guard axes == nil else {
        throw Failure(.usage, "\(path) says the ranges of its axes itself", remedy: "leave --axes away")
      }
      do {
        file = try EvdevFile(path: path)
      } catch {
        throw Failure(error)
      }
    } else {
      // It does not wait for somebody who writes into the pipe: that is what is polled for.
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileBytes.failure(path) }
      file = EvdevFile(descriptor: descriptor, device: axes ?? .mouse, path: path)
    }
  }
}

extension Failure {
  /// Why an input device cannot be followed.
  init(_ error: EvdevFileError) {
    let reason = error.code == 0 ? "" : ": \(String(cString: strerror(error.code)))"
    self.init(.failure, "\(error.path) cannot \(error.problem)\(reason)", remedy: error.remedy)
  }
}

import CLinux
import Glibc

/// A pipe that no other process inherits; each end closes when it is released.
struct Pipe {
  let reading: End
  let writing: End

  init() throws(SpawnError) {
    var ends: [Int32] = [-1, -1]
    guard motion_pipe(&ends) == 0 else { throw SpawnError("no pipe", code: errno) }
    (reading, writing) = (End(ends[0]), End(ends[1]))
  }

  /// One end of a pipe.
  final class End {
    let descriptor: Int32
    private var isOpen = true

    /// Takes ownership of a descriptor. If it has the number of a standard stream that motiond has closed, it is moved
    /// to another number.
    fileprivate init(_ descriptor: Int32) {
      let moved = descriptor < 3 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : descriptor
      if moved != descriptor { Glibc.close(descriptor) }
      self.descriptor = moved
    }

    deinit { close() }

    func close() {
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }

    func doNotBlock() { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }
}

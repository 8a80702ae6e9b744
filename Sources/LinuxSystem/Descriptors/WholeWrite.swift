import CLinux
import Glibc

/// Writes all bytes to a descriptor, with as many calls as needed.
public enum WholeWrite {
  /// Writes the bytes, and waits until they are written. It also waits if another process has made the shared stream
  /// non-blocking.
  ///
  /// - Returns: 0, or the error number of the failure.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if count < 0, errno == EAGAIN {
        var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&stream, 1, -1)
      } else if count == 0 || errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return 0
  }
}

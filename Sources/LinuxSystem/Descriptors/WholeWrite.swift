import Glibc

/// Writes all of some bytes to a descriptor, however often that takes.
public enum WholeWrite {
  /// Writes them, and waits for that as long as it takes: also where somebody made the stream non-blocking, for all who
  /// share it.
  ///
  /// - Returns: 0, or the error number of what kept them from being written.
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

import Glibc

@testable import MotionCoordinator

/// The receiving end of the messages to systemd and its journal: datagrams to a path.
final class DatagramListener {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard let address = UnixAddress(Array(path.utf8)), descriptor >= 0 else { throw Failure(step: "socket") }
    guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else { throw Failure(step: "bind") }
  }

  deinit { close(descriptor) }

  struct Failure: Error { let step: String }

  /// The next datagram, waited for at most so long; `nil` if none arrives.
  func next(withinMilliseconds limit: Int32) -> [UInt8]? { nextWithDescriptor(withinMilliseconds: limit)?.bytes }

  /// The next datagram as text.
  func nextText(withinMilliseconds limit: Int32 = 10_000) -> String? {
    next(withinMilliseconds: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The next datagram, with the descriptor that came with it, which the caller has to close.
  func nextWithDescriptor(withinMilliseconds limit: Int32) -> (bytes: [UInt8], descriptor: Int32?)? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, limit) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    // Room for one descriptor: the header of a control message is 16 bytes, the descriptor 4, padded to 8.
    var control = [Int](repeating: 0, count: 3)
    let room = bytes.count
    let (count, controlLength) = bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: room)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (part, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return (recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC)), message.msg_controllen)
        }
      }
    }
    guard count >= 0 else { return nil }
    let passed = controlLength >= 20 ? Int32(truncatingIfNeeded: control[2]) : nil
    return (Array(bytes.prefix(count)), passed)
  }
}

import Glibc

/// A non-blocking UDP socket of one address family, which receives the errors of its datagrams.
final class UDPSocket {
  /// The attempts to send a datagram: a failure may be that of an earlier one, which has not been reported yet.
  private static let attempts = 4

  /// `AF_INET` or `AF_INET6`.
  let family: Int32
  /// The socket; −1 if there is none.
  let descriptor: Int32
  /// The reason if there is no socket: an `errno`.
  private let failure: Int32

  /// Opens a socket that may send broadcasts (`SO_BROADCAST`) and queues errors (`IP_RECVERR`).
  init(family: Int32) {
    self.family = family
    let kind = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(family, Int32(kind), 0)
    failure = descriptor < 0 ? errno : 0
    guard descriptor >= 0 else { return }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, size)
    if family == AF_INET {
      setsockopt(descriptor, Int32(IPPROTO_IP), IP_RECVERR, &yes, size)
    } else {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_RECVERR, &yes, size)
    }
  }

  /// Lets multicasts leave by the interface of this address, as far as the next few networks, and whatever else too.
  ///
  /// - Returns: 0, or the `errno` if this machine does not have the address.
  func leave(by interface: SocketAddress?) -> Int32 {
    guard descriptor >= 0, family == AF_INET else { return 0 }
    var reach: UInt8 = 16
    setsockopt(descriptor, Int32(IPPROTO_IP), Int32(IP_MULTICAST_TTL), &reach, 1)
    guard let interface, interface.family == AF_INET else { return 0 }
    let status = interface.with(port: 0).withPointer { bind(descriptor, $0, $1) == 0 ? 0 : errno }
    // The address follows the family and the port.
    interface.bytes[4..<8].withUnsafeBytes { bytes in
      _ = setsockopt(descriptor, Int32(IPPROTO_IP), Int32(IP_MULTICAST_IF), bytes.baseAddress, 4)
    }
    return status
  }

  /// Receives what is sent to a port, also by other programs of this machine that share it.
  ///
  /// - Returns: 0, or the `errno`.
  func listen(on port: UInt16) -> Int32 {
    guard descriptor >= 0 else { return failure }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var any = sockaddr_in()
    (any.sin_family, any.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    let status = withUnsafePointer(to: &any) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return status == 0 ? 0 : errno
  }

  /// The next datagram, of at most 1,500 bytes, and its sender; `nil` if there is none.
  func receive() -> (packet: [UInt8], sender: SocketAddress)? {
    var (name, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    var packet = [UInt8](repeating: 0, count: 1500)
    let count = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &packet, packet.count, Int32(MSG_DONTWAIT), $0, &size)
      }
    }
    guard count >= 0, let sender = withUnsafeBytes(of: name, { SocketAddress($0) }) else { return nil }
    return (Array(packet.prefix(count)), sender)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends a datagram. The corresponding C function is `sendto`.
  ///
  /// - Returns: 0, or its `errno`.
  func send(_ packet: [UInt8], to address: SocketAddress) -> Int32 {
    var code = failure
    for _ in 0..<Self.attempts where descriptor >= 0 {
      let sent = address.withPointer { sendto(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL), $0, $1) }
      code = sent == packet.count ? 0 : errno
      // A full send buffer is not the error of an earlier datagram, and does not empty between two attempts.
      if code == 0 || code == EAGAIN { break }
    }
    return code
  }

  /// The next datagram that failed: its destination and the reason, as an `errno`; `nil` if there is none.
  ///
  /// An unknown address is `nil`; an unknown reason is `ECONNREFUSED`, which is nearly always right.
  func nextError() -> (address: SocketAddress?, code: Int32)? {
    var (name, control) = (sockaddr_storage(), [UInt64](repeating: 0, count: 64))
    var message = msghdr()
    let received = withUnsafeMutablePointer(to: &name) { name in
      control.withUnsafeMutableBytes { control in
        message.msg_name = UnsafeMutableRawPointer(name)
        message.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
        message.msg_control = control.baseAddress
        message.msg_controllen = control.count
        return recvmsg(descriptor, &message, Int32(MSG_ERRQUEUE))
      }
    }
    guard received >= 0 else { return nil }
    // A sock_extended_err, which begins with its errno, follows a cmsghdr.
    let code = control.withUnsafeBytes { $0.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: UInt32.self) }
    let hasCode = message.msg_controllen >= MemoryLayout<cmsghdr>.size + MemoryLayout<UInt32>.size
    let address = withUnsafeBytes(of: name) { SocketAddress($0) }
    return (address, hasCode ? Int32(truncatingIfNeeded: code) : ECONNREFUSED)
  }

  /// Clears an error that ``nextError()`` does not return, as when the error queue was full; otherwise the socket would
  /// continue to report it.
  func clearError() {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
  }
}

import Glibc

/// Tells systemd how the daemon is, if systemd asks for it (`sd_notify`): one datagram to `$NOTIFY_SOCKET`.
public struct ServiceNotifier: Sendable {
  private let address: String?

  /// Takes the socket's address from an environment; without one, notifying does nothing.
  public init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Says `state`: lines such as `READY=1`. What cannot be sent is lost, as systemd's own library has it.
  public func notify(_ state: String) {
    guard let address else { return }
    var socketAddress = sockaddr_un()
    socketAddress.sun_family = sa_family_t(AF_UNIX)
    // An address that begins with @ is an abstract one, whose first byte is zero.
    let path = Array(address.utf8).enumerated().map {
      $0.offset == 0 && $0.element == UInt8(ascii: "@") ? 0 : $0.element
    }
    guard path.count < MemoryLayout.size(ofValue: socketAddress.sun_path) else { return }
    withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    _ = withUnsafePointer(to: &socketAddress) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}

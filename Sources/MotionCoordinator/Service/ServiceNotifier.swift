import Glibc

/// Notifies systemd of the daemon's state, if systemd requests it (`sd_notify`): one datagram to `$NOTIFY_SOCKET`.
public struct ServiceNotifier: Sendable {
  private let address: String?

  /// Takes the socket's address from an environment; without one, notifying does nothing.
  public init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sends `state`: lines such as `READY=1`. A notification that cannot be sent is lost, as with systemd's own library.
  ///
  /// Waits while systemd has too much to read; ``notifyAtOnce(_:)`` does not.
  public func notify(_ state: String) { send(state, flags: Int32(MSG_NOSIGNAL)) }

  /// Sends `state` if that is possible at once: for a thread that must not wait.
  func notifyAtOnce(_ state: String) {
    send(state, flags: Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Notifies systemd that a reload begins; ``notify(_:)`` with `READY=1` reports its end.
  ///
  /// With the time of the monotonic clock, by which systemd 253 and later distinguishes this reload from an earlier
  /// one.
  public func notifyReloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
  }

  private func send(_ state: String, flags: Int32) {
    guard let address else { return }
    // An address that begins with @ is an abstract one, whose first byte is zero.
    let path = Array(address.utf8).enumerated().map {
      $0.offset == 0 && $0.element == UInt8(ascii: "@") ? 0 : $0.element
    }
    guard let peer = UnixAddress(path) else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    _ = peer.withSocketAddress { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
  }
}

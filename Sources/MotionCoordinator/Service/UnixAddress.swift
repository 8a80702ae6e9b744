import Glibc

/// The address of a local socket, in the kernel's form.
struct UnixAddress: Sendable {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// A path, or, with a zero as its first byte, an abstract name; `nil` if it has more than the 107 bytes there is room
  /// for.
  init?(_ path: some Collection<UInt8>) {
    guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // In an abstract name each byte counts; after a path a zero may follow or not.
    length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
  }

  /// Calls `body` with the arguments of `bind`, `connect` and `sendto`.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

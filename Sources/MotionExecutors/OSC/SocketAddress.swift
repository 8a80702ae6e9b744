import Glibc

/// An address for datagrams, of IPv4 or IPv6: the bytes of a `sockaddr`.
struct SocketAddress: Hashable, Sendable {
  private(set) var bytes: [UInt8]

  /// The address that the resolver returned; `nil` if it is of another family.
  init?(_ info: addrinfo) {
    guard let address = info.ai_addr else { return nil }
    self.init(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
  }

  /// The address in memory; `nil` if it is of neither family.
  init?(_ memory: UnsafeRawBufferPointer) {
    guard memory.count >= MemoryLayout<sa_family_t>.size else { return nil }
    let count =
      switch Int32(memory.loadUnaligned(as: sa_family_t.self)) {
      case AF_INET: MemoryLayout<sockaddr_in>.size
      case AF_INET6: MemoryLayout<sockaddr_in6>.size
      default: Int.max
      }
    guard memory.count >= count else { return nil }
    bytes = Array(memory.prefix(count))
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { bytes.withUnsafeBytes { Int32($0.loadUnaligned(as: sa_family_t.self)) } }

  /// The port, which follows the family in both, highest byte first.
  var port: UInt16 {
    get { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
    set { (bytes[2], bytes[3]) = (UInt8(newValue >> 8), UInt8(truncatingIfNeeded: newValue)) }
  }

  /// The address with another port.
  func with(port: UInt16) -> SocketAddress {
    var address = self
    address.port = port
    return address
  }

  /// Replaces the host of an address of IPv4, the four bytes behind the port.
  mutating func replace(host: [UInt8]) {
    if family == AF_INET, host.count == 4 { bytes.replaceSubrange(4..<8, with: host) }
  }

  /// Passes the address to `body` in C's form.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    // A sockaddr_storage is aligned as any sockaddr has to be, and larger than those of both families.
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// `127.0.0.1:9000`, `[::1]:9000`.
  var description: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return status == 0 ? OSCPlace(host: host, port: port).description : "an address that cannot be written"
  }
}

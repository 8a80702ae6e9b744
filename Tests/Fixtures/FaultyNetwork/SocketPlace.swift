import Foundation
import Glibc

/// The address at which a stream socket listens: a file, or an address and port.
public enum SocketPlace: Sendable, Hashable {
  case file(String)
  case port(String, UInt16)

  /// A socket that listens there. An existing file is removed first.
  func listen() throws -> Int32 {
    if case .file(let path) = self { unlink(path) }
    return try open { descriptor, address, length in
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      guard Glibc.bind(descriptor, address, length) == 0 else { return -1 }
      return Glibc.listen(descriptor, 128)
    }
  }

  /// A non-blocking socket that is connected to this place. The caller closes it.
  public func connect() throws -> Int32 {
    try open { descriptor, address, length in Glibc.connect(descriptor, address, length) }
  }

  private func open(_ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) throws -> Int32 {
    let family = if case .file = self { AF_UNIX } else { AF_INET }
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let status = withAddress { use(descriptor, $0, $1) }
    guard descriptor >= 0, status == 0 else {
      defer { close(descriptor) }
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return descriptor
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    func pass<Address>(_ address: inout Address) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
    switch self {
    case .file(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
      return pass(&address)
    case .port(let host, let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      return pass(&address)
    }
  }
}

import Glibc
import LinuxSystem
import ZeroMQ

/// A stream socket to a local address, without libzmq, to send arbitrary bytes.
final class RawConnection {
  private let descriptor: Int32

  /// Connects to a local socket.
  ///
  /// - Parameter waits: whether to wait for room where other connections wait to be accepted, and not to fail then.
  init(path: String, waits: Bool = true) throws {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, Int32(kind), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    try connect(&address, path)
  }

  /// Connects to a port of this machine.
  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try connect(&address, "port \(port)")
  }

  deinit { close(descriptor) }

  private func connect<Address>(_ address: inout Address, _ place: String) throws {
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard status == 0 else { throw Problem("connect to \(place): \(String(cString: strerror(errno)))") }
  }

  /// Sends a text; ignores that the peer may have closed the connection.
  func say(_ text: String) { say(Array(text.utf8)) }

  /// Likewise, for bytes.
  func say(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Everything received until the other end closes, as a text.
  func readToEnd(within limit: Duration = factTimeout) throws -> String {
    String(decoding: try bytesToEnd(within: limit), as: UTF8.self)
  }

  /// Everything received until the other end closes.
  func bytesToEnd(within limit: Duration = factTimeout) throws -> [UInt8] {
    let deadline = BootClock.now + limit
    var all: [UInt8] = []
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 100)
      if entry.revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return all }
        all += bytes.prefix(count)
      }
      guard BootClock.now < deadline else { throw WaitTimeout("the end of what is said", after: limit) }
    }
  }
}

import FaultyNetwork
import Glibc
import LinuxSystem
import ZeroMQ

/// A peer that implements ZMTP itself, so that it can send what libzmq never would. It is closed when the test releases
/// it.
///
/// Nothing here waits for long: a daemon that accepts no more, or has closed the connection, is a result to return, not
/// a failure.
final class Stranger {
  private let descriptor: Int32
  /// The beginning of a message whose end has not come yet.
  private var partialMessage: [UInt8] = []

  /// Connects to a socket file, and sends nothing.
  init(to path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Problem("socket: \(String(cString: strerror(errno)))") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    guard status == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Problem("connect to \(path): \(reason)")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Connects to a place of any kind, and sends nothing.
  init(at place: SocketPlace) throws { descriptor = try place.connect() }

  deinit { close(descriptor) }

  /// Sends these bytes, waiting a while for each part to be accepted.
  ///
  /// - Returns: whether all were accepted; not if the other end closed the connection or accepts nothing more.
  @discardableResult
  func say(_ bytes: [UInt8], timeout: Duration = .seconds(5)) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        sent += count
      } else {
        guard errno == EAGAIN, wait(for: POLLOUT, upTo: timeout) else { return false }
      }
    }
    return true
  }

  /// Receives the bytes that have arrived, waiting a while for the first one; `nil` when the other end has closed the
  /// connection.
  func hear(timeout: Duration = .seconds(5)) -> [UInt8]? {
    guard wait(for: POLLIN, upTo: timeout) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Receives whole messages of one frame each, waiting a while for the first byte.
  func receiveMessages(timeout: Duration = .seconds(5)) throws -> [[UInt8]] {
    guard let bytes = hear(timeout: timeout) else { throw Problem("the other end has hung up") }
    partialMessage += bytes
    var messages: [[UInt8]] = []
    while let isLong = partialMessage.first.map({ $0 & 2 != 0 }) {
      guard partialMessage[0] & ~2 == 0 else { throw Problem("a frame with flags \(partialMessage[0])") }
      let start = isLong ? 9 : 2
      guard partialMessage.count >= start else { break }
      let length = partialMessage[1..<start].reduce(0) { $0 << 8 | Int($1) }
      guard partialMessage.count >= start + length else { break }
      messages.append(Array(partialMessage[start..<(start + length)]))
      partialMessage.removeFirst(start + length)
    }
    return messages
  }

  /// Receives so many bytes; fewer when the other end closes the connection or stops sending.
  func hear(exactly count: Int) -> [UInt8] {
    var heard: [UInt8] = []
    while heard.count < count {
      var bytes = [UInt8](repeating: 0, count: count - heard.count)
      guard wait(for: POLLIN, upTo: .seconds(5)) else { break }
      let taken = recv(descriptor, &bytes, bytes.count, 0)
      guard taken > 0 else { break }
      heard += bytes[..<taken]
    }
    return heard
  }

  /// Whether the other end closes the connection within a while; bytes received meanwhile are discarded.
  func isHungUpOn(within limit: Duration = .seconds(5)) -> Bool {
    let deadline = BootClock.now + limit
    while BootClock.now < deadline {
      guard let heard = hear(timeout: deadline - BootClock.now) else { return true }
      if heard.isEmpty { return false }
    }
    return false
  }

  private func wait(for events: Int32, upTo limit: Duration) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, Int32(max(0, limit.wholeNanoseconds / 1_000_000))) > 0
  }
}

import Glibc
import LinuxSystem
import ZeroMQ

/// Receives a daemon's notifications to the service manager: the other end of `sd_notify`.
final class NotifySocket {
  let path: String
  private let descriptor: Int32
  private(set) var heard: [String] = []

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Problem("socket: errno \(errno)") }
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw Problem("bind \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// The number of times that a line was received so far.
  func count(of line: String) -> Int {
    while take(waitingMilliseconds: 0) {}
    return heard.count { $0.split(separator: "\n").contains { $0 == line } }
  }

  /// Receives a message if one arrives in that time; returns whether one did.
  private func take(waitingMilliseconds limit: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&item, 1, limit)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return false }
    heard.append(String(decoding: bytes[..<count], as: UTF8.self))
    return true
  }

  /// Waits until one of the received lines is `line`; ends early when `process` does.
  func hear(_ line: String, from process: ChildProcess, within limit: Duration = factTimeout) throws {
    let deadline = BootClock.now + limit
    while !heard.contains(where: { $0.split(separator: "\n").contains { $0 == line } }) {
      let took = take(waitingMilliseconds: 50)
      guard took || process.isRunning else { throw Problem("\(process.name) ended before it said \(line)") }
      guard BootClock.now < deadline else { throw WaitTimeout("\(line) of \(process.name)", after: limit) }
    }
  }
}

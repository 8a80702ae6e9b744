import Glibc
package import LinuxSystem

/// A file at which a Unix socket listens, made before libzmq has a part in it.
///
/// libzmq removes the file of each listener that it made itself when that ends, by its name, whosever it is by then. Of
/// this one it knows the descriptor only. Until it listens nobody connects, so that nobody finds another mode.
package final class ListeningFile {
  /// Where it is.
  package let path: String
  /// Which file that is. No other one has this identity as long as the socket lives.
  package let identity: FileIdentity
  /// Until libzmq has it, which closes it.
  private var descriptor: Int32?

  /// Connections that may wait to be accepted: as many as libzmq's own listeners have.
  private static let backlog: Int32 = 100

  /// Listens; what is at the path goes first.
  ///
  /// - Parameters:
  ///   - mode: who may connect.
  ///   - group: the group that it is given to.
  package init(at path: String, mode: UInt32, group: UInt32? = nil) throws(ZeroMQError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count <= Endpoint.longestPath else {
      throw ZeroMQError(code: ENAMETOOLONG, operation: "bind \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw ZeroMQError(code: errno, operation: "socket") }
    func check(_ result: Int32, _ operation: String) throws(ZeroMQError) {
      guard result != 0 else { return }
      let error = ZeroMQError(code: errno, operation: "\(operation) \(path)")
      close(descriptor)
      throw error
    }
    unlink(path)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check(status, "bind")
    let identity = FileIdentity(path: path)
    try check(identity == nil ? -1 : 0, "bind")
    if let group { try check(chown(path, uid_t.max, group), "chown") }
    try check(chmod(path, mode), "chmod")
    try check(listen(descriptor, Self.backlog), "listen")
    guard let identity else { preconditionFailure("a file that was looked at has no identity") }
    (self.path, self.identity, self.descriptor) = (path, identity, descriptor)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Lets a socket listen with it, once, and have it from then on.
  fileprivate func handOver(_ bind: (Int32) throws -> Void) throws {
    guard let descriptor else { preconditionFailure("\(path) is listened at by two sockets") }
    try bind(descriptor)
    self.descriptor = nil
  }
}

extension Socket {
  /// Listens at a file that listens already, and ends that with itself. The file stays.
  package func bind(_ file: ListeningFile) throws {
    try file.handOver { descriptor in
      try set(.listener(descriptor))
      defer { try? set(.listener(-1)) }
      try bind(.ipc(file.path))
    }
  }
}

import Glibc
package import LinuxSystem

/// The file of a listening Unix socket, made before libzmq uses it.
///
/// libzmq removes the file of a listener that it made itself when the listener closes. It does so by name, even if the
/// file belongs to another process by then. Of this file libzmq has only the descriptor. No peer can connect before the
/// socket listens, and therefore none finds a different mode.
package final class ListeningFile {
  /// The path of the file.
  package let path: String
  /// The identity of the file. No other file has it during the lifetime of the socket.
  package let identity: FileIdentity
  /// The descriptor, until libzmq has it and closes it.
  private var descriptor: Int32?

  /// Connections that wait to be accepted: as many as for libzmq's own listeners.
  private static let backlog: Int32 = 100

  /// Makes the socket and listens. An existing file at the path is removed first.
  ///
  /// - Parameters:
  ///   - mode: the permissions of the file, which determine who may connect.
  ///   - group: the group of the file.
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

  /// Passes the descriptor to a socket, once. The socket owns it from then on.
  fileprivate func handOver(_ bind: (Int32) throws -> Void) throws {
    guard let descriptor else { preconditionFailure("\(path) is listened at by two sockets") }
    try bind(descriptor)
    self.descriptor = nil
  }
}

extension Socket {
  /// Uses the descriptor of a file that listens already. libzmq closes the descriptor; the file stays.
  package func bind(_ file: ListeningFile) throws {
    try file.handOver { descriptor in
      try set(.listener(descriptor))
      defer { try? set(.listener(-1)) }
      try bind(.ipc(file.path))
    }
  }
}

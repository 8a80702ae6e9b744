import Glibc

extension Message {
  /// The descriptor, in this process, of the message's connection (libzmq's `ZMQ_SRCFD`), which no peer can choose. The
  /// connection may have closed, and the descriptor may belong to another one by now.
  package var descriptor: Int32? { property("__fd").flatMap { Int32($0) } }
}

extension PeerName {
  /// Closes the connection of this name, if the descriptor still belongs to a connection of the same peer. libzmq
  /// detects the closed connection and releases it; the peer may reconnect. At worst this closes another connection of
  /// the same process, or another one over the network.
  package func hangUp(on descriptor: Int32) {
    var credentials: (processID: pid_t, userID: uid_t, groupID: gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return }
    // For a connection over the network the kernel reports no process, and no process has the id 0.
    if let process, process.processID != credentials.processID { return }
    if process == nil, credentials.processID > 0 { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

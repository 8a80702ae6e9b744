import Glibc

extension Message {
  /// The descriptor, in this process, of the connection it came by; libzmq's `ZMQ_SRCFD`, which no peer can say of itself.
  /// The connection may be gone by now, and the descriptor another one's.
  package var descriptor: Int32? { property("__fd").flatMap { Int32($0) } }
}

extension PeerName {
  /// Ends the connection of this name, if the descriptor is still that of a connection of the same peer: libzmq sees its
  /// end and forgets it, and its peer may connect anew. At worst another connection of the same process is met, or
  /// another one of the network.
  package func hangUp(on descriptor: Int32) {
    var credentials: (processID: pid_t, userID: uid_t, groupID: gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return }
    // Of the network nothing is known, and no process has that number.
    if let process, process.processID != credentials.processID { return }
    if process == nil, credentials.processID > 0 { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

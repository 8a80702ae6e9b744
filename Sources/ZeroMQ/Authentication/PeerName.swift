/// The name under which a connection was admitted. Its messages carry it as their property `User-Id`.
///
/// It identifies the peer and the connection. No two connections have the same name, and no peer can choose or change
/// it.
package struct PeerName: Hashable, Sendable {
  /// The peer at the other end.
  package enum Peer: Hashable, Sendable, CustomStringConvertible {
    /// A process on this machine, as identified by the kernel.
    case process(LocalPeer)
    /// The holder of the secret key that belongs to this public one.
    case key(CurveKey)

    /// The peer as text for people.
    package var description: String {
      switch self {
      case .process(let process): "process \(process.processID)"
      case .key(let key): "the holder of the key \(key.z85)"
      }
    }
  }

  /// The peer at the other end.
  package var peer: Peer
  /// The number of the connection, assigned at admission.
  package var serial: UInt64

  /// The name of a connection.
  package init(_ peer: Peer, serial: UInt64) {
    self.peer = peer
    self.serial = serial
  }

  /// The name as a property: `UID:GID:PID:SERIAL`, or `key:KEY:SERIAL`, in which the key has 40 characters of Z85.
  package var text: String {
    switch peer {
    case .process(let process): "\(process.userID):\(process.groupID):\(process.processID):\(serial)"
    case .key(let key): "key:\(key.z85):\(serial)"
    }
  }

  /// Reads ``text``.
  package init?(text: String) {
    // A key may contain colons; a number does not.
    guard let last = text.lastIndex(of: ":"), let serial = UInt64(text[text.index(after: last)...]) else { return nil }
    let rest = text[..<last]
    if rest.hasPrefix("key:") {
      guard let key = CurveKey(z85: String(rest.dropFirst(4))) else { return nil }
      self.init(.key(key), serial: serial)
    } else {
      guard let process = LocalPeer(address: "localhost:\(rest)") else { return nil }
      self.init(.process(process), serial: serial)
    }
  }

  /// The process at the other end, if it is on this machine.
  package var process: LocalPeer? { if case .process(let process) = peer { process } else { nil } }
  /// The public key of the peer, if the peer has proved that it holds the secret one.
  package var key: CurveKey? { if case .key(let key) = peer { key } else { nil } }
}

extension Message {
  /// The sender's name; `nil` if no ``Authenticator`` has admitted its connection under a ``PeerName``.
  package var sender: PeerName? { property("User-Id").flatMap(PeerName.init(text:)) }
}

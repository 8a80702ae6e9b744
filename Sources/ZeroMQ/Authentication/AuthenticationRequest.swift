/// libzmq's request before it admits a connection, in the format of ZAP 1.0 (RFC 27).
package struct AuthenticationRequest: Hashable, Sendable {
  /// How the peer has authenticated itself.
  package enum Proof: Hashable, Sendable {
    /// Not at all (NULL). Over ipc the kernel identifies the peer; over tcp the peer is unknown.
    case none
    /// It holds the secret key that belongs to this public one (CURVE).
    case curve(CurveKey)
    /// By a mechanism that is unknown here.
    case other(String)
  }

  /// The socket's domain (``SocketOption/zapDomain(_:)``).
  package var domain: String
  /// The peer's address: an IP address, or `localhost:UID:GID:PID` over ipc.
  package var address: String
  /// How the peer has authenticated itself.
  package var proof: Proof
  /// Identifies the request within its connection; the answer repeats it.
  package var requestID: [UInt8]

  /// A request.
  package init(domain: String, address: String, proof: Proof = .none, requestID: [UInt8] = [0x31]) {
    self.domain = domain
    self.address = address
    self.proof = proof
    self.requestID = requestID
  }

  /// The most parts of a request, its delimiter included: eight and up to two credentials.
  package static let longestParts = 9

  /// Reads the parts behind the routing id; `nil` if they are not a request of ZAP 1.0.
  package init?(parts: [[UInt8]]) {
    guard parts.count >= 7, parts[0].isEmpty, parts[1] == Array("1.0".utf8) else { return nil }
    let mechanism = String(decoding: parts[6], as: UTF8.self)
    let proof: Proof
    switch mechanism {
    case "NULL": proof = .none
    case "CURVE":
      guard parts.count == 8, let key = CurveKey(bytes: parts[7]) else { return nil }
      proof = .curve(key)
    default: proof = .other(mechanism)
    }
    self.init(
      domain: String(decoding: parts[3], as: UTF8.self), address: String(decoding: parts[4], as: UTF8.self),
      proof: proof, requestID: parts[2])
  }

  /// The process at the other end of an ipc connection; `nil` for any other transport.
  package var localPeer: LocalPeer? { LocalPeer(address: address) }
}

/// The process at the other end of an ipc connection, as the kernel recorded it when it connected.
package struct LocalPeer: Hashable, Sendable {
  /// Its effective user.
  package var userID: UInt32
  /// Its effective group.
  package var groupID: UInt32
  /// Its process id in our PID namespace; 0 if it is not visible there.
  package var processID: Int32

  /// A process.
  package init(userID: UInt32, groupID: UInt32, processID: Int32) {
    self.userID = userID
    self.groupID = groupID
    self.processID = processID
  }

  /// Reads libzmq's text for `SO_PEERCRED`: `localhost:UID:GID:PID`. An IP address has other characters before its
  /// first colon, and is therefore never mistaken for a process.
  init?(address: String) {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "localhost", let userID = UInt32(parts[1]), let groupID = UInt32(parts[2]),
      let processID = Int32(parts[3])
    else { return nil }
    self.init(userID: userID, groupID: groupID, processID: processID)
  }
}

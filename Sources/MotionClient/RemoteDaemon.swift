import ZeroMQ

/// A daemon on another machine: its address, and the keys that authenticate client and daemon.
///
///     let daemon = try RemoteDaemon("tcp://stage:5570", keyFile: "desk.key", serverKey: "motiond.pub")
///     let client = try MotionClient(connectingTo: daemon, name: "show")
public struct RemoteDaemon: Hashable, Sendable {
  /// The daemon's address, `tcp://HOST:PORT`: the one that `motiond --listen` was given, with the name of that machine.
  public let address: String

  /// Where requests are sent, and where values come from.
  let control: Door
  let values: Door

  /// Reads the keys.
  ///
  /// - Parameters:
  ///   - address: `tcp://HOST:PORT`.
  ///   - keyFile: the client's own pair, as `motionctl key new` makes it; no other user may be able to read the file.
  ///   - serverKey: the daemon's public key: its 40 characters, or a file with them.
  /// - Throws: `key` for keys that cannot be used, `unreachable` for an invalid address, each with its remedy.
  public init(_ address: String, keyFile: String, serverKey: String) throws(MotionClientError) {
    let credentials: Credentials
    do {
      let own = try CurveKeyFile(reading: keyFile)
      credentials = Credentials(
        publicKey: own.publicKey, secretKey: own.secretKey, serverKey: try CurveKeyFile.publicKey(serverKey))
    } catch {
      throw MotionClientError(.key, "the key file \(error.path): \(error.problem)", remedy: error.remedy)
    }
    guard let row = (try? Endpoint(address))?.row(2) else {
      throw MotionClientError(
        .unreachable, "\"\(address)\" is not an address of a daemon on another machine",
        remedy: "Write tcp://HOST:PORT; find a daemon on this machine by its directory")
    }
    self.address = address
    control = Door(endpoint: row[0].address, credentials: credentials)
    // Values are at the next port, whatever name the daemon itself uses for its machine.
    values = Door(endpoint: row[1].address, credentials: credentials)
  }
}

/// An endpoint that a client's socket connects to, with its credentials.
struct Door: Hashable, Sendable {
  let endpoint: String
  /// The keys, for another machine. On the same machine the kernel authenticates the client.
  var credentials: Credentials?
}

/// The keys of a client, and of its daemon.
struct Credentials: Hashable, Sendable {
  let publicKey: CurveKey
  let secretKey: CurveKey
  let serverKey: CurveKey

  /// Sets the keys and options on a socket, before it connects.
  func apply<Kind>(to socket: Socket<Kind>) throws(ZeroMQError) {
    try socket.set(.curveClient(publicKey: publicKey, secretKey: secretKey, serverKey: serverKey))
    try socket.set(.ipv6(true))
    // A machine that was switched off sends nothing: after this timeout libzmq reconnects.
    try socket.set(.heartbeatInterval(.seconds(10)))
    try socket.set(.heartbeatTimeout(.seconds(30)))
  }
}

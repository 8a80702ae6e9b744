package import MotionModel
package import ZeroMQ

/// How a worker that motiond did not start, on another machine say, finds it: what is said on its command line, or in its
/// environment.
package struct RemoteConnection: Sendable {
  /// Which worker it wants to be: `--plugin` and `--instance`, `MOTION_PLUGIN` and `MOTION_INSTANCE`; by default the name
  /// of the program, and the first.
  package var address: WorkerAddress
  /// Where motiond listens to workers (`motiond --listen-workers`): `--connect`, `MOTION_CONNECT`.
  package var link: Endpoint
  /// Its own pair of keys: the file of `--key`, `MOTION_KEY`.
  package var key: CurveKeyFile?
  /// motiond's public key: `--server-key`, `MOTION_SERVER_KEY`, the key itself or a file that holds it.
  package var serverKey: CurveKey?

  /// A connection without keys, which motiond admits nowhere but in tests.
  package init(_ address: WorkerAddress, link: Endpoint) {
    self.address = address
    self.link = link
  }

  /// The options of its sockets.
  var security: [SocketOption] {
    guard let key, let serverKey else { return [] }
    return [
      .curveClient(publicKey: key.publicKey, secretKey: key.secretKey, serverKey: serverKey), .ipv6(true),
    ]
  }

  /// The address of another socket of motiond, on the host of the link.
  func endpoint(port: UInt16) throws(EndpointError) -> Endpoint { try link.at(port: port) }
}

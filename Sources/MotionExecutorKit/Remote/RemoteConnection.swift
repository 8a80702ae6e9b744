package import MotionModel
package import ZeroMQ

/// How a worker that motiond did not start, for example on another machine, connects to it. Given on its command line
/// or in its environment.
package struct RemoteConnection: Sendable {
  /// The worker that it claims to be: `--plugin` and `--instance`, `MOTION_PLUGIN` and `MOTION_INSTANCE`. The defaults
  /// are the name of the program and the first instance.
  package var address: WorkerAddress
  /// The address where motiond listens to workers (`motiond --listen-workers`): `--connect`, `MOTION_CONNECT`.
  package var link: Endpoint
  /// The worker's own key pair: the file of `--key`, `MOTION_KEY`.
  package var key: CurveKeyFile?
  /// motiond's public key: `--server-key`, `MOTION_SERVER_KEY`, the key itself or a file that holds it.
  package var serverKey: CurveKey?

  /// A connection without keys. motiond admits it only in tests.
  package init(_ address: WorkerAddress, link: Endpoint) {
    self.address = address
    self.link = link
  }

  /// The security options of its sockets.
  var security: [SocketOption] {
    guard let key, let serverKey else { return [] }
    return [
      .curveClient(publicKey: key.publicKey, secretKey: key.secretKey, serverKey: serverKey), .ipv6(true),
    ]
  }

  /// The address of another socket of motiond, on the host of the link.
  func endpoint(port: UInt16) throws(EndpointError) -> Endpoint { try link.at(port: port) }
}

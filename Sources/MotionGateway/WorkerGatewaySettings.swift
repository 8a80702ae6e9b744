import ZeroMQ

/// What a gateway for a worker is started with.
package struct WorkerGatewaySettings: Sendable {
  /// Where the worker connects: link, commands, ticks and events, in a row.
  let listener: [Endpoint]
  /// Where motiond waits for workers, likewise.
  let motiond: [Endpoint]
  /// The gateway's own keys: those by which the worker knows it, and motiond knows it as that worker.
  let pair: CurveKeyFile
  /// The key of the worker.
  let worker: CurveKey
  /// motiond's public key.
  let server: CurveKey
  /// How much it may cost.
  package var limits = WorkerGatewayLimits()

  /// A gateway between two addresses, `tcp://HOST:PORT`, each the first of four ports.
  ///
  /// - Parameters:
  ///   - key: the file of the gateway's own pair.
  ///   - worker: the worker's public key, or a file that holds it; likewise `server`, motiond's.
  /// - Throws: ``GatewayError`` when one of them is no address, and an error for a key that cannot be used.
  package init(listen: String, motiond: String, key: String, worker: String, server: String) throws {
    listener = try Endpoint.row(of: listen, option: "--listen", count: 4)
    self.motiond = try Endpoint.row(of: motiond, option: "--connect", count: 4)
    pair = try CurveKeyFile(reading: key)
    self.worker = try CurveKeyFile.publicKey(worker)
    self.server = try CurveKeyFile.publicKey(server)
  }
}

/// Every bound of a gateway for a worker, each with its reason.
package struct WorkerGatewayLimits: Hashable, Sendable {
  /// Memory beyond what the gateway has when it starts, in bytes: what motiond tells a worker at once, a snapshot, has
  /// 64 MiB at most, and is there three times on its way. See ``GatewayLimits/memory``.
  package var memory = 512 << 20
  /// Connections at a time: a worker has four, and four more while the ones before are ending.
  package var connections = 32
  /// One message of the worker's, in bytes: the values of some 10,000 properties.
  package var messageBytes = 1 << 20
  /// Messages of the worker's in a second: an update in each of 1000 frames, with heartbeats and lines of its log; half of
  /// what motiond takes for a flood.
  package var messagesPerSecond = 2500.0
  /// Bytes of the worker's in a second, and as many at once as one message may have: values of 1000 properties in each of
  /// 500 frames. Reading them takes motiond some 30 ms of each second.
  package var bytesPerSecond = Double(16 << 20)

  /// The usual limits.
  package init() {}

  /// Requests on the link that wait for their answers: a worker has one, and repeats it.
  let requestsWaiting = 16
  /// How long an answer is awaited: motiond answers at once, and the worker asks again each second.
  static let answerTimeout = Duration.seconds(5)
  /// Claims without an answer after which the gateway connects anew: motiond answers all but those that are late.
  static let claimsUnanswered = 3
}

extension Endpoint {
  /// The sockets at an address and the ports after it.
  static func row(of text: String, option: String, count: Int) throws(GatewayError) -> [Endpoint] {
    guard let endpoint = try? Endpoint(text), let row = endpoint.row(count) else {
      throw GatewayError(
        "\(option) \"\(text.prefix(128))\" is no address for \(count) sockets",
        remedy: "Write tcp://HOST:PORT, with a port from 1 to \(65_536 - count)", isUsage: true)
    }
    return row
  }
}

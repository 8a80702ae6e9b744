import ZeroMQ

/// The settings of a gateway for a worker.
package struct WorkerGatewaySettings: Sendable {
  /// Where the worker connects: link, commands, ticks and events, in this order.
  let listener: [Endpoint]
  /// Where motiond listens for workers, in the same order.
  let motiond: [Endpoint]
  /// The gateway's own pair of keys: the worker identifies the gateway by it, and motiond takes its holder for that
  /// worker.
  let pair: CurveKeyFile
  /// The worker's public key.
  let worker: CurveKey
  /// motiond's public key.
  let server: CurveKey
  /// The limits of the worker.
  package var limits = WorkerGatewayLimits()

  /// The settings for a gateway between two addresses, `tcp://HOST:PORT`, each the first of four ports.
  ///
  /// - Parameters:
  ///   - key: the file of the gateway's own pair.
  ///   - worker: the worker's public key, or a file that holds it; likewise `server`, motiond's.
  /// - Throws: ``GatewayError`` when one of them is not such an address, and an error for a key that cannot be used.
  package init(listen: String, motiond: String, key: String, worker: String, server: String) throws {
    listener = try Endpoint.row(of: listen, option: "--listen", count: 4)
    self.motiond = try Endpoint.row(of: motiond, option: "--connect", count: 4)
    pair = try CurveKeyFile(reading: key)
    self.worker = try CurveKeyFile.publicKey(worker)
    self.server = try CurveKeyFile.publicKey(server)
  }
}

/// The limits of a gateway for a worker, each with its reason.
package struct WorkerGatewayLimits: Hashable, Sendable {
  /// Memory beyond what the gateway has when it starts, in bytes. The largest message from motiond, a snapshot, has 64
  /// MiB at most, and there are three copies of it on its way. See ``GatewayLimits/memory``.
  package var memory = 512 << 20
  /// Connections at a time: a worker has four, and four more while the previous ones are closing.
  package var connections = 32
  /// One message of the worker, in bytes: the values of about 10,000 properties.
  package var messageBytes = 1 << 20
  /// Messages of the worker in a second: an update in each of 1000 frames, with heartbeats and log lines. This is half
  /// of the rate that motiond treats as a flood.
  package var messagesPerSecond = 2500.0
  /// Bytes of the worker in a second, and at once at least those of one message: values of 1000 properties in each of
  /// 500 frames. Reading them takes motiond about 30 ms of each second.
  package var bytesPerSecond = Double(16 << 20)

  /// The default limits.
  package init() {}

  /// Requests on the link that wait for their answers: a worker has one, and resends it.
  let requestsWaiting = 16
  /// How long the gateway waits for an answer: motiond answers at once, and the worker resends each second.
  static let answerTimeout = Duration.seconds(5)
  /// Unanswered claims after which the gateway reconnects: motiond answers all claims except late ones.
  static let claimsUnanswered = 3
}

extension Endpoint {
  /// The sockets at an address and at the ports after it.
  static func row(of text: String, option: String, count: Int) throws(GatewayError) -> [Endpoint] {
    guard let endpoint = try? Endpoint(text), let row = endpoint.row(count) else {
      throw GatewayError(
        "\(option) \"\(text.prefix(128))\" is not an address for \(count) sockets",
        remedy: "Write tcp://HOST:PORT, with a port from 1 to \(65_536 - count)", isUsage: true)
    }
    return row
  }
}

import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// The data about a commit that its decoding yields.
struct DecodedCommit: Sendable {
  let digest: TransactionDigest
  /// The length of its message.
  let bytes: Int
  /// The encoded commit, as its client sent it; `nil` if it was not kept, because it is small or encoded in an unusual
  /// way.
  let said: [UInt8]?
  /// The highest priority that it states.
  let highestPriority: HighestPriority?

  /// The data about a commit. Linear in its log.
  init(of commit: Commit, bytes: Int = 0, said: [UInt8]? = nil) {
    (digest, self.bytes, self.said) = (commit.digest, bytes, said)
    highestPriority = HighestPriority(of: commit.transaction)
  }
}

/// Decodes large requests on a thread of its own, so that no frame waits for one.
///
/// Requests of one client come out in the order in which they went in: while one of them is being decoded, the smaller
/// ones behind it take the same way. There is one thread, so different clients wait for each other's large requests;
/// the small ones of other clients do not.
final class RequestDecoder {
  /// The size from which a request is large. One of 16 KiB holds some 190 operations, which are decoded in 0.2 ms.
  /// Encoded in a way that only the generated code reads, they take 0.6 ms. (Measured: up to 0.8 and 3 µs for each
  /// operation.) Both are below the millisecond of a frame at the highest rate; handing a request over costs some 20
  /// µs.
  static let largeBytes = 16_384
  /// The most bytes of requests in progress: two of the largest. Decoded they take up to five times as much memory.
  static let bytesUnderWay = 2 * Limits.clientMessageBytes

  /// The result of decoding a request.
  struct Decoded: Sendable {
    let client: RoutingID
    /// The length of its message, or the room that it takes up.
    var bytes: Int
    /// The envelope, and the data about its commit, if it has one.
    let result: Result<(Envelope, DecodedCommit?), WireError>
    /// The number of the request, if it has one.
    let request: UInt64
    /// The connection that it came by, where that was looked up.
    var connection: Int32?

    /// Whether its answer may be so long that it is worth dropping when its connection is closed.
    var asksForRows: Bool {
      if case .success((let envelope, _)) = result, case .query = envelope.body { true } else { false }
    }
    /// The peer of its connection, if it is a commit, a change of the clock or a stop, and the peer was admitted there.
    var peer: PeerName.Peer?

    /// Whether it is a change of the clock, or a stop.
    var isClockOrStop: Bool {
      guard case .success((let envelope, _)) = result else { return false }
      return switch envelope.body {
      case .clock, .stop: true
      default: false
      }
    }
    /// Whether it has an answer.
    var isAnswered: Bool { if case .success = result { request != 0 } else { true } }
    /// Whether it is a commit.
    var isCommit: Bool { if case .success((_, _?)) = result { true } else { false } }
  }

  /// The sender of a message.
  private struct Origin: Sendable {
    let client: RoutingID
    let peer: PeerName.Peer?
  }

  private let thread: DecodingThread<Origin, Decoded>
  private var underWay: [RoutingID: Int] = [:]
  private var bytes = 0

  /// - Parameters:
  ///   - machine: runs the thread.
  ///   - keepsBytes: whether the bytes of large commits are kept, for a journal.
  init(on machine: any Machine = LinuxMachine(), keepsBytes: Bool) throws {
    thread = try DecodingThread("decoder", on: machine) { message, origin in
      var decoded = Self.decode(message, from: origin.client, keepsBytes: keepsBytes)
      decoded.peer = origin.peer
      return decoded
    }
  }

  /// The descriptor that becomes readable when something was decoded.
  var descriptor: Int32 { thread.descriptor }

  /// Whether a request has to go through ``hand(over:from:)``: it is large, or follows one that has.
  func isFor(_ message: Message, from client: RoutingID) -> Bool {
    message.count >= Self.largeBytes || underWay[client] != nil
  }

  /// Takes ownership of a request.
  ///
  /// - Parameter peer: the peer of its connection.
  /// - Returns: whether there was room for it.
  func hand(over message: consuming Message, from client: RoutingID, by peer: PeerName.Peer? = nil) -> Bool {
    guard bytes + message.count <= Self.bytesUnderWay else { return false }
    bytes += message.count
    underWay[client, default: 0] += 1
    thread.decode(message, Origin(client: client, peer: peer))
    return true
  }

  /// Takes up room for a request that was decoded elsewhere: later ones of its client queue behind it.
  ///
  /// - Returns: the request; `nil` if there is no room for it.
  func queue(_ request: Decoded) -> Decoded? {
    // However short its message, it may become large.
    var request = request
    request.bytes = max(request.bytes, Self.largeBytes)
    guard bytes + request.bytes <= Self.bytesUnderWay else { return nil }
    bytes += request.bytes
    underWay[request.client, default: 0] += 1
    return request
  }

  /// Releases the remains of a large transaction, which takes milliseconds, on a thread where no frame waits for it.
  func letGo(_ spent: some Sendable) { thread.letGo(spent) }

  /// Takes out the requests decoded since the last call, in the order of ``hand(over:from:)``. Each is in progress
  /// until it is ``finish(_:)``ed.
  func take() -> [Decoded] { thread.take() }

  /// A request was answered: it takes no more room, and later requests need not queue behind it.
  func finish(_ request: Decoded) {
    letGo(request)
    bytes -= request.bytes
    let rest = (underWay[request.client] ?? 1) - 1
    underWay[request.client] = rest > 0 ? rest : nil
  }

  /// Checks that a request names its sender and, if it has an answer, its number: 0 stands for none of either.
  private static func check(_ envelope: Envelope) throws(WireError) {
    guard envelope.incarnation != 0 else {
      throw WireError(
        .missing, field: "incarnation", "the request does not identify its sender: its incarnation is 0",
        remedy: "Send a random number other than 0, the same one in each request of your process")
    }
    guard envelope.sequence != 0 || envelope.body.mayGoUnanswered else {
      throw WireError(
        .missing, field: "sequence", "the request has no number: its sequence is 0",
        remedy: "Number your requests from 1, so that each answer can be matched with its request")
    }
  }

  /// Decodes a request on the calling thread.
  ///
  /// - Parameter keepsBytes: whether the bytes of a commit are copied, which takes a tenth of the time of decoding
  ///   them.
  static func decode(_ message: Message, from client: RoutingID, keepsBytes: Bool = false) -> Decoded {
    message.withUnsafeBytes { bytes in
      let result = Result { () throws(WireError) in
        let (envelope, place) = try Envelope.read(bytes, limit: Limits.clientMessageBytes)
        try check(envelope)
        guard case .commit(let commit) = envelope.body else { return (envelope, DecodedCommit?.none) }
        let said = keepsBytes ? place.map { Array(UnsafeRawBufferPointer(rebasing: bytes[$0])) } : nil
        return (envelope, DecodedCommit(of: commit, bytes: bytes.count, said: said))
      }
      // Even an unreadable request may carry its number, so that its sender need not wait for a timeout.
      let request =
        switch result {
        case .success((let envelope, _)): envelope.sequence
        case .failure: (try? EnvelopeHeader(decoding: bytes))?.sequence ?? 0
        }
      return Decoded(client: client, bytes: bytes.count, result: result, request: request)
    }
  }
}

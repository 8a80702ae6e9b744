import MotionModel
import MotionWire
import ZeroMQ

/// Decodes large messages of workers on a thread of its own, so that no frame waits for one.
///
/// The messages of one life of a worker come out in the order in which they went in: while one of them is being
/// decoded, those that follow take the same way. There is one thread, so large messages of different workers wait for
/// each other; their small messages do not.
final class EventDecoder {
  /// The size from which a message is large, unless it holds nothing but values: events are decoded by the same code as
  /// a request of as many bytes.
  static let largeBytes = RequestDecoder.largeBytes
  /// The size from which a message is large whatever it holds: values and velocities of 16,000 lanes, which are decoded
  /// in 10 ns each (measured), 0.2 ms.
  static let largeBytesOfValues = 262_144
  /// The most bytes of one life of a worker that may wait: its largest message. A worker that sends more than can be
  /// decoded is fenced.
  static let bytesOfLife = Limits.workerMessageBytes + Topic.longestBytes

  /// One life of a worker.
  struct Life: Hashable, Sendable {
    let address: WorkerAddress
    let incarnation: UInt64
  }

  /// The result of decoding a message on the decoding thread.
  struct Decoded: Sendable {
    let life: Life
    /// The length of its message.
    let bytes: Int
    let result: Result<Envelope, WireError>
  }

  private let thread: DecodingThread<(start: Int, life: Life), Decoded>
  private var underWay: [Life: Int] = [:]

  /// - Parameter machine: runs the thread.
  init(on machine: any Machine = LinuxMachine()) throws {
    thread = try DecodingThread("events", on: machine) { Self.decode($0, from: $1.start, of: $1.life) }
  }

  /// The descriptor that becomes readable when something was decoded.
  var descriptor: Int32 { thread.descriptor }

  /// Whether any message is being decoded.
  var isBusy: Bool { !underWay.isEmpty }

  /// Whether a message has to go through ``hand(over:from:of:)``: it is large, or follows one that has.
  func isFor(_ message: UnsafeRawBufferPointer, of life: Life) -> Bool {
    if underWay[life] != nil || message.count >= Self.largeBytesOfValues { return true }
    return message.count >= Self.largeBytes && !Envelope.holdsNothingButValues(message)
  }

  /// Takes ownership of a message whose envelope begins at `start`.
  ///
  /// - Returns: whether there was room for it.
  func hand(over message: Message, from start: Int, of life: Life) -> Bool {
    let bytes = underWay[life, default: 0] + message.count
    guard bytes <= Self.bytesOfLife else { return false }
    underWay[life] = bytes
    thread.decode(message, (start, life))
    return true
  }

  /// Takes out the messages decoded since the last call, in the order of ``hand(over:from:of:)``. Each still takes room
  /// until it is ``finish(_:)``ed.
  func take() -> [Decoded] { thread.take() }

  /// A message was handled: it takes no more room, and is released on a thread where no frame waits for that.
  func finish(_ message: Decoded) {
    thread.letGo(message)
    let rest = (underWay[message.life] ?? 0) - message.bytes
    underWay[message.life] = rest > 0 ? rest : nil
  }

  private static func decode(_ message: Message, from start: Int, of life: Life) -> Decoded {
    message.withUnsafeBytes { frame in
      let bytes = UnsafeRawBufferPointer(rebasing: frame[start...])
      let result = Result { () throws(WireError) in try Envelope(decoding: bytes, limit: Limits.workerMessageBytes) }
      return Decoded(life: life, bytes: frame.count, result: result)
    }
  }
}

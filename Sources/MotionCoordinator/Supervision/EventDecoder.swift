import MotionModel
import MotionWire
import ZeroMQ

/// Decodes large messages of workers on a thread of its own, so that no frame waits for one.
///
/// What one life of a worker says comes out in the order in which it went in: while some of it is being decoded, what
/// follows goes the same way. The thread is one, so large messages of different workers wait for each other; what small
/// ones say does not.
final class EventDecoder {
  /// From how many bytes on a message is large, unless it holds nothing but values: events are read by the same code as a
  /// request of as many bytes.
  static let largeBytes = RequestDecoder.largeBytes
  /// From how many bytes on a message is large whatever it holds: values and velocities of 16,000 lanes, which are read in
  /// 10 ns each (measured), 0.2 ms.
  static let largeBytesOfValues = 262_144
  /// What one life of a worker may have waiting: its largest message. Who says more than can be read is ended.
  static let bytesOfLife = Limits.workerMessageBytes + Topic.longestBytes

  /// One life of a worker.
  struct Life: Hashable, Sendable {
    let address: WorkerAddress
    let incarnation: UInt64
  }

  /// A message that was decoded, or not, in a thread that has the time.
  struct Decoded: Sendable {
    let life: Life
    /// The length of its message.
    let bytes: Int
    let result: Result<Envelope, WireError>
  }

  private let thread: DecodingThread<(start: Int, life: Life), Decoded>
  private var underWay: [Life: Int] = [:]

  /// - Parameter machine: who runs the thread.
  init(on machine: any Machine = LinuxMachine()) throws {
    thread = try DecodingThread("events", on: machine) { Self.decode($0, from: $1.start, of: $1.life) }
  }

  /// The descriptor that becomes readable when something was decoded.
  var descriptor: Int32 { thread.descriptor }

  /// Whether anything is under way.
  var isBusy: Bool { !underWay.isEmpty }

  /// Whether a message has to go through ``hand(over:from:of:)``: it is large, or follows one that has.
  func isFor(_ message: UnsafeRawBufferPointer, of life: Life) -> Bool {
    if underWay[life] != nil || message.count >= Self.largeBytesOfValues { return true }
    return message.count >= Self.largeBytes && !Envelope.holdsNothingButValues(message)
  }

  /// Takes a message whose envelope begins at `start`; it is the caller's no longer.
  ///
  /// - Returns: whether there was room for it.
  func hand(over message: Message, from start: Int, of life: Life) -> Bool {
    let bytes = underWay[life, default: 0] + message.count
    guard bytes <= Self.bytesOfLife else { return false }
    underWay[life] = bytes
    thread.decode(message, (start, life))
    return true
  }

  /// Takes out what was decoded since the last call, in the order of ``hand(over:from:of:)``. It is under way until it is
  /// ``finish(_:)``ed.
  func take() -> [Decoded] { thread.take() }

  /// A message was heard: it takes no more room, and is let go of where no frame waits for that.
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

import CReference
import Glibc

/// A subscriber of values that looks at the beginning of messages alone: it takes next to nothing from who is measured.
final class Listener {
  /// Who publishes.
  enum Publisher { case motiond, reference }

  /// A message: the frame that it is of, when it was sent and received, in seconds of the boot clock.
  struct Heard {
    let frame: UInt64
    let sent: Double
    let received: Double
  }

  private let listener: OpaquePointer
  private let publisher: Publisher
  private let skipped: Int

  init(_ endpoint: String, topic: String, of publisher: Publisher) {
    let subscription = Array(topic.utf8) + [0]
    listener = reference_listener_open(endpoint, subscription, subscription.count)
    self.publisher = publisher
    skipped = subscription.count
  }

  deinit { reference_listener_close(listener) }

  /// The next message of values; `nil` if there is none in time.
  func next(within seconds: Double) throws -> Heard? {
    var heard = reference_heard()
    while true {
      let error = reference_listener_hear(listener, &heard, Int32(seconds * 1000))
      if error == EAGAIN { return nil }
      if error == EINTR { continue }
      guard error == 0 else { throw BenchFailure("libzmq failed with error \(error)") }
      let length = heard.length
      let head = withUnsafeBytes(of: heard.head) { Array($0.prefix(length).dropFirst(skipped)) }
      let parsed = publisher == .motiond ? MessageHead(motiond: head) : MessageHead(reference: head)
      guard let parsed else { continue }
      return Heard(frame: parsed.frame, sent: Double(parsed.sent) * 1e-9, received: Double(heard.received) * 1e-9)
    }
  }

  /// The first message of each of so many frames, and of the one that follows them.
  ///
  /// - Parameter atFirst: called when the first was heard.
  func frames(_ count: Int, timeout: Double = 60, atFirst: () -> Void = {}) throws -> [Heard] {
    var frames: [Heard] = []
    while frames.count <= count {
      guard let heard = try next(within: timeout) else { throw BenchFailure("nothing is published") }
      guard heard.frame != frames.last?.frame else { continue }
      frames.append(heard)
      if frames.count == 1 { atFirst() }
    }
    return frames
  }
}

/// The fields at the beginning of a message that say when it was sent and of which frame its values are.
struct MessageHead {
  private(set) var sent: UInt64 = 0
  private(set) var frame: UInt64 = 0

  /// Of the reference: two numbers of eight bytes.
  init?(reference bytes: [UInt8]) {
    guard bytes.count >= 16 else { return nil }
    sent = Self.number(bytes[..<8])
    frame = Self.number(bytes[8..<16])
  }

  /// Of an Envelope with Values: protobuf's fields, of which only the first are there. `nil` for any other message.
  init?(motiond bytes: [UInt8]) {
    var place = 0
    func varint() -> UInt64 {
      var (value, shift) = (UInt64(0), UInt64(0))
      while place < bytes.count {
        value |= UInt64(bytes[place] & 0x7F) << shift
        place += 1
        if bytes[place - 1] < 0x80 { break }
        shift += 7
      }
      return value
    }
    while place < bytes.count {
      let tag = varint()
      switch (tag >> 3, tag & 7) {
      case (6, 1) where place + 8 <= bytes.count:
        sent = Self.number(bytes[place..<place + 8])
        place += 8
      case (_, 1): place += 8
      case (30, 2):
        _ = varint()
        guard varint() == 1 << 3 else { return nil }
        frame = varint()
        return
      case (_, 0): _ = varint()
      default: return nil
      }
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

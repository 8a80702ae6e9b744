import Glibc
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct RequestDecoderTests {
  private let decoder: RequestDecoder
  private let lamp = RoutingID([1])
  private let wall = RoutingID([2])

  init() throws { decoder = try RequestDecoder(keepsBytes: true) }

  private func commit(_ sequence: UInt64, operations: Int) throws -> Envelope {
    var transaction = Transaction()
    for number in 0..<operations { transaction.add(.springTo("opacity", 1), to: try TargetName("target-\(number)")) }
    let commit = Commit(transaction, id: TransactionID(high: 1, low: sequence))
    return Envelope(incarnation: 815, sequence: sequence, .commit(commit))
  }

  private func message(_ envelope: Envelope) -> Message { Message(envelope.encoded()) }

  /// Waits until this many requests were decoded.
  private func awaitDecoded(_ count: Int) -> [RequestDecoder.Decoded] {
    var decoded: [RequestDecoder.Decoded] = []
    var entry = pollfd(fd: decoder.descriptor, events: Int16(POLLIN), revents: 0)
    while decoded.count < count, poll(&entry, 1, 10_000) == 1 { decoded += decoder.take() }
    return decoded
  }

  // Clauses: S20.11
  @Test func `values alone may be without a number, and then have no answer`() throws {
    let values = Envelope.Body.inputValues(InputValues(from: "desk", [InputValue("fader", 1)]))
    let pointer = Envelope.Body.input(PointerInput("lamp", from: "desk", []))
    for body in [.alive, .query(.status), pointer, values] {
      let told = RequestDecoder.decode(message(Envelope(incarnation: 815, body)), from: lamp)
      guard body == values else {
        #expect(throws: WireError.self) { try told.result.get() }
        #expect(told.isAnswered)
        continue
      }
      #expect(try told.result.get().0.body == values && !told.isAnswered)
      #expect(RequestDecoder.decode(message(Envelope(incarnation: 815, sequence: 1, body)), from: lamp).isAnswered)
    }
  }

  @Test func `a large request is decoded with its digest, and later requests of its client follow it`() throws {
    let large = try commit(1, operations: 2000)
    let small = Envelope(incarnation: 815, sequence: 2, .alive)
    #expect(message(large).count > RequestDecoder.largeBytes)
    #expect(!decoder.isFor(message(small), from: lamp))
    #expect(decoder.isFor(message(large), from: lamp))
    #expect(decoder.hand(over: message(large), from: lamp))
    // Behind a large request, small ones of the same client wait; those of other clients do not.
    #expect(decoder.isFor(message(small), from: lamp))
    #expect(!decoder.isFor(message(small), from: wall))
    #expect(decoder.hand(over: message(small), from: lamp))

    let decoded = awaitDecoded(2)
    #expect(decoded.map(\.request) == [1, 2] && decoded.allSatisfy { $0.client == lamp })
    let (envelope, found) = try #require(decoded.first).result.get()
    guard case .commit(let commit) = envelope.body, case .commit(let original) = large.body else {
      Issue.record("decoded \(envelope.body)")
      return
    }
    #expect(commit.transaction == original.transaction && found?.digest == original.digest)
    // The stored row decodes to the same commit.
    let row = JournalCoding.bytes(
      ofCommit: 3, said: try #require(found?.said), client: 815, frame: Frame(number: 2, time: 0.5, dt: 0.25),
      time: 0.75)
    #expect(
      try JournalCoding.entry(in: row)
        == JournalEntry(
          .commit(sequence: 3, original, client: 815), frame: Frame(number: 2, time: 0.5, dt: 0.25), time: 0.75))
    #expect(try decoded.last?.result.get().0 == small)
    // The next small request is handled directly only after both are answered.
    decoder.finish(decoded[0])
    #expect(decoder.isFor(message(small), from: lamp))
    decoder.finish(decoded[1])
    #expect(!decoder.isFor(message(small), from: lamp))
  }

  @Test func `the refusal of an undecodable request names the request`() throws {
    var bytes = try commit(7, operations: 2000).encoded()
    bytes[bytes.count - 1] ^= 0xFF
    bytes += [0x7F]
    #expect(decoder.hand(over: Message(bytes), from: lamp))
    let decoded = awaitDecoded(1)
    #expect(throws: WireError.self) { try decoded.first?.result.get() }
  }

  @Test(arguments: [(0, 1, "incarnation"), (815, 0, "sequence"), (0, 0, "incarnation")])
  func `a request without incarnation or sequence is refused with the field and the remedy`(
    incarnation: UInt64, sequence: UInt64, field: String
  ) {
    let bytes = Envelope(incarnation: incarnation, sequence: sequence, .alive).encoded()
    let decoded = RequestDecoder.decode(Message(bytes), from: lamp)
    let error = #expect(throws: WireError.self) { try decoded.result.get() }
    #expect(error?.refusal.code == .malformed && error?.refusal.field == field && error?.refusal.remedy != "")
    #expect(decoded.request == sequence)
  }

  @Test func `requests are accepted up to the limit of bytes, and again when these are decoded`() throws {
    let third = Message([0])
    for _ in 0..<2 {
      let half = Message(count: RequestDecoder.bytesUnderWay / 2) {
        $0.initializeMemory(as: UInt8.self, repeating: 0xFF)
      }
      #expect(decoder.hand(over: half, from: lamp))
    }
    #expect(!decoder.hand(over: third, from: lamp))
    let both = awaitDecoded(2)
    #expect(both.count == 2)
    #expect(!decoder.hand(over: third, from: lamp))
    decoder.finish(both[0])
    #expect(decoder.hand(over: third, from: lamp))
    #expect(awaitDecoded(1).count == 1)
  }
}

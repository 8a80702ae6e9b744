import MotionModel
import MotionTestKit
import MotionWire
import Testing

@Suite struct EnvelopeTests {
  @Test func `every message is the same after encoding and decoding`() throws {
    var generator = Generator()
    for round in 0..<SeededRandom.rounds(10_000) {
      let envelope = generator.envelope(of: round % Generator.bodies)
      let bytes = envelope.encoded()
      let decoded = try Envelope(decoding: bytes)
      #expect(decoded == envelope)
      // Equal numbers need not be equal bits: 0 and -0 are not.
      #expect(decoded.encoded() == bytes)
      if decoded != envelope { return }
    }
  }

  @Test func headersAreReadWithoutTheBody() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(1000) {
      let envelope = generator.envelope()
      let header = try EnvelopeHeader(decoding: envelope.encoded())
      #expect(header.protocolVersion == 1)
      #expect(header.epoch == envelope.epoch)
      #expect(header.incarnation == envelope.incarnation)
      #expect(header.sequence == envelope.sequence)
      #expect(header.replyTo == envelope.replyTo)
      #expect(header.sent == envelope.sent)
    }
  }

  @Test func `a header is decoded even if the body is invalid`() throws {
    // A stop of a target with an illegal name, from client 5, as its request 9.
    let bytes: [UInt8] = [0x08, 1, 0x19, 5, 0, 0, 0, 0, 0, 0, 0, 0x20, 9, 0x72, 5, 0x0A, 3, 0x61, 0x20, 0x62]
    let header = try EnvelopeHeader(decoding: bytes)
    #expect(header.incarnation == 5 && header.sequence == 9)
    let error = #expect(throws: WireError.self) { _ = try Envelope(decoding: bytes) }
    #expect(error?.field == "stop.targets[0]")
    #expect(error?.code == .name)
  }

  @Test func `a header of millions of fields is refused`() {
    // 56 times "version 1", which a peer may send; then a million times.
    func bytes(fields: Int) -> [UInt8] { Array(repeating: [0x08, 1], count: fields).flatMap(\.self) }
    #expect(throws: Never.self) { try EnvelopeHeader(decoding: bytes(fields: 56)) }
    let endless = bytes(fields: 1_000_000)
    let error = #expect(throws: WireError.self) { try EnvelopeHeader(decoding: endless) }
    #expect(error?.code == .limit)
    #expect(throws: WireError.self) { try Envelope(decoding: endless) }
  }

  @Test func fieldsOfALaterVersionAreIgnored() throws {
    let envelope = Envelope(sequence: 3, .alive)
    // Fields 200 (a number), 201 (a text), 202 (eight bytes) and 203 (four) follow.
    let later: [UInt8] =
      [0xC0, 0x0C, 7, 0xCA, 0x0C, 2, 0x68, 0x69, 0xD1, 0x0C, 1, 2, 3, 4, 5, 6, 7, 8, 0xDD, 0x0C, 1, 2, 3, 4]
    #expect(try Envelope(decoding: envelope.encoded() + later) == envelope)
  }

  @Test func `long log lines and refusals are cut and not refused`() throws {
    let long = String(repeating: "€", count: Limits.logLineBytes)
    guard case .log(let line) = try Envelope(decoding: Envelope(.log(LogLine(.info, long))).encoded()).body else {
      Issue.record("a log line became something else")
      return
    }
    #expect(line.text == String(repeating: "€", count: Limits.logLineBytes / 3))
    let refusal = Envelope(.refusal(Refusal(.value, String(repeating: "x", count: 2 * Limits.textBytes))))
    #expect(throws: Never.self) { try Envelope(decoding: refusal.encoded()) }
  }
}

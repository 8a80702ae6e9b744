import MotionModel
import Testing

@testable import MotionWire

@Suite struct ValuesEncoderTests {
  @Test func theBytesAreThoseOfTheGeneratedCode() throws {
    var generator = Generator()
    for _ in 0..<2000 {
      let envelope = generator.envelope(of: 12)
      let generated = envelope.encodedByGeneratedCode()
      #expect(envelope.encoded() == generated)
      #expect(Topic.frame("v/", envelope) == Topic.subscription("v/") + generated)
    }
  }

  @Test func noValuesAreAMessageToo() throws {
    let envelope = Envelope(.values(Values(frame: 0, time: 0, dt: 0)))
    #expect(envelope.encoded() == envelope.encodedByGeneratedCode())
    #expect(try Envelope(decoding: envelope.encoded()) == envelope)
  }
}

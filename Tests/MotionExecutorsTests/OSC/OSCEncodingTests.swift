import MotionModel
import Testing

@testable import MotionExecutors

/// The bytes of OSC 1.0, computed by hand from its text and not by the code under test.
struct OSCEncodingTests {
  private func bytes(_ message: OSCMessage) -> [UInt8] {
    var packet: [UInt8] = []
    message.append(to: &packet)
    return packet
  }

  @Test func `the example of the specification`() {
    // "OSC Message Examples", the first: 440 to an oscillator's frequency.
    let message = OSCMessage(address: "/oscillator/4/frequency", arguments: [440])
    let expected: [UInt8] = [
      0x2F, 0x6F, 0x73, 0x63, 0x69, 0x6C, 0x6C, 0x61, 0x74, 0x6F, 0x72, 0x2F,  // /oscillator/
      0x34, 0x2F, 0x66, 0x72, 0x65, 0x71, 0x75, 0x65, 0x6E, 0x63, 0x79, 0x00,  // 4/frequency
      0x2C, 0x66, 0x00, 0x00, 0x43, 0xDC, 0x00, 0x00,  // ,f 440
    ]
    #expect(bytes(message) == expected)
    #expect(message.byteCount == 32)
  }

  @Test func `texts are filled up with one to four zeros`() {
    // An address of four bytes needs four more to end; four arguments make five type tags, and three zeros.
    let message = OSCMessage(address: "/abc", arguments: [1, -2, 0.5, 100])
    let expected: [UInt8] = [
      0x2F, 0x61, 0x62, 0x63, 0, 0, 0, 0,
      0x2C, 0x66, 0x66, 0x66, 0x66, 0, 0, 0,
      0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0, 0x3F, 0, 0, 0, 0x42, 0xC8, 0, 0,
    ]
    #expect(bytes(message) == expected)
    for length in 1...9 {
      let message = OSCMessage(address: String(repeating: "/", count: length), arguments: [0, 0, 0])
      #expect(bytes(message).count == message.byteCount)
      #expect(message.byteCount % 4 == 0)
    }
  }

  @Test func `a bundle has its time, and a size before each message`() {
    // 2026-01-01 00:00:00.25 UTC: 1,767,225,600 s after 1970, 3,976,214,400 = 0xED003780 s after 1900.
    let time = OSCTimeTag(secondsSince1970: 1_767_225_600, nanoseconds: 250_000_000)
    let messages = [OSCMessage(address: "/a", arguments: [1]), OSCMessage(address: "/b", arguments: [0, 2])]
    let expected: [UInt8] = [
      0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0x00,  // #bundle
      0xED, 0x00, 0x37, 0x80, 0x40, 0x00, 0x00, 0x00,  // the time
      0, 0, 0, 12, 0x2F, 0x61, 0, 0, 0x2C, 0x66, 0, 0, 0x3F, 0x80, 0, 0,
      0, 0, 0, 16, 0x2F, 0x62, 0, 0, 0x2C, 0x66, 0x66, 0, 0, 0, 0, 0, 0x40, 0, 0, 0,
    ]
    #expect(OSCBundle.packet(of: messages[...], at: time) == expected)
  }

  @Test func `times count from 1900, and begin anew in 2036`() {
    #expect(OSCTimeTag(secondsSince1970: 0, nanoseconds: 0).seconds == 2_208_988_800)
    // RFC 5905, figure 4: the first day of the next era is 8 February 2036, which begins 23,296 s before it does.
    #expect(OSCTimeTag(secondsSince1970: 2_085_978_496, nanoseconds: 0).seconds == 0)
    #expect(OSCTimeTag(secondsSince1970: 0, nanoseconds: 500_000_000).fraction == 0x8000_0000)
    #expect(OSCTimeTag(secondsSince1970: 0, nanoseconds: 999_999_999).fraction == 4_294_967_291)
  }

  @Test func `bundles are split where the next message does not fit any more`() {
    // With its size a message of one lane to a two-letter address takes 16 bytes, and the head of a bundle 16:
    // 91 messages make 1,472 bytes.
    let messages = (0..<200).map { OSCMessage(address: "/a", arguments: [Float($0)]) }
    #expect(OSCBundle.split(messages) == [0..<91, 91..<182, 182..<200])
    let time = OSCTimeTag(secondsSince1970: 0, nanoseconds: 0)
    #expect(OSCBundle.packet(of: messages[0..<91], at: time).count == 1472)
    #expect(OSCBundle.split(Array(messages.prefix(91))) == [0..<91])
    #expect(OSCBundle.split(Array(messages.prefix(92))) == [0..<91, 91..<92])
    #expect(OSCBundle.split([]) == [])
    // What is too large for any bundle goes alone.
    #expect(OSCBundle.split(Array(messages.prefix(3)), largest: 20) == [0..<1, 1..<2, 2..<3])
  }

  @Test func `the largest message fits a packet`() {
    let address = "/" + String(repeating: "a", count: SendOSCIntention.addressBytes - 1)
    let message = OSCMessage(address: address, arguments: [1, 2, 3, 4])
    let time = OSCTimeTag(secondsSince1970: 0, nanoseconds: 0)
    #expect(OSCBundle.packet(of: [message], at: time).count <= OSCBundle.largestPacket)
  }

  @Test func `a lane becomes the nearest number of 32 bits, and never infinite`() {
    #expect(OSCMessage.arguments([0.1, -1e300, 1e300]) == [0.1, -.greatestFiniteMagnitude, .greatestFiniteMagnitude])
    #expect(OSCMessage.arguments(100) == [100])
  }
}

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

  @Test func `the first message example of the OSC specification encodes byte for byte`() {
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

  @Test func `texts are padded with one to four zeros`() {
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

  @Test func `a bundle contains its time and a size before each message`() {
    // 2026-01-01 00:00:00.25 UTC: 1,767,225,600 s after 1970, 3,976,214,400 = 0xED003780 s after 1900.
    let time = OSCTimeTag(nanosecondsSince1970: 1_767_225_600_250_000_000)
    let messages = [OSCMessage(address: "/a", arguments: [1]), OSCMessage(address: "/b", arguments: [0, 2])]
    let expected: [UInt8] = [
      0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0x00,  // #bundle
      0xED, 0x00, 0x37, 0x80, 0x40, 0x00, 0x00, 0x00,  // the time
      0, 0, 0, 12, 0x2F, 0x61, 0, 0, 0x2C, 0x66, 0, 0, 0x3F, 0x80, 0, 0,
      0, 0, 0, 16, 0x2F, 0x62, 0, 0, 0x2C, 0x66, 0x66, 0, 0, 0, 0, 0, 0x40, 0, 0, 0,
    ]
    #expect(OSCBundle.packet(of: messages, at: time) == expected)
  }

  /// A second since 1970 with its nanoseconds, and the tag.
  typealias Time = (second: Int64, nanoseconds: Int64, seconds: UInt32, fraction: UInt32)

  private static let times: [Time] = [
    (0, 0, 2_208_988_800, 0), (0, 500_000_000, 2_208_988_800, 0x8000_0000),
    (0, 999_999_999, 2_208_988_800, 4_294_967_291), (1, 1, 2_208_988_801, 4),
    (-1, 250_000_000, 2_208_988_799, 0x4000_0000),
    // RFC 5905, figure 4: the next era begins on 7 February 2036, at 06:28:16.
    (2_085_978_495, 0, 0xFFFF_FFFF, 0), (2_085_978_496, 0, 0, 0),
  ]

  @Test(arguments: times) func `time tags count from 1900 and wrap in 2036`(time: Time) {
    let tag = OSCTimeTag(nanosecondsSince1970: time.second * 1_000_000_000 + time.nanoseconds)
    #expect(tag.seconds == time.seconds && tag.fraction == time.fraction)
  }

  @Test func `a moment moves on both clocks`() {
    let moment = OSCMoment(seconds: 5, nanosecondsSince1970: 1_000_000_000)
    #expect(moment.moved(to: 5.25) == OSCMoment(seconds: 5.25, nanosecondsSince1970: 1_250_000_000))
    #expect(moment.moved(to: 4.5) == OSCMoment(seconds: 4.5, nanosecondsSince1970: 500_000_000))
  }

  private func words(_ messages: OSCMessage..., tagged timeTag: SendOSCIntention.TimeTag = .frame) -> OSCWords {
    OSCWords(
      line: OSCLine(number: 1, place: OSCPlace(host: "a", port: 1)), timeTag: timeTag, messages: messages)
  }

  @Test func `immediate messages are in a bundle of their own with the immediate tag`() {
    let moment = OSCMoment(seconds: 0, nanosecondsSince1970: 0)
    let one = OSCMessage(address: "/a", arguments: [1])
    let packets = OSCBundle.packets(of: [words(one, tagged: .immediate), words(one), words(one)], at: moment)
    #expect(packets.count == 2)
    #expect(packets.first == OSCBundle.packet(of: [one, one], at: OSCTimeTag(nanosecondsSince1970: 0)))
    let expected: [UInt8] = [
      0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0x00,  // #bundle
      0, 0, 0, 0, 0, 0, 0, 1,  // immediately
      0, 0, 0, 12, 0x2F, 0x61, 0, 0, 0x2C, 0x66, 0, 0, 0x3F, 0x80, 0, 0,
    ]
    #expect(packets.last == expected)
  }

  @Test func `bundles are split where the next does not fit any more`() {
    // A message of one lane to a two-letter address takes 16 bytes with its size, and the head of a bundle 16:
    // 89 messages make 1,440 bytes, and one more 1,456.
    let sizes = Array(repeating: 16, count: 200)
    #expect(OSCBundle.split(sizes) == [0..<89, 89..<178, 178..<200])
    #expect(OSCBundle.split([1436]) == [0..<1])
    #expect(OSCBundle.split([1420, 16]) == [0..<2])
    #expect(OSCBundle.split([1424, 16, 1420]) == [0..<1, 1..<3])
    #expect(OSCBundle.split([]) == [])
    // A message that is too large for any bundle is sent alone.
    #expect(OSCBundle.split([16, 16, 16], largest: 20) == [0..<1, 1..<2, 2..<3])
  }

  @Test func `a value and its velocity stay in one packet`() {
    let messages = [OSCMessage(address: "/a", arguments: [1]), OSCMessage(address: "/a/velocity", arguments: [2])]
    let words = Array(repeating: words(messages[0], messages[1]), count: 100)
    let packets = OSCBundle.packets(of: words, at: OSCMoment(seconds: 0, nanosecondsSince1970: 0))
    // 16 bytes for the value and 24 for the velocity, with their sizes: 35 pairs make 1,416 bytes, and 30 make 1,216.
    #expect(packets.map(\.count) == [1416, 1416, 1216])
  }

  @Test func `the largest message of one plan fits a packet`() {
    let address = "/" + String(repeating: "a", count: SendOSCIntention.addressBytes - 1)
    let state = PropertyState([1, 2, 3, 4], velocity: [5, 6, 7, 8])
    let messages = OSCMessage.messages(of: state, to: address, withVelocity: true)
    let time = OSCTimeTag(nanosecondsSince1970: 0)
    #expect(OSCBundle.packet(of: messages ?? [], at: time).count <= OSCBundle.largestPacket)
    #expect(messages?.count == 2)
  }

  private func said(of value: Lanes, velocity: Lanes? = nil) -> [[Float]]? {
    OSCMessage.messages(of: PropertyState(value, velocity: velocity), to: "/a", withVelocity: true)?.map(\.arguments)
  }

  @Test func `a lane becomes the nearest finite 32-bit number`() {
    #expect(said(of: [0.1, -1e100, 1e100])?.first == [0.1, -.greatestFiniteMagnitude, .greatestFiniteMagnitude])
    #expect(said(of: 100, velocity: 1e39) == [[100], [.greatestFiniteMagnitude]])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN]) func `non-finite values give no messages`(
    number: Double
  ) {
    #expect(said(of: [1, number]) == nil)
    #expect(said(of: 1, velocity: Lanes(number)) == nil)
  }
}

import MotionModel
import MotionTestKit
import MotionWire
import Testing

/// Any bytes give a message or an error, never a trap; a decoded message follows the rules, so that it can be sent on.
@Suite struct RandomBytesTests {
  /// The numbers of all bodies in the envelope.
  static let fields: [UInt64] =
    [10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 30, 31, 32, 40, 41, 42, 43, 50, 51, 60, 70, 71, 72]

  @Test func randomBytesNeverTrap() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(20_000) {
      let bytes = (0..<generator.int(0...64)).map { _ in UInt8(truncatingIfNeeded: generator.word()) }
      decode(bytes)
      // Most random bytes fail at once; after the beginning of an envelope they get further.
      let field = generator.pick(Self.fields)
      decode(Raw().number(1, 1).bytes(field, bytes).bytes)
    }
  }

  @Test func mutatedMessagesNeverTrap() throws {
    var generator = Generator()
    let messages = (0..<40 * Generator.bodies).map { generator.envelope(of: $0 % Generator.bodies).encoded() }
    var accepted = 0
    let rounds = SeededRandom.rounds(100_000)
    for _ in 0..<rounds {
      var bytes = generator.pick(messages)
      // Each mutation more makes it likelier that the message is refused.
      for _ in 0..<generator.pick([1, 1, 2, 3]) { generator.mutate(&bytes) }
      if decode(bytes) { accepted += 1 }
    }
    // Both must occur often, or the test covers one case only.
    #expect((rounds / 10...rounds * 9 / 10).contains(accepted), "\(accepted) of \(rounds) were accepted")
  }

  @discardableResult
  private func decode(_ bytes: [UInt8]) -> Bool {
    _ = try? EnvelopeHeader(decoding: bytes)
    _ = try? Topic.split(bytes)
    do {
      let envelope = try Envelope(decoding: bytes)
      let again = try Envelope(decoding: envelope.encoded())
      #expect(again == envelope)
      return true
    } catch {
      #expect(!error.message.isEmpty && !error.code.rawValue.isEmpty)
      return false
    }
  }
}

extension Generator {
  /// Changes bytes as a faulty or hostile peer might.
  mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: word())) }
    let place = int(0...bytes.count - 1)
    switch int(0...6) {
    case 0: bytes[place] ^= 1 << UInt8(int(0...7))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: word())
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(UInt8(truncatingIfNeeded: word()), at: place)
    case 4: bytes.removeSubrange(place...)
    case 5:
      // A not-a-number where there may be a number.
      let nan = withUnsafeBytes(of: pick([Double.nan, .infinity, -1]).bitPattern.littleEndian, Array.init)
      for (index, byte) in nan.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
    default:
      let end = min(bytes.count, place + int(1...16))
      bytes.insert(contentsOf: Array(bytes[place..<end]), at: int(0...bytes.count))
    }
  }
}

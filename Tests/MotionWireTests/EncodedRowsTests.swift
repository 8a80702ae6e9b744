import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

/// Rows that stay in the bytes of their answer.
@Suite struct EncodedRowsTests {
  /// What the rows of a message are, if they are this list.
  private func read<Row: EncodedRow>(
    _ bytes: [UInt8], _ list: ([Row]) -> Answer
  ) throws -> Envelope? {
    guard let (envelope, rows) = try EncodedRows<Row>.split(bytes) else { return nil }
    #expect(envelope.body == .answer(list([])))
    var whole = envelope
    whole.body = .answer(list(Array(rows)))
    return whole
  }

  private func read(_ bytes: [UInt8], like answer: Answer) throws -> Envelope? {
    switch answer {
    case .targets: try read(bytes, Answer.targets)
    case .properties: try read(bytes, Answer.properties)
    case .intentions: try read(bytes, Answer.intentions)
    default: nil
    }
  }

  @Test func `rows in their bytes are those of the whole message, mutated or not`() throws {
    var generator = Generator()
    var (read, refused) = (0, 0)
    for _ in 0..<SeededRandom.rounds(8000) {
      let answer = generator.answer()
      switch answer {
      case .targets, .properties, .intentions: break
      default: continue
      }
      var envelope = generator.envelope(of: 0)
      envelope.body = .answer(answer)
      var bytes = envelope.encoded()
      #expect(try self.read(bytes, like: answer) == envelope)
      let place = generator.int(0...bytes.count - 1)
      switch generator.int(0...2) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.word())
      case 1: bytes.removeLast(place + 1)
      default: bytes.insert(UInt8(truncatingIfNeeded: generator.word()), at: place)
      }
      guard let whole = try? Envelope(decoding: bytes) else {
        #expect((try? self.read(bytes, like: answer)) == nil, "\(bytes)")
        refused += 1
        continue
      }
      // A list of another kind is left to the whole message.
      guard case .answer(let now) = whole.body, let rows = try self.read(bytes, like: now) else { continue }
      #expect(rows == whole, "\(bytes)")
      read += 1
    }
    #expect(read > 50 && refused > 50, "\(read) \(refused)")
  }

  @Test func `rows that are encoded here are read again, one by one`() throws {
    var generator = Generator()
    for count in [0, 1, 999, 1_000, 2_001] {
      let rows = (0..<count).map { _ in generator.propertyRow() }
      let encoded = try EncodedRows(rows)
      #expect(encoded.count == count && Array(encoded) == rows)
      #expect(encoded.last == rows.last)
    }
    #expect(EncodedRows<TargetRow>().isEmpty)
  }
}

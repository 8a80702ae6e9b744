import MotionTestKit
import Testing

@testable import MCAP

struct MCAPReaderTests {
  @Test func `everything written is read, in pieces of any size`() throws {
    let seed = SeededRandom.seed(of: "containers in pieces")
    var random = SeededRandom(seed: seed)
    for _ in 0..<SeededRandom.rounds(300) {
      let sample = Sample.random(&random)
      var pieces: [[UInt8]] = []
      var rest = sample.bytes[...]
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(Int.random(in: 1...100, using: &random))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      let read = Reading(pieces)
      #expect(read.error == nil && read.end == .complete)
      #expect(read.messages == sample.messages)
      #expect(read.steps.first == .header(Sample.header))
      #expect(read.steps.contains(.metadata(Sample.metadata)))
      #expect(read.steps.contains(.schema(Sample.schema)))
      #expect(read.steps.contains(.channel(Sample.channels[0])))
      #expect(read.steps.contains(.channel(Sample.channels[1])) == (sample.messages.count > 3))
      guard case .statistics(let statistics) = read.steps.last else { throw MCAPError(.malformed, at: 0, "none") }
      #expect(statistics.messages == UInt64(sample.messages.count))
      #expect(statistics.chunks == UInt32(read.chunks.count))
      #expect(statistics.startTime == sample.messages.map(\.logTime).min() ?? 0)
      #expect(statistics.endTime == sample.messages.map(\.logTime).max() ?? 0)
    }
  }

  @Test func `a file that is cut off anywhere is read up to its last whole message`() {
    let sample = Sample((0..<30).map { $0 * 7 % 50 })
    let whole = Reading([sample.bytes])
    for count in 0..<sample.bytes.count {
      let read = Reading([Array(sample.bytes[..<count])])
      #expect(read.error == nil)
      // A step is present if its bytes are; a chunk, once its head is.
      let present = zip(whole.steps, whole.offsets).filter { $0.1 <= UInt64(count) }.map(\.0)
      #expect(read.messages == present.messages)
      #expect(read.steps.count == present.count)
      guard case .truncated(let offset, let bytes) = read.end else {
        Issue.record("\(count) bytes end with \(read.end as Any)")
        continue
      }
      #expect(offset + bytes == UInt64(count))
    }
  }

  @Test func `a chunk that is cut off is not verified, and says so`() {
    let sample = Sample(Array(repeating: 10, count: 30), chunkBytes: 1000)
    let first = Reading([sample.bytes]).chunks[0]
    var cut = Array(sample.bytes[..<Int(first.offset + first.length - 1)])
    #expect(Reading([cut]).chunks.map(\.isWhole) == [false])
    cut.append(contentsOf: sample.bytes[cut.count...])
    #expect(!Reading([cut]).chunks.contains { !$0.isWhole })
  }

  /// The opcode of a chunk has no checksum of its own, so that the chunk may be skipped as an unknown record, and an index
  /// be read as a message; the checksum at the end of the data finds it.
  @Test func `an altered bit is found at the end of the file, or changes no message`() {
    let seed = SeededRandom.seed(of: "altered containers")
    var random = SeededRandom(seed: seed)
    for _ in 0..<SeededRandom.rounds(3000) {
      let sample = Sample.random(&random)
      var bytes = sample.bytes
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let read = Reading([bytes])
      #expect(read.error != nil || read.end != .complete || read.messages == sample.messages)
    }
  }

  @Test func `altered bytes cause an error or an end, never a trap`() {
    let seed = SeededRandom.seed(of: "mutated containers")
    var random = SeededRandom(seed: seed)
    for _ in 0..<SeededRandom.rounds(10_000) {
      var bytes = Sample.random(&random).bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
        }
        if bytes.isEmpty { break }
      }
      let read = Reading([bytes])
      #expect(read.error != nil || read.end != nil)
      if let error = read.error { #expect(!error.remedy.isEmpty && error.offset <= UInt64(bytes.count)) }
      let index = try? MCAPIndex(size: UInt64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
      for chunk in index?.chunks ?? [] {
        _ = try? index?.messages(in: chunk) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
      }
    }
  }
}

extension [MCAPReader.Step] {
  var messages: [MCAPMessage] { compactMap { if case .message(let message) = $0 { message } else { nil } } }
}

/// Files that no writer of ours makes.
struct ForeignContainerTests {
  private let beginning =
    MCAPFormat.magic + record(1, [0, 0, 0, 0, 0, 0, 0, 0])
    + record(4, [7, 0, 0, 0, 1, 0, 0, 0, 0x61, 0, 0, 0, 0, 0, 0, 0, 0])
  private let message = record(5, [7, 0] + [UInt8](repeating: 1, count: 20) + [42])
  private let end = record(15, [0, 0, 0, 0]) + record(2, [UInt8](repeating: 0, count: 20)) + MCAPFormat.magic

  private func chunk(_ records: [UInt8], compression: String = "", size: UInt64? = nil, after: [UInt8] = []) -> [UInt8]
  {
    var content: [UInt8] = []
    content.append(number: UInt64(1))
    content.append(number: UInt64(1))
    content.append(number: size ?? UInt64(records.count))
    content.append(number: UInt32(0))
    content.append(text: compression)
    content.append(number: UInt64(records.count))
    return record(6, content + records + after)
  }

  @Test func `unknown records, and bytes at the end of known ones, are skipped`() {
    let read = Reading([
      beginning + record(0x42, [1, 2, 3]) + record(0xFE, []) + record(9, [UInt8](repeating: 3, count: 50))
        + chunk(record(0x99, [1]) + message + record(7, [1]), after: [5, 6, 7]) + message + end
    ])
    #expect(read.error == nil && read.end == .complete)
    #expect(read.messages.map(\.data) == [[42], [42]])
  }

  @Test func `a file without DataEnd, checksums and summary is read`() {
    let read = Reading([beginning + message + record(2, [UInt8](repeating: 0, count: 20)) + MCAPFormat.magic])
    #expect(read.error == nil && read.end == .complete && read.messages.count == 1)
  }

  @Test func `a record that is skipped takes no memory, however long it is`() throws {
    var reader = MCAPReader()
    reader.append(beginning + record(0x80, [], length: 1 << 60))
    while case let step = try reader.next(), step != .needsBytes {}
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<100 {
      reader.append(piece)
      let step = try reader.next()
      #expect(step == .needsBytes && reader.count == 0)
    }
    reader.finish()
    let offset = UInt64(beginning.count)
    let last = try reader.next()
    #expect(last == .end(.truncated(offset: offset, bytes: 9 + 100 << 16)))
  }

  @Test(arguments: [
    (record(5, [], length: .max), MCAPError.Kind.tooLarge, "is larger than"),
    (record(5, [], length: 1 << 40), .tooLarge, "is larger than"),
    (record(6, [], length: 1 << 62), .tooLarge, "is larger than"),
    (record(0x80, [], length: .max), .malformed, "ends beyond any file"),
    (record(0x80, [], length: .max - 9), .malformed, "ends beyond any file"),
    (record(0, []), .malformed, "has the opcode 0"),
    (record(5, [7, 0, 1]), .malformed, "ends beyond its record"),
    (record(5, [8, 0] + [UInt8](repeating: 1, count: 20)), .malformed, "the channel 8, which is not defined"),
    (record(4, [9, 0, 3, 0] + [UInt8](repeating: 0, count: 12)), .malformed, "the schema 3, which is not defined"),
    (record(4, [7, 0, 0, 0] + [UInt8](repeating: 0, count: 12)), .malformed, "defined twice, differently"),
    (record(4, [9, 0, 0, 0, 1, 0, 0, 0, 0xFF] + [UInt8](repeating: 0, count: 8)), .malformed, "is not UTF-8"),
    (record(3, [1, 0, 0xFF, 0xFF, 0xFF, 0xFF]), .malformed, "ends beyond its record"),
    (record(6, [1]), .malformed, "ends beyond its record"),
    (record(15, [1, 2, 3, 4]), .checksum, "differs from its checksum"),
  ]) func `a record that violates the format is refused with its place`(
    _ bytes: [UInt8], _ kind: MCAPError.Kind, _ reason: String
  ) {
    let read = Reading([beginning + message + bytes + [UInt8](repeating: 0, count: 100)])
    #expect(read.messages.count == 1)
    #expect(read.error?.kind == kind)
    #expect(read.error?.reason.contains(reason) == true, "\(read.error as Any)")
    #expect(read.error?.offset == UInt64(beginning.count + message.count))
  }

  @Test func `a record in a chunk that ends beyond it is refused`() {
    for records in [message.dropLast(), message.prefix(5), record(0x90, [], length: 1)[...]] {
      let read = Reading([beginning + chunk(Array(records)) + end])
      #expect(read.error?.reason == "a record in a chunk ends beyond the chunk")
    }
    #expect(Reading([beginning + chunk(message, size: 3) + end]).error?.kind == .malformed)
  }

  @Test(arguments: ["lz4", "zstd", "best"]) func `a compressed chunk is refused with a remedy`(_ compression: String) {
    let error = Reading([beginning + chunk(message, compression: compression) + end]).error
    #expect(error?.kind == .compressed)
    #expect(error?.reason == "a chunk is compressed with \(compression), which is not supported")
    #expect(error?.remedy.contains("mcap decompress") == true)
  }

  @Test func `schemas and channels are kept up to a limit`() {
    let data = [UInt8](repeating: 0, count: 1 << 20)
    var bytes = beginning
    for id in 1...UInt16(MCAPReader.definitionBytes >> 20) + 1 {
      MCAPSchema(id: id, name: "", encoding: "", data: data).write(to: &bytes)
    }
    #expect(Reading([bytes]).error?.kind == .tooLarge)
  }

  @Test func `other files, other versions and bytes after the end are refused`() {
    #expect(Reading([Array("MOTIONR".utf8)]).error?.kind == .notMCAP)
    var next = MCAPFormat.magic
    next[5] += 1
    #expect(Reading([next]).error?.kind == .version)
    #expect(Reading([MCAPFormat.magic + message]).error?.reason == "the first record is not a header")
    #expect(Reading([beginning + end + [1]]).error?.reason == "bytes follow the end of the file")
    #expect(Reading([beginning + end.dropLast() + [1]]).error?.reason.contains("magic bytes") == true)
  }
}

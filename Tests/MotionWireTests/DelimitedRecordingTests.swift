import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

/// Recordings of format 1, which are still read.
@Suite struct DelimitedRecordingTests {
  /// The beginning of such a recording, as motiond wrote it.
  static func beginning(_ header: RecordingHeader) -> [UInt8] {
    RecordingFile.delimitedMagic + delimited(MessageBytes.encode(ProtoRecordingHeader(header)))
  }

  static func chunk(_ frame: RecordedFrame) -> [UInt8] { delimited(MessageBytes.encode(ProtoRecordedFrame(frame))) }

  private static func delimited(_ message: [UInt8]) -> [UInt8] {
    WireWriter.bytes(atMost: message.count + 10) { writer in
      writer.varint(UInt64(message.count))
      writer.append(message)
    }
  }

  /// Reads all of a recording, passed to the reader in pieces.
  private func read(_ pieces: [[UInt8]]) throws -> (steps: [RecordingReader.Step], end: RecordingReader.End) {
    var reader = RecordingReader()
    var steps: [RecordingReader.Step] = []
    for piece in pieces {
      reader.append(piece)
      while true {
        let step = try reader.next()
        if step == .needsBytes { break }
        steps.append(step)
      }
    }
    return (steps, reader.end)
  }

  private func recording(
    _ generator: inout Generator, frames: Int
  ) -> (bytes: [UInt8], steps: [RecordingReader.Step], ends: [Int]) {
    let header = generator.header()
    var bytes = Self.beginning(header)
    var steps = [RecordingReader.Step.header(header)]
    var ends = [bytes.count]
    for _ in 0..<frames {
      let frame = generator.recordedFrame()
      bytes += Self.chunk(frame)
      steps.append(.frame(frame))
      ends.append(bytes.count)
    }
    return (bytes, steps, ends)
  }

  @Test func `a recording is the same after writing and reading, in any pieces`() throws {
    var generator = Generator()
    for _ in 0..<200 {
      let (bytes, steps, _) = recording(&generator, frames: generator.int(0...8))
      let whole = try read([bytes])
      #expect(whole.steps == steps)
      #expect(whole.end == .complete)
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(generator.int(1...200))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      #expect(try read(pieces).steps == steps)
    }
  }

  @Test func `a truncated tail is reported, and the steps before it are read`() throws {
    var generator = Generator()
    let (bytes, steps, ends) = recording(&generator, frames: 3)
    for count in 0..<bytes.count {
      let (read, end) = try read([Array(bytes.prefix(count))])
      let whole = ends.filter { $0 <= count }
      #expect(read == Array(steps.prefix(whole.count)))
      if let last = whole.last {
        #expect(end == (last == count ? .complete : .truncated(bytes: count - last)))
      } else {
        #expect(end != .complete)
      }
    }
  }

  @Test func otherFilesAndFormatsAreRefused() {
    let png = #expect(throws: WireError.self) { _ = try read([[0x89, 0x50, 0x4E, 0x47]]) }
    #expect(png?.code == .malformed)
    let later = #expect(throws: WireError.self) { _ = try read([Array("MOTIONR".utf8) + [2]]) }
    #expect(later?.code == .version)
    let long = #expect(throws: WireError.self) {
      _ = try read([RecordingFile.delimitedMagic + [0xFF, 0xFF, 0xFF, 0xFF, 0x7F]])
    }
    #expect(long?.code == .tooLarge)
    let endless = #expect(throws: WireError.self) {
      _ = try read([RecordingFile.delimitedMagic + [0x80, 0x80, 0x80, 0x80, 0x80, 0]])
    }
    #expect(endless?.code == .malformed)
  }

  @Test func `errors name their frame`() throws {
    var generator = Generator()
    let (bytes, _, _) = recording(&generator, frames: 2)
    let wrong = Raw().message(1).message(2, Raw().text(6, "Plugin")).bytes
    let error = #expect(throws: WireError.self) { _ = try read([bytes + [UInt8(wrong.count)] + wrong]) }
    #expect(error?.field == "frames[2].events[0].restored")
  }

  @Test func `damage is reported with its remedy`() throws {
    var generator = Generator()
    let (bytes, _, _) = recording(&generator, frames: 2)
    let field = Raw().message(1).message(2, Raw().text(6, "Plugin")).bytes
    let damages: [[UInt8]] = [
      // Bytes that end too early, a wrong field, an excessive length, one without an end.
      [2, 0x0A, 0x7F], [UInt8(field.count)] + field, [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x80, 0x80, 0x80, 0x80, 0x80, 0],
    ]
    for damage in damages {
      let behind = #expect(throws: WireError.self) { _ = try read([bytes + damage]) }
      #expect(behind?.field.hasPrefix("frames[2]") == true)
      #expect(behind?.remedy.contains("damaged after it") == true)
      let atFirst = #expect(throws: WireError.self) { _ = try read([Array(bytes.prefix(8)) + damage]) }
      #expect(atFirst?.remedy.contains("damaged at its beginning") == true)
    }
  }

  @Test func `a transaction with the highest sequence number is refused`() {
    let beginning = Self.beginning(RecordingHeader(ratePerSecond: 120, plugins: []))
    let frame = RecordedFrame(
      frame: Frame(number: 1, time: 0, dt: 0), events: [.commit(sequence: .max, Transaction())], hash: 0)
    let error = #expect(throws: WireError.self) { _ = try read([beginning + Self.chunk(frame)]) }
    #expect(error?.field.hasSuffix("commit.sequence") == true)
  }

  @Test func mutatedRecordingsNeverTrap() {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(2000) {
      var (bytes, _, _) = recording(&generator, frames: 2)
      for _ in 0..<generator.int(1...3) { generator.mutate(&bytes) }
      _ = try? read([bytes])
    }
  }
}

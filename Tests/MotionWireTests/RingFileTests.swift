import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

@Suite struct RingFileTests {
  private func mark(_ generator: inout Generator) -> RingFile.Mark {
    RingFile.Mark(
      epoch: generator.number(), boot: "b", lastSequence: generator.number() >> 2,
      waiting: Set(generator.list { $0.number() }), isAlone: generator.flag())
  }

  /// The bytes of a file, and where each of its records ends.
  private func file(
    _ generator: inout Generator, records: Int
  ) -> (bytes: [UInt8], ends: [Int], header: RecordingHeader, records: [RingFile.Contents.Record]) {
    let header = generator.header()
    var bytes = RingFile.beginning(EncodedHeader(header), at: 1)
    var (ends, list) = ([bytes.count], [RingFile.Contents.Record]())
    for _ in 0..<records {
      if generator.flag() {
        let mark = mark(&generator)
        bytes += RingFile.bytes(of: mark)
        list.append(.mark(mark))
      } else {
        let frame = generator.recordedFrame()
        bytes += RingFile.bytes(of: frame)
        list.append(.frame(frame))
      }
      ends.append(bytes.count)
    }
    return (bytes, ends, header, list)
  }

  @Test func `the bytes of a recorded frame are those of the generated code`() {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(2000) {
      let frame = generator.recordedFrame()
      #expect(FastPath.bytes(of: frame) == MessageBytes.encode(ProtoRecordedFrame(frame)))
    }
  }

  @Test func `an encoded header has the bytes of the generated code, and those of its snapshot`() {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(500) {
      let header = generator.header()
      let encoded = EncodedHeader(header)
      #expect(encoded.message == MessageBytes.encode(ProtoRecordingHeader(header)))
      #expect(encoded.bytes == encoded.message.count)
      #expect(encoded.snapshot == header.snapshot.map { MessageBytes.encode(ProtoRuntimeSnapshot($0)) })
      #expect(EncodedHeader(header, decodedFrom: encoded.message).snapshot == encoded.snapshot)
    }
  }

  @Test func `a recorded frame is decoded as by the generated code, also a damaged one`() {
    var generator = Generator()
    func generated(_ bytes: [UInt8]) -> Result<RecordedFrame, WireError> {
      Result { () throws(WireError) in
        try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
          try MessageBytes.decode(ProtoRecordedFrame.self, .recordedFrame, buffer, limit: RecordingFile.frameBytes)
        }
      }
    }
    func decoded(_ bytes: [UInt8]) -> Result<RecordedFrame, WireError> {
      Result { () throws(WireError) in
        try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
          try FastPath.recordedFrame(in: buffer, limit: RecordingFile.frameBytes)
        }
      }
    }
    for _ in 0..<SeededRandom.rounds(2000) {
      var bytes = MessageBytes.encode(ProtoRecordedFrame(generator.recordedFrame()))
      #expect(decoded(bytes) == generated(bytes))
      bytes[generator.int(0...bytes.count - 1)] ^= 1 << UInt8(generator.int(0...7))
      #expect(decoded(bytes) == generated(bytes))
      bytes.removeLast(generator.int(0...bytes.count))
      #expect(decoded(bytes) == generated(bytes))
    }
  }

  // Clauses: S11.52
  @Test func `a frame of the ring by itself is the same after writing and reading, and damage is an error`() throws {
    var generator = Generator()
    for _ in 0..<200 {
      let frame = generator.recordedFrame()
      let bytes = RingFile.bytes(of: frame)
      #expect(try RingFile.frame(in: bytes) == frame)
      let rest = try? RingFile.frame(in: Array(bytes.prefix(generator.int(0...bytes.count - 1))))
      #expect(rest != frame)
    }
    #expect(throws: WireError.self) { try RingFile.frame(in: [5, 0]) }
  }

  // Clauses: S11.50
  @Test func `a frame that is written as it is in the ring is the same in a recording`() throws {
    var generator = Generator()
    let header = generator.header()
    var (encoder, other) = (RecordingEncoder(header, at: 1), RecordingEncoder(header, at: 1))
    for _ in 0..<200 {
      let frame = generator.recordedFrame()
      encoder.add(frame)
      other.add(frame, ofRing: RingFile.bytes(of: frame))
    }
    encoder.finish()
    other.finish()
    #expect(encoder.take() == other.take())
  }

  // Clauses: S11.52
  @Test func `a file of the ring is the same after writing and reading, wherever it was cut off`() throws {
    var generator = Generator()
    for _ in 0..<40 {
      let (bytes, ends, header, records) = file(&generator, records: generator.int(0...6))
      let whole = try RingFile.contents(of: bytes + [UInt8](repeating: 0, count: generator.int(0...20)))
      #expect(whole.length == bytes.count && whole.records == records, "zeros follow the last record")
      for end in ends.dropLast() {
        // The process was killed before it wrote the first byte of the next record, and after its last.
        var killed = bytes
        killed[end] = 0
        #expect(try RingFile.contents(of: killed).length == end)
      }
      for count in [bytes.count] + (0..<20).map({ _ in generator.int(ends[0]...bytes.count) }) {
        let contents = try RingFile.contents(of: Array(bytes.prefix(count)))
        let whole = ends.lastIndex { $0 <= count } ?? 0
        #expect(contents.beginning.header == header && contents.length == ends[whole])
        #expect(contents.records == Array(records.prefix(whole)))
      }
      #expect(throws: WireError.self) { try RingFile.contents(of: Array(bytes.prefix(ends[0] / 2))) }
    }
  }

  @Test func `an altered file of the ring is an error, or has other records`() {
    var generator = Generator()
    for _ in 0..<400 {
      var bytes = file(&generator, records: 4).bytes
      for _ in 0...generator.int(0...3) {
        bytes[generator.int(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: generator.word())
      }
      _ = try? RingFile.contents(of: bytes)
    }
  }
}

import MCAP
import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

@Suite struct RecordingTests {
  /// Reads all of a recording, passed to the reader in pieces.
  private func read(_ pieces: [[UInt8]]) throws -> (steps: [RecordingReader.Step], end: RecordingReader.End) {
    var reader = RecordingReader()
    var steps: [RecordingReader.Step] = []
    for piece in pieces + [[]] {
      if piece.isEmpty { reader.finish() } else { reader.append(piece) }
      while case let step = try reader.next(), step != .needsBytes { steps.append(step) }
    }
    return (steps, reader.end)
  }

  private func recording(
    _ generator: inout Generator, frames: Int, finish: Bool = true
  ) -> (bytes: [UInt8], steps: [RecordingReader.Step]) {
    let header = generator.header()
    var encoder = RecordingEncoder(header, at: 1, chunkBytes: generator.int(1...5000))
    var steps = [RecordingReader.Step.header(header)]
    var bytes = encoder.take()
    for _ in 0..<frames {
      let frame = generator.recordedFrame()
      encoder.add(frame)
      if generator.flag() { encoder.flush() }
      bytes += encoder.take()
      steps.append(.frame(frame))
    }
    if finish { encoder.finish() } else { encoder.flush() }
    return (bytes + encoder.take(), steps)
  }

  @Test func `a recording is the same after writing and reading, in any pieces`() throws {
    var generator = Generator()
    for _ in 0..<200 {
      let (bytes, steps) = recording(&generator, frames: generator.int(0...8))
      let whole = try read([bytes])
      #expect(whole.steps == steps)
      #expect(whole.end == .complete)
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(generator.int(1...2000))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      #expect(try read(pieces).steps == steps)
    }
  }

  // Clauses: S11.30
  @Test func `a recording that was interrupted is read up to its last whole frame`() throws {
    var generator = Generator()
    let (bytes, steps) = recording(&generator, frames: 4)
    var longest = 0
    // Of a shorter run every few bytes, from another one each time, and the last.
    let isWhole = SeededRandom.rounds(bytes.count) == bytes.count
    let step = isWhole ? 1 : max(1, bytes.count / 500)
    var random = SeededRandom(seed: Generator.seed)
    let counts = Array(stride(from: Int.random(in: 0..<step, using: &random), to: bytes.count, by: step))
    for count in counts + [bytes.count - 1] {
      let (read, end) = try read([Array(bytes.prefix(count))])
      #expect(read == Array(steps.prefix(read.count)))
      #expect(read.count >= longest)
      longest = max(longest, read.count)
      #expect(end != .complete)
    }
    #expect(longest == steps.count)
    // Killed after a chunk: nothing is cut off, and the end is missing.
    let (interrupted, all) = recording(&generator, frames: 3, finish: false)
    #expect(try read([interrupted]).steps == all)
    #expect(try read([interrupted]).end == .truncated(bytes: 0))
  }

  // Clauses: S11.30
  @Test func `the file is MCAP with the profile, versions, channels and times of motiond`() throws {
    var encoder = RecordingEncoder(RecordingHeader(ratePerSecond: 120, plugins: []), at: 1_000)
    let clocks = MachineClocks(wallTime: 2_000, bootTime: 77)
    encoder.add(RecordedFrame(frame: Frame(number: 1, time: 0.5, dt: 0), events: [], hash: 1, clocks: clocks))
    encoder.add(RecordedFrame(frame: Frame(number: 2, time: 1.5, dt: 0), events: [], hash: 2))
    encoder.finish()
    let bytes = encoder.take()
    #expect(RecordingFile.isRecording(beginning: bytes.prefix(RecordingFile.identifyingBytes)))
    var reader = MCAPReader()
    reader.append(bytes)
    var times: [UInt64] = []
    var topics: [String] = []
    var metadata: [String: String] = [:]
    loop: while true {
      switch try reader.next() {
      case .header(let header): #expect(header.profile == "motiond" && header.library == "motiond \(Release.version)")
      case .metadata(let texts): metadata = texts.values
      case .channel(let channel): topics.append(channel.topic)
      case .message(let message): times.append(message.logTime)
      case .needsBytes, .end: break loop
      case .schema, .chunk, .statistics: continue
      }
    }
    #expect(topics == ["motiond/header", "motiond/frames"])
    // A frame without clocks has its simulated time.
    #expect(times == [1_000, 2_000, 1_500_000_000])
    #expect(metadata == ["format": "2", "version": Release.version, "protocol": "1"])
  }

  /// A file in the format MCAP with this profile, format and messages of the header's and the frames' channels.
  private func file(
    profile: String = "motiond", format: String = "2", _ messages: [(topic: String, bytes: [UInt8])]
  ) throws -> [UInt8] {
    var writer = MCAPWriter(MCAPHeader(profile: profile, library: ""))
    writer.addMetadata(MCAPMetadata(name: "motiond", values: ["format": format]))
    for message in messages {
      let channel = writer.addChannel(topic: message.topic, messageEncoding: "protobuf", schema: 0)
      writer.addMessage(channel: try #require(channel), logTime: 0, publishTime: 0, data: message.bytes.span.bytes)
    }
    writer.finish()
    return writer.take()
  }

  private let header = MessageBytes.encode(ProtoRecordingHeader(RecordingHeader(ratePerSecond: 60, plugins: [])))

  @Test func `other files and formats are refused, and other channels ignored`() throws {
    for bytes in [[0x89, 0x50, 0x4E, 0x47], try file(profile: "ros2", [])] {
      let error = #expect(throws: WireError.self) { _ = try read([bytes]) }
      #expect(error?.code == .malformed && error?.field == "magic")
      #expect(!RecordingFile.isRecording(beginning: bytes))
    }
    for format in ["3", "0", "", "two"] {
      let bytes = try file(format: format, [("motiond/header", header)])
      let error = #expect(throws: WireError.self) { _ = try read([bytes]) }
      #expect(error?.code == .version)
    }
    let frame = MessageBytes.encode(
      ProtoRecordedFrame(RecordedFrame(frame: Frame(number: 1, time: 0, dt: 0), events: [], hash: 1)))
    let extended = try file([("motiond/other", [1, 2]), ("motiond/header", header), ("motiond/frames", frame)])
    #expect(try read([extended]).steps.count == 2)
    let early = try file([("motiond/frames", frame), ("motiond/header", header)])
    let error = #expect(throws: WireError.self) { _ = try read([early]) }
    #expect(error?.message == "a frame comes before the header")
  }

  @Test func `errors name their frame, and damage has its remedy`() throws {
    let wrong = Raw().message(1).message(2, Raw().text(6, "Plugin")).bytes
    let field = try file([("motiond/header", header), ("motiond/frames", wrong)])
    let error = #expect(throws: WireError.self) { _ = try read([field]) }
    #expect(error?.field == "frames[0].events[0].restored")
    #expect(error?.remedy.contains("damaged after it") == true)
    let beginning = try file([("motiond/header", [0xFF])])
    #expect(throws: WireError.self) { _ = try read([beginning]) }

    var generator = Generator()
    var (bytes, _) = recording(&generator, frames: 2)
    let index = try MCAPIndex(size: UInt64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    let last = try #require(index.chunks.max { $0.offset < $1.offset })
    bytes[Int(last.offset + last.length) - 1] ^= 1
    let altered = #expect(throws: WireError.self) { _ = try read([bytes]) }
    #expect(altered?.field.hasPrefix("frames[") == true)
    #expect(altered?.message.contains("byte \(last.offset): the content of a chunk differs from its checksum") == true)
    #expect(altered?.remedy.contains("damaged after it") == true)
  }

  @Test func mutatedRecordingsNeverTrap() {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(2000) {
      var (bytes, _) = recording(&generator, frames: 2)
      for _ in 0..<generator.int(1...3) { generator.mutate(&bytes) }
      _ = try? read([bytes])
    }
  }
}

import MCAP
import MotionModel

/// Decodes a recording in the container format MCAP.
struct ContainerRecordingReader: Sendable {
  private var reader: MCAPReader
  private let frameBytes: Int
  /// Whether the header is decoded without the initial state.
  private let skipsState: Bool
  private var ending: RecordingReader.End?
  /// The channels of the header and of the frames; of others, messages are ignored.
  private var headerChannel: UInt16?
  private var framesChannel: UInt16?
  private var snapshotsChannel: UInt16?
  /// The number of frames read; `nil` before the header.
  private var frames: Int?

  init(frameBytes: Int, skipsState: Bool = false) {
    (self.frameBytes, self.skipsState) = (frameBytes, skipsState)
    // A chunk is closed by the frame that fills it, which may be of any size.
    reader = MCAPReader(recordBytes: frameBytes + 2 * RecordingEncoder.chunkBytes)
  }

  /// Creates a reader that begins with a chunk after the header.
  ///
  /// - Parameter skipsSnapshots: whether snapshots are not decoded.
  init(frameBytes: Int, _ reader: MCAPReader, _ channels: some Sequence<MCAPChannel>, skipsSnapshots: Bool) {
    (self.frameBytes, self.reader, frames, skipsState) = (frameBytes, reader, 0, false)
    for channel in channels { note(channel) }
    if skipsSnapshots { snapshotsChannel = nil }
  }

  mutating func append(_ more: some Collection<UInt8>) { reader.append(more) }

  mutating func finish() { reader.finish() }

  mutating func next() throws(WireError) -> RecordingReader.Step {
    while true {
      switch try step() {
      case .needsBytes: return .needsBytes
      case .end(let end):
        ending = Self.end(end)
        return .needsBytes
      case .header(let header): try check(header)
      case .metadata(let metadata): try check(metadata)
      case .channel(let channel): note(channel)
      case .message(let message):
        if let step = try decode(message) { return step }
      case .schema, .chunk, .statistics: continue
      }
    }
  }

  var end: RecordingReader.End { ending ?? .truncated(bytes: reader.waitingBytes) }

  private static func end(_ end: MCAPReader.End) -> RecordingReader.End {
    switch end {
    case .complete: .complete
    case .truncated(_, let bytes): .truncated(bytes: Int(clamping: bytes))
    }
  }

  /// The place of the next message in the recording.
  private var place: String { frames.map { "frames[\($0)]" } ?? "header" }

  private mutating func step() throws(WireError) -> MCAPReader.Step {
    do {
      return try reader.next()
    } catch {
      switch error.kind {
      case .notMCAP: throw Self.otherFile()
      case .version: throw WireError(.version, field: "magic", error.reason, remedy: error.remedy)
      case .tooLarge: throw damage(.tooLarge, error)
      case .malformed, .checksum, .compressed: throw damage(.malformed, error)
      }
    }
  }

  private func damage(_ code: WireError.Code, _ error: MCAPError) -> WireError {
    WireError(
      code, field: place, "byte \(error.offset): \(error.reason)",
      remedy: error.kind == .compressed ? error.remedy : RecordingReader.remedy(for: place))
  }

  static func otherFile() -> WireError {
    WireError(
      .malformed, field: "magic", "the file is not a recording", remedy: "Give a file that motiond --record wrote")
  }

  private func check(_ header: MCAPHeader) throws(WireError) {
    guard header.profile == RecordingFile.profile else { throw Self.otherFile() }
  }

  private func check(_ metadata: MCAPMetadata) throws(WireError) {
    guard metadata.name == RecordingFile.profile else { return }
    let format = metadata.values["format"] ?? ""
    guard let number = Int(format), (1...RecordingFile.format).contains(number) else {
      throw WireError(
        .version, field: "metadata",
        "the recording is of format \(format.prefix(20)), and format 1 to \(RecordingFile.format) is read here",
        remedy: "Replay it with the version that recorded it")
    }
  }

  private mutating func note(_ channel: MCAPChannel) {
    guard channel.messageEncoding == RecordingFile.encoding else { return }
    switch channel.topic {
    case RecordingFile.headerTopic: headerChannel = channel.id
    case RecordingFile.framesTopic: framesChannel = channel.id
    case RecordingFile.snapshotsTopic: snapshotsChannel = channel.id
    default: break
    }
  }

  private mutating func decode(_ message: MCAPMessage) throws(WireError) -> RecordingReader.Step? {
    switch message.channel {
    case headerChannel where frames == nil:
      var message = message
      if skipsState { message.data = Self.withoutState(message.data) }
      let header = try decode(ProtoRecordingHeader.self, .recordingHeader, message)
      frames = 0
      return .header(header)
    case framesChannel:
      guard let count = frames else {
        throw WireError(
          .malformed, field: "header", "a frame comes before the header", remedy: RecordingReader.remedy(for: "header"))
      }
      let limit = frameBytes
      let frame = try placed(message) { buffer throws(WireError) in
        try FastPath.recordedFrame(in: buffer, limit: limit)
      }
      frames = count + 1
      return .frame(frame)
    case snapshotsChannel where frames != nil:
      return .snapshot(try decode(ProtoRuntimeSnapshot.self, .runtimeSnapshot, message))
    default: return nil
    }
  }

  /// The bytes of a header without the checkpoint and the snapshot; all of them if they are damaged.
  private static func withoutState(_ data: [UInt8]) -> [UInt8] {
    let kept = try? data.withUnsafeBytes { bytes throws(WireFault) in
      var reader = WireReader(bytes)
      var kept: [UInt8] = []
      while reader.count > 0 {
        let start = bytes.count - reader.count
        let tag = try reader.tag()
        try reader.skip(tag)
        if ![4, 5].contains(tag >> 3) { kept += bytes[start..<bytes.count - reader.count] }
      }
      return kept
    }
    return kept ?? data
  }

  private func decode<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape, _ message: MCAPMessage
  ) throws(WireError) -> Part.Model {
    let limit = frameBytes
    return try placed(message) { buffer throws(WireError) in
      try MessageBytes.decode(part, shape, buffer, limit: limit)
    }
  }

  private func placed<Model>(
    _ message: MCAPMessage, _ decode: (UnsafeRawBufferPointer) throws(WireError) -> Model
  ) throws(WireError) -> Model {
    do {
      return try message.data.span.bytes.withUnsafeBytes(decode)
    } catch {
      // The remedy for a sender of the message does not help the owner of a file.
      var placed = error.within(place)
      placed.remedy = RecordingReader.remedy(for: place)
      throw placed
    }
  }
}

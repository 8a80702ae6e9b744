import MotionModel

/// Decodes a recording of format 1: eight bytes, then the header and frames, each preceded by its length in base 128.
///
/// motiond no longer writes it.
struct DelimitedRecordingReader: Sendable {
  private enum Phase {
    /// Nothing has been read.
    case magic
    /// The magic bytes have been read.
    case header
    /// The header has been read.
    case frames(Int)
  }

  private var phase = Phase.magic
  private var bytes: [UInt8] = []
  private var start = 0
  private let frameBytes: Int

  /// Creates a reader at the beginning of a recording, for frames of at most this size in bytes.
  init(frameBytes: Int) { self.frameBytes = frameBytes }

  /// Appends the next bytes of the recording. Amortised linear in them.
  mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: more)
  }

  /// The next part of the recording, if all its bytes are present.
  ///
  /// - Throws: when they are not a recording, or are one of another version. The bytes after an error cannot be
  ///   decoded.
  mutating func next() throws(WireError) -> RecordingReader.Step {
    switch phase {
    case .magic:
      guard try readMagic() else { return .needsBytes }
      phase = .header
      return try next()
    case .header:
      guard let range = try message("header") else { return .needsBytes }
      let header = try decode(ProtoRecordingHeader.self, .recordingHeader, range, "header")
      phase = .frames(0)
      return .header(header)
    case .frames(let index):
      let place = "frames[\(index)]"
      guard let range = try message(place) else { return .needsBytes }
      let frame = try decode(ProtoRecordedFrame.self, .recordedFrame, range, place)
      phase = .frames(index + 1)
      return .frame(frame)
    }
  }

  /// The place at which the recording stops if no more bytes come.
  var end: RecordingReader.End {
    if case .frames = phase, start == bytes.count { return .complete }
    return .truncated(bytes: bytes.count - start)
  }

  private mutating func readMagic() throws(WireError) -> Bool {
    let magic = RecordingFile.delimitedMagic
    let there = bytes[start...].prefix(magic.count)
    let name = magic.dropLast()
    guard there.prefix(name.count).elementsEqual(name.prefix(there.count)) else {
      throw ContainerRecordingReader.otherFile()
    }
    guard there.count == magic.count else { return false }
    guard there.last == magic.last else {
      throw WireError(
        .version, field: "magic",
        "the recording is of format \(bytes[start + name.count]), and format 1 to \(RecordingFile.format) is read here",
        remedy: "Replay it with the version that recorded it")
    }
    start += magic.count
    return true
  }

  /// The range of the next message, once all its bytes are present.
  private func message(_ place: String) throws(WireError) -> Range<Int>? {
    // Five bytes can encode up to 2^35, far more than any frame has.
    let head = bytes[start...].prefix(5)
    let number = try? head.withUnsafeBytes { head in
      var reader = WireReader(head)
      return (value: Int(try reader.number()), bytes: head.count - reader.count)
    }
    guard let number else {
      if head.count < 5 { return nil }
      throw WireError(
        .malformed, field: place, "its length has more than five bytes", remedy: RecordingReader.remedy(for: place))
    }
    let (length, position) = (number.value, start + number.bytes)
    guard length <= frameBytes else {
      throw WireError(
        .tooLarge, field: place, "\(length) bytes are more than \(frameBytes)",
        remedy: RecordingReader.remedy(for: place))
    }
    return length <= bytes.count - position ? position..<position + length : nil
  }

  private mutating func decode<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape, _ range: Range<Int>, _ place: String
  ) throws(WireError) -> Part.Model {
    do {
      let limit = frameBytes
      let model = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
        try MessageBytes.decode(part, shape, UnsafeRawBufferPointer(rebasing: buffer[range]), limit: limit)
      }
      start = range.upperBound
      return model
    } catch {
      // The remedy for a sender of the message does not help the owner of a file.
      var placed = error.within(place)
      placed.remedy = RecordingReader.remedy(for: place)
      throw placed
    }
  }
}

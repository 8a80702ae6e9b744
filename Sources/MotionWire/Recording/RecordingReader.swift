public import MotionModel

/// Decodes a recording in pieces: bytes in, the header and frames out.
///
/// The caller passes bytes to ``append(_:)``, and calls ``next()`` until it needs more bytes. The reader keeps the
/// bytes that it has not decoded yet, which are one frame and one piece at most.
public struct RecordingReader: Sendable {
  /// The next part of a recording.
  public enum Step: Hashable, Sendable {
    /// The header, with the data from before the first frame; always the first step.
    case header(RecordingHeader)
    /// One frame.
    case frame(RecordedFrame)
    /// The reader needs more bytes: append them, or stop if there are none.
    case needsBytes
  }

  /// The place at which a recording stops.
  public enum End: Hashable, Sendable {
    /// After a whole frame.
    case complete
    /// In the middle of the magic bytes, the header or a frame, of which this number of bytes is present: the recording
    /// was interrupted. Everything decoded before is valid.
    case truncated(bytes: Int)
  }

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
  public init(frameBytes: Int = RecordingFile.frameBytes) {
    self.frameBytes = frameBytes
  }

  /// Appends the next bytes of the recording. Amortised linear in them.
  public mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: more)
  }

  /// The next part of the recording, if all its bytes are present.
  ///
  /// - Throws: when they are not a recording, or are one of another version. The bytes after an error cannot be
  ///   decoded.
  public mutating func next() throws(WireError) -> Step {
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
  public var end: End {
    if case .frames = phase, start == bytes.count { return .complete }
    return .truncated(bytes: bytes.count - start)
  }

  private mutating func readMagic() throws(WireError) -> Bool {
    let magic = RecordingFile.magic
    let there = bytes[start...].prefix(magic.count)
    let name = magic.dropLast()
    guard there.prefix(name.count).elementsEqual(name.prefix(there.count)) else {
      throw WireError(
        .malformed, field: "magic", "the file is not a recording", remedy: "Give a file that motiond --record wrote")
    }
    guard there.count == magic.count else { return false }
    guard there.last == magic.last else {
      throw WireError(
        .version, field: "magic",
        "the recording is of format \(bytes[start + name.count]), and format 1 to 1 is read here",
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
        .malformed, field: place, "its length has more than five bytes", remedy: Self.remedy(for: place))
    }
    let (length, position) = (number.value, start + number.bytes)
    guard length <= frameBytes else {
      throw WireError(
        .tooLarge, field: place, "\(length) bytes are more than \(frameBytes)", remedy: Self.remedy(for: place))
    }
    return length <= bytes.count - position ? position..<position + length : nil
  }

  /// The remedy for damage at a place, for the owner of the file.
  private static func remedy(for place: String) -> String {
    place == "header"
      ? "The recording is damaged at its beginning, so nothing of it can be read: use an undamaged copy"
      : "The recording is intact up to here and damaged after it: use an undamaged copy for the rest"
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
      placed.remedy = Self.remedy(for: place)
      throw placed
    }
  }
}

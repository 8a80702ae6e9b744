import MCAP
public import MotionModel

/// The file that a daemon appends each frame to before the frame has any effect outside, so that the next start continues
/// from the last frame: a recording whose frames are not in chunks.
///
/// Zeros follow the last record, whose first byte is written last. A record that is cut off at the end had no effect.
public enum RingFile {
  private static let markName = "motiond/ring"
  private static let apartName = "motiond/apart"
  /// The channel of frames, the second that a ``RecordingEncoder`` adds.
  private static let framesChannel: UInt16 = 1

  /// The contents of a file.
  public struct Contents: Sendable {
    /// The state that it begins with.
    public var beginning: EncodedHeader
    /// The marks and frames in it, in order.
    public var records: [Record] = []
    /// The bytes of the state.
    public var state = 0
    /// The bytes of whole records.
    public var length = 0

    /// A mark, a frame, or the transactions that a frame lacks.
    public enum Record: Equatable, Sendable {
      /// Who writes what follows.
      case mark(Mark)
      /// The operations of these transactions in the next frame are in files of their own: they are many.
      case apart([UInt64])
      /// A frame, or events between two.
      case frame(RecordedFrame)
    }
  }

  /// Who writes what follows, and the transactions that had been accepted by then.
  public struct Mark: Hashable, Sendable {
    /// The number of the start that wrote what follows.
    public var epoch: UInt64
    /// The boot of the machine: after another one, the file may lack what was written last.
    public var boot: String
    /// The last sequence that had been given out.
    public var lastSequence: UInt64
    /// The sequences up to it that had not been applied.
    public var waiting: Set<UInt64>
    /// Whether the file has everything after its snapshot; otherwise the file before it has the first frames.
    public var isAlone: Bool

    /// Creates a mark.
    public init(epoch: UInt64, boot: String, lastSequence: UInt64, waiting: Set<UInt64>, isAlone: Bool) {
      (self.epoch, self.boot, self.lastSequence, self.waiting) = (epoch, boot, lastSequence, waiting)
      self.isAlone = isAlone
    }
  }

  /// The bytes with which a file begins.
  public static func beginning(_ header: EncodedHeader, at wallTime: Int64) -> [UInt8] {
    var encoder = RecordingEncoder(header, at: wallTime)
    return encoder.take()
  }

  /// The bytes of a mark.
  public static func bytes(of mark: Mark) -> [UInt8] {
    MCAPWriter.metadata(
      MCAPMetadata(
        name: markName,
        values: [
          "epoch": "\(mark.epoch)", "alone": "\(mark.isAlone)", "boot": mark.boot, "sequence": "\(mark.lastSequence)",
          "waiting": mark.waiting.sorted().map { "\($0)" }.joined(separator: " "),
        ]))
  }

  /// The bytes of a frame, or of events between two frames: these have the number of the earlier one.
  public static func bytes(of frame: RecordedFrame) -> [UInt8] {
    var message = FastPath.bytes(of: frame, behind: MCAPWriter.messageHead)
    MCAPWriter.completeMessage(
      &message, channel: framesChannel, sequence: UInt32(truncatingIfNeeded: frame.frame.number),
      logTime: frame.clocks.map { UInt64(max(0, $0.wallTime)) } ?? 0)
    return message
  }

  /// The frame, or the events between two frames, in these bytes.
  ///
  /// - Throws: when they are damaged, or more than ``RecordingFile/frameBytes``.
  public static func frame(in bytes: [UInt8]) throws(WireError) -> RecordedFrame {
    guard bytes.count >= MCAPWriter.messageHead else { throw damage("a frame has no content") }
    return try frame(content: bytes.span.bytes.extracting(droppingFirst: MCAPWriter.messageHead))
  }

  private static func frame(content: RawSpan) throws(WireError) -> RecordedFrame {
    try content.withUnsafeBytes { buffer throws(WireError) in
      try FastPath.recordedFrame(in: buffer, limit: RecordingFile.frameBytes)
    }
  }

  /// The bytes that come before a frame of whose transactions the operations are in files of their own.
  public static func bytes(ofFrameWithout sequences: [UInt64]) -> [UInt8] {
    MCAPWriter.metadata(
      MCAPMetadata(name: apartName, values: ["sequences": sequences.map { "\($0)" }.joined(separator: " ")]))
  }

  /// The contents of the file with the operations of a transaction.
  public static func bytes(of transaction: Transaction, as sequence: UInt64) -> [UInt8] {
    MessageBytes.encode(ProtoRuntimeEvent(.commit(sequence: sequence, transaction)))
  }

  /// Reads such a file.
  ///
  /// - Throws: when it is damaged.
  public static func transaction(in bytes: [UInt8]) throws(WireError) -> Transaction {
    let event = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.decode(ProtoRuntimeEvent.self, .runtimeEvent, buffer, limit: RecordingFile.frameBytes)
    }
    guard case .commit(_, let transaction) = event else { throw damage("a file has no transaction") }
    return transaction
  }

  /// Where the whole records of a file end.
  public static func end(of bytes: UnsafeRawBufferPointer) -> Int {
    var end = MCAPFormat.magic.count
    while end + MCAPFormat.recordHead <= bytes.count, bytes[end] != 0 {
      let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end + 1, as: UInt64.self))
      guard length <= UInt64(bytes.count - end - MCAPFormat.recordHead) else { break }
      end += MCAPFormat.recordHead + Int(length)
    }
    return min(end, bytes.count)
  }

  /// Reads a file; a record that is cut off at the end is left out.
  ///
  /// - Throws: when it is damaged, or of another version.
  public static func contents(of bytes: [UInt8]) throws(WireError) -> Contents {
    var reader = MCAPReader(recordBytes: RecordingFile.frameBytes + 2 * RecordingEncoder.chunkBytes)
    let length = bytes.withUnsafeBytes { end(of: $0) }
    reader.append(bytes.prefix(length))
    reader.finish()
    var contents: Contents?
    while true {
      let step: MCAPReader.Step
      do {
        step = try reader.next()
      } catch {
        throw damage("byte \(error.offset): \(error.reason)")
      }
      switch step {
      case .metadata(let metadata) where metadata.name == markName:
        contents?.records.append(.mark(try mark(metadata)))
      case .metadata(let metadata) where metadata.name == apartName:
        let numbers = (metadata.values["sequences"] ?? "").split(separator: " ").map { UInt64($0) }
        guard !numbers.contains(nil) else { throw damage("a frame lacks other than numbers") }
        contents?.records.append(.apart(numbers.compactMap { $0 }))
      case .message(let message) where message.channel == framesChannel:
        contents?.records.append(.frame(try frame(content: message.data.span.bytes)))
      case .message(let message) where contents == nil:
        let header = try message.data.span.bytes.withUnsafeBytes { buffer throws(WireError) in
          try MessageBytes.decode(
            ProtoRecordingHeader.self, .recordingHeader, buffer, limit: RecordingFile.frameBytes)
        }
        contents = Contents(
          beginning: EncodedHeader(header, decodedFrom: message.data), state: message.data.count)
      case .end:
        guard var contents else { throw damage("it has no header") }
        contents.length = length
        return contents
      case .needsBytes: throw damage("it has no header")
      case .header, .schema, .channel, .chunk, .message, .metadata, .statistics: continue
      }
    }
  }

  private static func mark(_ metadata: MCAPMetadata) throws(WireError) -> Mark {
    guard let sequence = metadata.values["sequence"].flatMap({ UInt64($0) }),
      let epoch = metadata.values["epoch"].flatMap({ UInt64($0) }), let boot = metadata.values["boot"],
      let waiting = metadata.values["waiting"]
    else { throw damage("a mark lacks its numbers") }
    let numbers = waiting.split(separator: " ").map { UInt64($0) }
    guard !numbers.contains(nil) else { throw damage("a mark has other than numbers") }
    return Mark(
      epoch: epoch, boot: boot, lastSequence: try Decode.ordinal(sequence, "sequence"),
      waiting: Set(numbers.compactMap { $0 }),
      isAlone: metadata.values["alone"] == "true")
  }

  private static func damage(_ reason: String) -> WireError {
    WireError(.malformed, field: "ring", reason, remedy: "It is of no use any more: remove it")
  }
}

import MCAP
public import MotionModel

/// Makes the bytes of a recording: the header and frames in, bytes out.
///
/// Frames are collected in chunks. A recording is readable up to the last chunk whose bytes were written.
public struct RecordingEncoder: Sendable {
  /// Bytes of frames in a chunk: some hundred frames of a small scene.
  public static let chunkBytes = 65_536

  /// Further channels are added by it.
  var writer: MCAPWriter
  private let frames: UInt16
  /// The channel of snapshots, if there was one.
  private var snapshots: UInt16?

  /// Begins a recording at this wall time, in nanoseconds since 1970.
  public init(_ header: RecordingHeader, at wallTime: Int64, chunkBytes: Int = chunkBytes) {
    self.init(EncodedHeader(header), at: wallTime, chunkBytes: chunkBytes)
  }

  /// Begins a recording with a header that is encoded, likewise.
  public init(_ header: EncodedHeader, at wallTime: Int64, chunkBytes: Int = chunkBytes) {
    writer = MCAPWriter(
      MCAPHeader(profile: RecordingFile.profile, library: "motiond \(Release.version)"), chunkBytes: chunkBytes)
    writer.addMetadata(
      MCAPMetadata(
        name: RecordingFile.profile,
        values: [
          "format": "\(RecordingFile.format)", "version": Release.version,
          "protocol": "\(ProtocolVersion.messages.upperBound)",
        ]))
    let channel = writer.addChannel(
      topic: RecordingFile.headerTopic, "motion.v1.RecordingHeader", MessageDescriptors.recordingHeader)
    frames = writer.addChannel(
      topic: RecordingFile.framesTopic, "motion.v1.RecordedFrame", MessageDescriptors.recordedFrame)
    let time = UInt64(max(0, wallTime))
    writer.addMessage(channel: channel, logTime: time, publishTime: time, data: header.message.span.bytes)
    writer.flush()
  }

  /// Adds a frame to the present chunk. The times of its message are its wall time or, if it has none, its simulated
  /// time.
  public mutating func add(_ frame: RecordedFrame) {
    add(FastPath.bytes(of: frame), on: frames, frame)
  }

  /// Adds a frame, likewise.
  ///
  /// - Parameter bytes: those of the frame in a ``RingFile``.
  public mutating func add(_ frame: RecordedFrame, ofRing bytes: [UInt8]) {
    add(bytes.span.bytes.extracting(droppingFirst: MCAPWriter.messageHead), on: frames, frame)
  }

  /// Adds the complete state after the frame that was added last, so that a replay can begin there.
  public mutating func add(_ snapshot: RuntimeSnapshot, at clocks: MachineClocks?) {
    add(MessageBytes.encode(ProtoRuntimeSnapshot(snapshot)), ofSnapshotAfter: snapshot.frame, at: clocks)
  }

  /// Adds the snapshot of an encoded header, likewise; nothing if it has none.
  public mutating func add(snapshotOf state: EncodedHeader, at clocks: MachineClocks?) {
    guard let bytes = state.snapshot, let frame = state.header.snapshot?.frame else { return }
    add(bytes, ofSnapshotAfter: frame, at: clocks)
  }

  private mutating func add(_ bytes: [UInt8], ofSnapshotAfter last: Frame, at clocks: MachineClocks?) {
    let channel =
      snapshots
      ?? writer.addChannel(
        topic: RecordingFile.snapshotsTopic, "motion.v1.RuntimeSnapshot", MessageDescriptors.runtimeSnapshot)
    snapshots = channel
    var frame = RecordedFrame(frame: last, events: [], hash: 0)
    frame.clocks = clocks
    add(bytes, on: channel, frame)
  }

  /// Adds a message about a frame.
  mutating func add(_ bytes: [UInt8], on channel: UInt16, _ frame: RecordedFrame) {
    add(bytes.span.bytes, on: channel, frame)
  }

  private mutating func add(_ bytes: RawSpan, on channel: UInt16, _ frame: RecordedFrame) {
    let time = frame.clocks.map { UInt64(max(0, $0.wallTime)) } ?? frame.frame.nanoseconds
    writer.addMessage(
      channel: channel, sequence: UInt32(truncatingIfNeeded: frame.frame.number), logTime: time, publishTime: time,
      data: bytes)
  }

  /// Closes the present chunk, unless it is empty.
  public mutating func flush() { writer.flush() }

  /// Closes the present chunk and ends the recording. Nothing may be added after it.
  public mutating func finish() { writer.finish() }

  /// The bytes that ``take()`` would return.
  public var waitingBytes: Int { writer.waitingBytes }

  /// The bytes of closed chunks since the last call, for the end of the file.
  public mutating func take() -> [UInt8] { writer.take() }
}

extension Frame {
  /// The simulated time at its end in nanoseconds, or the nearest time that has a number.
  var nanoseconds: UInt64 { time.isFinite ? UInt64(min(max(0, time * 1e9), 0x1p63)) : 0 }
}

extension MCAPWriter {
  /// Adds the schema of a message of motion.proto, of which there are few.
  mutating func addSchema(_ message: String, _ descriptorSet: [UInt8]) -> UInt16 {
    let schema = addSchema(name: message, encoding: RecordingFile.encoding, data: descriptorSet)
    guard let schema else { preconditionFailure("there is no number for the schema \(message)") }
    return schema
  }

  /// Adds one of the few channels with messages of motion.proto.
  mutating func addChannel(topic: String, _ message: String, _ descriptorSet: [UInt8]) -> UInt16 {
    let schema = addSchema(message, descriptorSet)
    guard let channel = addChannel(topic: topic, messageEncoding: RecordingFile.encoding, schema: schema) else {
      preconditionFailure("there is no number for the channel \(topic)")
    }
    return channel
  }
}

extension MessageDescriptors {
  /// The bytes that hexadecimal digits describe.
  static func hexadecimal(_ digits: StaticString) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8 {
      digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
    }
    return digits.withUTF8Buffer { digits in
      stride(from: 0, to: digits.count - 1, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
    }
  }
}

public import MotionModel

/// The format of a recording, which `motiond --record` writes and `motionctl replay` reads.
///
/// Eight bytes identify the format. A header follows, then one message per frame. Header and messages are each preceded
/// by their length in base 128. Nothing is read or written here; ``RecordingReader`` decodes the format.
public enum RecordingFile {
  /// The first bytes of a recording: a name and the version of the format.
  public static let magic: [UInt8] = Array("MOTIONR".utf8) + [1]
  /// The maximum size of one frame in bytes: four of the largest messages may be applied in one.
  public static let frameBytes = 4 * Limits.clientMessageBytes

  /// The beginning of a recording.
  public static func beginning(_ header: RecordingHeader) -> [UInt8] {
    magic + delimited(MessageBytes.encode(ProtoRecordingHeader(header)))
  }

  /// The next chunk of a recording: a frame.
  public static func chunk(_ frame: RecordedFrame) -> [UInt8] {
    delimited(MessageBytes.encode(ProtoRecordedFrame(frame)))
  }

  /// A message preceded by its length.
  private static func delimited(_ message: [UInt8]) -> [UInt8] {
    WireWriter.bytes(atMost: message.count + 10) { writer in
      writer.varint(UInt64(message.count))
      writer.append(message)
    }
  }
}

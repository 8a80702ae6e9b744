public import MotionModel

/// The bytes of a recording: what `motiond --record` writes and `motionctl replay` reads.
///
/// Eight bytes that say what it is, a header, then one message per frame, each behind its length in base 128. Nothing
/// is read or written here; see ``RecordingReader`` for the way back.
public enum RecordingFile {
  /// What a recording begins with: a name and the version of the format.
  public static let magic: [UInt8] = Array("MOTIONR".utf8) + [1]
  /// The most bytes of one frame: four of the largest messages may be applied in one.
  public static let frameBytes = 4 * Limits.clientMessageBytes

  /// The beginning of a recording.
  public static func beginning(_ header: RecordingHeader) -> [UInt8] {
    magic + delimited(MessageBytes.encode(ProtoRecordingHeader(header)))
  }

  /// The next piece of a recording: a frame.
  public static func chunk(_ frame: RecordedFrame) -> [UInt8] {
    delimited(MessageBytes.encode(ProtoRecordedFrame(frame)))
  }

  /// A message behind its length.
  private static func delimited(_ message: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.count + 5)
    var rest = message.count
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    return bytes + message
  }
}

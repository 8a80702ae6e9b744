import MCAP
import MotionModel

/// The format of a recording, which `motiond --record` writes and `motionctl replay` reads.
///
/// It is a file in the format MCAP, with the profile and the metadata of motiond. The first message, of the channel
/// `motiond/header`, is the header. The messages of the channel `motiond/frames` are the frames. Nothing is read or
/// written here: ``RecordingEncoder`` makes its bytes, and ``RecordingReader`` decodes them, and also format 1.
public enum RecordingFile {
  /// The version of the format.
  public static let format = 2
  /// The maximum size of one frame in bytes: four of the largest messages may be applied in one.
  public static let frameBytes = 4 * Limits.clientMessageBytes
  /// The number of bytes at the beginning of a file that identify it.
  public static let identifyingBytes = identification.count

  /// Whether a file that begins with these bytes is a recording, of any format.
  public static func isRecording(beginning: some Collection<UInt8>) -> Bool {
    guard beginning.count >= MCAPFormat.magic.count else { return false }
    // The length of the header depends on the version of motiond. A recording may end anywhere.
    let length = MCAPFormat.magic.count + 1..<MCAPFormat.magic.count + 9
    return beginning.starts(with: delimitedMagic)
      || zip(beginning, identification).enumerated().allSatisfy { length.contains($0) || $1.0 == $1.1 }
  }

  /// The first bytes of a recording of format 1: a name and the version.
  static let delimitedMagic: [UInt8] = Array("MOTIONR".utf8) + [1]
  /// The name of the profile and of the metadata.
  static let profile = "motiond"
  /// The topic of the header.
  static let headerTopic = "motiond/header"
  /// The topic of the frames.
  static let framesTopic = "motiond/frames"
  /// The topic of the snapshots between frames.
  static let snapshotsTopic = "motiond/snapshots"
  /// The encoding of schemas and messages.
  static let encoding = "protobuf"

  /// The beginning of a file with the profile of motiond: magic bytes, a header of some length, its profile.
  private static let identification: [UInt8] =
    MCAPFormat.magic + [1] + [UInt8](repeating: 0, count: 8) + [UInt8(profile.utf8.count), 0, 0, 0]
    + Array(profile.utf8)
}

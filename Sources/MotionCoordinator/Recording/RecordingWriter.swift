import Glibc
import LinuxSystem
import MotionModel
import MotionWire

/// Writes a recording frame by frame.
///
/// Frames reach the file when 64 KiB have been collected, with the first frame after a second, when the runtime falls
/// idle, and at the end, each time as a whole chunk. A daemon that is killed loses at most its last second; readers
/// report a missing end.
final class RecordingWriter {
  private let descriptor: Int32
  /// The new path of the recording that was at the path before.
  let kept: String?
  private let path: String
  private var encoder: RecordingEncoder
  private var lastFlush: Duration
  /// The bytes that were written.
  private(set) var bytes: UInt64 = 0

  /// How long a frame may wait to be written.
  static let timeout = Duration.seconds(1)

  convenience init(_ path: String, _ header: RecordingHeader, at now: Duration, wallTime: Int64) throws {
    self.init(try RecordingPlace(path), path, header, at: now, wallTime: wallTime)
    try flush()
  }

  /// Takes a file over. Its header follows with the first flush.
  convenience init(
    _ place: RecordingPlace, _ path: String, _ header: RecordingHeader, at now: Duration, wallTime: Int64
  ) {
    self.init(place.descriptor, path, kept: place.kept, EncodedHeader(header), at: now, wallTime: wallTime)
  }

  /// Takes an empty file over, likewise.
  init(
    _ descriptor: Int32, _ path: String, kept: String? = nil, _ header: EncodedHeader, at now: Duration,
    wallTime: Int64
  ) {
    (self.descriptor, self.path, self.kept) = (descriptor, path, kept)
    encoder = RecordingEncoder(header, at: wallTime)
    lastFlush = now
  }

  deinit { Glibc.close(descriptor) }

  /// Adds a frame.
  ///
  /// - Parameter bytes: those of the frame in the ring, if it is as it is there.
  /// - Throws: ``StartError`` when the file cannot be written; nothing more should be added then.
  func write(_ frame: RecordedFrame, ofRing bytes: [UInt8]? = nil, at now: Duration) throws {
    if let bytes { encoder.add(frame, ofRing: bytes) } else { encoder.add(frame) }
    guard encoder.waitingBytes > 0 || now - lastFlush >= Self.timeout else { return }
    lastFlush = now
    try flush()
  }

  /// Adds the state after the frame that was added last.
  func write(_ snapshot: RuntimeSnapshot, _ clocks: MachineClocks) { encoder.add(snapshot, at: clocks) }

  /// Adds the snapshot of an encoded header, likewise.
  func write(snapshotOf state: EncodedHeader, _ clocks: MachineClocks) { encoder.add(snapshotOf: state, at: clocks) }

  /// Writes the frames that were added so far.
  func flush() throws {
    encoder.flush()
    try writeBytes()
  }

  /// Writes the rest and the end of the recording. Nothing may be added after it.
  func finish() throws {
    encoder.finish()
    try writeBytes()
  }

  private func writeBytes() throws {
    let buffer = encoder.take()
    let status = WholeWrite.write(buffer, to: descriptor)
    guard status == 0 else {
      throw StartError("write \(path)", String(cString: strerror(status)), remedy: "Free some space and record again")
    }
    bytes += UInt64(buffer.count)
  }
}

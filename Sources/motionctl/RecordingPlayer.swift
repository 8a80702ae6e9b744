import Glibc
import MotionCore
import MotionModel
import MotionWire

/// Replays the frames of a recording, one after the other.
struct RecordingPlayer {
  /// The recording.
  let file: String

  /// A frame that was replayed.
  struct Played {
    /// The runtime after the frame.
    let runtime: Runtime
    /// The recorded frame.
    let recorded: RecordedFrame
    /// The difference from the recording, if there is one.
    let difference: Replayer.Difference?
  }

  /// Replays all frames.
  ///
  /// - Parameters:
  ///   - prepare: prepares the runtime before the first frame.
  ///   - hear: called after each frame.
  /// - Returns: the place at which the recording stops.
  func play(
    prepare: (RecordingHeader, Runtime) -> Void = { _, _ in }, _ hear: (Played) -> Void
  ) throws(Failure) -> RecordingReader.End {
    let cursor = try RecordingCursor(file)
    prepare(cursor.header, cursor.runtime)
    while let played = try cursor.next() { hear(played) }
    return cursor.end
  }
}

/// A place in a recording: the runtime after the frame that was replayed last.
final class RecordingCursor {
  /// The number of bytes per read.
  private static let chunk = 1 << 16

  /// The path of the recording.
  let file: String
  /// The data from before the first frame.
  let header: RecordingHeader
  private let replayer: Replayer
  private let bytes: Bytes
  private var reader: RecordingReader

  /// Opens a recording, before its first frame.
  init(_ file: String) throws(Failure) {
    (self.file, bytes) = (file, try Bytes(file))
    var reader = RecordingReader()
    guard let step = try Self.step(&reader, bytes), case .header(let header) = step else {
      throw Failure(.failure, "\(file) holds no recording", remedy: "see motiond --record")
    }
    (self.header, self.reader) = (header, reader)
    replayer = try Self.naming(file) { try Replayer(header) }
  }

  /// The runtime, which the next frame changes.
  var runtime: Runtime { replayer.runtime }
  /// The place at which the recording stops, after the last frame.
  var end: RecordingReader.End { reader.end }

  /// Replays the next frame; `nil` after the last one.
  func next() throws(Failure) -> RecordingPlayer.Played? {
    while let step = try Self.step(&reader, bytes) {
      guard case .frame(let recorded) = step else { continue }
      let difference = try Self.naming(file) { try replayer.replay(recorded) }
      return RecordingPlayer.Played(runtime: runtime, recorded: recorded, difference: difference)
    }
    return nil
  }

  /// Reads the next frame without replaying it, and none after it can be; `nil` after the last one.
  func skip() throws(Failure) -> RecordedFrame? {
    while let step = try Self.step(&reader, bytes) {
      if case .frame(let recorded) = step { return recorded }
    }
    return nil
  }

  /// The next part of the recording; `nil` at its end.
  private static func step(_ reader: inout RecordingReader, _ bytes: Bytes) throws(Failure) -> RecordingReader.Step? {
    while true {
      let step = try naming(bytes.file) { try reader.next() }
      guard step == .needsBytes else { return step }
      guard !bytes.isAtEnd else { return nil }
      let more = try bytes.next()
      if more.isEmpty { reader.finish() } else { reader.append(more) }
    }
  }

  /// Adds the name of the file to an error about its contents.
  private static func naming<Result>(_ file: String, _ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      throw Failure(.failure, "\(file): \(error)")
    }
  }

  /// The bytes of the file, piece by piece.
  private final class Bytes {
    let file: String
    private(set) var isAtEnd = false
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: RecordingCursor.chunk)

    init(_ file: String) throws(Failure) {
      self.file = file
      descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileBytes.failure(file) }
    }

    deinit { close(descriptor) }

    /// The next piece; empty at the end.
    func next() throws(Failure) -> ArraySlice<UInt8> {
      try ShellSession.checkInterruption()
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw FileBytes.failure(file) }
      isAtEnd = count == 0
      return buffer[..<count]
    }
  }
}

public import MotionCore
public import MotionModel
public import MotionWire

/// A place in a recording: the runtime after the frame that was replayed last. It only moves forward;
/// ``Timeline`` seeks.
public final class RecordingCursor {
  /// A frame that was replayed.
  public struct Played {
    /// The runtime after the frame.
    public let runtime: Runtime
    /// The recorded frame.
    public let recorded: RecordedFrame
    /// The difference from the recording, if there is one.
    public let difference: Replayer.Difference?
  }

  /// A place at which a replay can begin: after a snapshot.
  struct StartingPoint {
    let snapshot: RuntimeSnapshot
    /// The reader after it, and the place in the file from which that needs bytes.
    let reader: RecordingReader
    let offset: Int
  }

  private let source: RecordingSource
  /// The data from before the first frame.
  public let header: RecordingHeader
  private let replayer: Replayer
  private let bytes: RecordingBytes
  private var reader: RecordingReader
  /// Called after each snapshot that is read.
  var receiveSnapshot: (StartingPoint) -> Void = { _ in }

  /// Opens a recording, before its first frame.
  ///
  /// - Parameter isInterrupted: asked from time to time; the reading ends when it returns true.
  /// - Throws: when the file cannot be read, or begins with no recording.
  public init(_ source: RecordingSource, isInterrupted: @escaping () -> Bool = { false }) throws(HistoryError) {
    (self.source, bytes) = (source, try RecordingBytes(source, isInterrupted: isInterrupted))
    var reader = RecordingReader()
    guard let step = try Self.step(&reader, bytes), case .header(let header) = step else {
      throw HistoryError("\(source.name) holds no recording", remedy: "see motiond --record")
    }
    (self.header, self.reader) = (header, reader)
    replayer = try Self.naming(source.name) { try Replayer(header) }
  }

  /// Opens a file, before its first frame.
  public convenience init(_ file: String, isInterrupted: @escaping () -> Bool = { false }) throws(HistoryError) {
    try self.init(.file(file), isInterrupted: isInterrupted)
  }

  /// Opens a recording after a snapshot.
  init(
    _ source: RecordingSource, _ header: RecordingHeader, at point: StartingPoint, isInterrupted: @escaping () -> Bool
  ) throws(HistoryError) {
    (self.source, reader) = (source, point.reader)
    bytes = try RecordingBytes(source, from: point.offset, isInterrupted: isInterrupted)
    var header = header
    (header.checkpoint, header.snapshot) = (nil, point.snapshot)
    replayer = try Self.naming(source.name) { [header] in try Replayer(header) }
    self.header = header
  }

  /// The path or the name of the recording.
  public var file: String { source.name }
  /// The runtime, which the next frame changes.
  public var runtime: Runtime { replayer.runtime }
  /// The place at which the recording stops, after the last frame.
  public var end: RecordingReader.End { reader.end }

  /// Replays the next frame; `nil` after the last one.
  ///
  /// - Throws: when the recording is damaged here: the frames before are valid.
  public func next() throws(HistoryError) -> Played? {
    guard let recorded = try skip() else { return nil }
    let difference = try Self.naming(file) { try replayer.replay(recorded) }
    return Played(runtime: runtime, recorded: recorded, difference: difference)
  }

  /// Reads the next frame without replaying it, and none after it can be; `nil` after the last one.
  public func skip() throws(HistoryError) -> RecordedFrame? {
    while let step = try Self.step(&reader, bytes) {
      switch step {
      case .frame(let recorded): return recorded
      case .snapshot(let snapshot):
        receiveSnapshot(StartingPoint(snapshot: snapshot, reader: reader, offset: bytes.offset))
      case .header, .needsBytes: continue
      }
    }
    return nil
  }

  /// The next part of the recording; `nil` at its end.
  private static func step(
    _ reader: inout RecordingReader, _ bytes: RecordingBytes
  ) throws(HistoryError) -> RecordingReader.Step? {
    while true {
      let step = try naming(bytes.file) { try reader.next() }
      guard step == .needsBytes else { return step }
      guard !bytes.isAtEnd else { return nil }
      let more = try bytes.next()
      if more.isEmpty { reader.finish() } else { reader.append(more) }
    }
  }

  /// Adds the name of the file to an error about its contents.
  private static func naming<Result>(_ file: String, _ body: () throws -> Result) throws(HistoryError) -> Result {
    do {
      return try body()
    } catch {
      throw HistoryError("\(file): \(error)")
    }
  }
}

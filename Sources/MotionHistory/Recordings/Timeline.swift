public import MotionCore
public import MotionModel
import MotionWire

/// A recording in which one can go to any frame, forward and back, and read the runtime there.
///
///     let timeline = try Timeline("show.mcap")
///     try timeline.seek(to: .wall(7092, day: nil), .before)
///     let rows = try timeline.runtime.answer(.properties(nil))
///
/// A place is reached by replaying the frames from the nearest place before it at which a replay can begin: the present
/// one, or a starting point of the file. Of a damaged recording, the frames before the damage can be reached.
public final class Timeline {
  /// How many bytes the places at which a replay can begin take together, approximately: of more, every second is
  /// dropped.
  private static let mostBytes = 64 << 20

  /// The times of the frames that can be reached, and the transactions in them.
  public let times: RecordedTimes
  /// What ends the recording before its end, if it is damaged.
  public let damage: HistoryError?
  /// Where a replay can begin besides the beginning of the file, in order.
  private let startingPoints: [RecordingCursor.StartingPoint]
  private let isInterrupted: () -> Bool
  private var cursor: RecordingCursor
  /// The recorded frame of the present place; `nil` before the first one.
  public private(set) var recorded: RecordedFrame?

  /// Opens a recording before its first frame, and reads the times of all frames.
  ///
  /// - Parameter isInterrupted: asked from time to time; the reading ends when it returns true.
  public init(_ file: String, isInterrupted: @escaping () -> Bool = { false }) throws(HistoryError) {
    self.isInterrupted = isInterrupted
    let scan = try RecordingCursor(file, isInterrupted: isInterrupted)
    var (points, bytes): ([RecordingCursor.StartingPoint], Int) = ([], 0)
    scan.hearSnapshot = { point in
      points.append(point)
      bytes += point.bytes
      while bytes > Self.mostBytes, points.count > 1 {
        points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        bytes = points.reduce(0) { $0 + $1.bytes }
      }
    }
    var times = RecordedTimes(file)
    damage = try times.read(scan)
    (self.times, startingPoints) = (times, points)
    cursor = try RecordingCursor(file, isInterrupted: isInterrupted)
  }

  /// The path of the recording.
  public var file: String { cursor.file }
  /// The data from before the first frame.
  public var header: RecordingHeader { cursor.header }
  /// The runtime at the present place. The next seek changes or replaces it.
  public var runtime: Runtime { cursor.runtime }
  /// The clocks of the machine at the present frame, if the recording has them.
  public var clocks: MachineClocks? { recorded?.clocks }

  /// Goes to a moment.
  ///
  /// - Parameter side: which frame is meant when the moment lies between two.
  public func seek(to moment: RecordedMoment, _ side: RecordedMoment.Side) throws(HistoryError) {
    try seek(to: try frame(at: moment, side))
  }

  /// The number of the frame at a moment. If the recording is damaged before, that is the error.
  public func frame(at moment: RecordedMoment, _ side: RecordedMoment.Side) throws(HistoryError) -> UInt64 {
    do throws(HistoryError) {
      return try moment.frame(in: times, side)
    } catch {
      throw damage ?? error
    }
  }

  /// Goes to the state after a frame; one before the first frame is the beginning.
  ///
  /// - Parameter prepare: prepares a runtime that is new, before it is advanced.
  public func seek(to number: UInt64, prepare: (Runtime) -> Void = { _ in }) throws(HistoryError) {
    let present = cursor.runtime.frame.number
    // A frame before, so that the recorded frame of the place is known.
    let point = startingPoints.last { $0.snapshot.frame.number < number }
    if let point, present > number || point.snapshot.frame.number > present {
      cursor = try RecordingCursor(file, header, at: point, isInterrupted: isInterrupted)
      recorded = nil
    } else if present > number {
      // Also if the frame lies before the first.
      cursor = try RecordingCursor(file, isInterrupted: isInterrupted)
      recorded = nil
    }
    prepare(cursor.runtime)
    while cursor.runtime.frame.number < number, try next() != nil {}
  }

  /// Replays the next frame; `nil` after the last one that can be reached.
  public func next() throws(HistoryError) -> RecordingCursor.Played? {
    guard let last = times.frames.last, cursor.runtime.frame.number < last.number, let played = try cursor.next() else {
      return nil
    }
    recorded = played.recorded
    return played
  }
}

extension RecordingCursor.StartingPoint {
  /// The approximate size: a chunk waits in the reader, and a plan or property takes some hundred bytes.
  fileprivate var bytes: Int {
    let checkpoint = snapshot.checkpoint
    return 2 * RecordingEncoder.chunkBytes + snapshot.details.count + 500 * checkpoint.plans.count
      + checkpoint.targets.reduce(0) { $0 + 200 * (1 + $1.properties.count) }
  }
}

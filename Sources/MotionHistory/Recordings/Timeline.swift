public import MotionCore
public import MotionModel

/// A recording in which one can go to any frame, forward and back, and read the runtime there.
///
///     let timeline = try Timeline("show.mcap")
///     try timeline.seek(to: .wall(7092, day: nil), .before)
///     let rows = try timeline.runtime.answer(.properties(nil))
///
/// A place is reached by replaying the frames from the nearest place before it at which a replay can begin: the present
/// one, or a starting point of the file. Of a damaged recording, the frames before the damage can be reached.
public final class Timeline {
  /// A place of the file at which a replay can begin.
  private struct StartingPoint {
    /// The frame of which it has the state: 0 before the first, or the last before the recording began.
    let frame: UInt64
    let open: () throws(HistoryError) -> RecordingCursor
  }

  /// The times of the frames that can be reached, and the transactions in them.
  public let times: RecordedTimes
  /// What ends the recording before its end, if it is damaged.
  public let damage: HistoryError?
  /// In order. At present a file has one, its beginning.
  private let startingPoints: [StartingPoint]
  private var cursor: RecordingCursor
  /// The recorded frame of the present place; `nil` before the first one.
  public private(set) var recorded: RecordedFrame?

  /// Opens a recording before its first frame, and reads the times of all frames.
  ///
  /// - Parameter isInterrupted: asked from time to time; the reading ends when it returns true.
  public init(_ file: String, isInterrupted: @escaping () -> Bool = { false }) throws(HistoryError) {
    func open() throws(HistoryError) -> RecordingCursor { try RecordingCursor(file, isInterrupted: isInterrupted) }
    var times = RecordedTimes(file)
    damage = try times.read(try open())
    self.times = times
    cursor = try open()
    startingPoints = [StartingPoint(frame: cursor.runtime.frame.number, open: open)]
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
    if cursor.runtime.frame.number > number {
      // The nearest one before; the first one if the frame lies before it.
      let start = startingPoints.last { $0.frame <= number } ?? startingPoints[0]
      cursor = try start.open()
      recorded = nil
    } else if let start = startingPoints.last(where: { $0.frame <= number }), start.frame > cursor.runtime.frame.number
    {
      cursor = try start.open()
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

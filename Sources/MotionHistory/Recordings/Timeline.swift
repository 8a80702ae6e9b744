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
/// one, or a snapshot. Of a file that has an index, only the parts around the place are read. Any other recording is
/// read as a whole, as is one whose ``times`` are asked for; of a damaged one, the frames before the damage can then be
/// reached.
public final class Timeline {
  /// How many bytes the places at which a replay can begin take together, approximately: of more, every second is
  /// dropped.
  private static let mostBytes = 64 << 20
  /// So many frames are replayed rather than that a snapshot is looked for: some of them are needed anyway.
  private static let nearFrames: UInt64 = 60

  /// The content of a recording that was read as a whole.
  private struct Content {
    let times: RecordedTimes
    let damage: HistoryError?
    /// Where a replay can begin besides the beginning of the file, in order.
    let startingPoints: [RecordingCursor.StartingPoint]
  }

  /// Where its bytes are.
  public let source: RecordingSource
  /// The data from before the first frame; without the initial state if the recording was opened at a moment.
  public let header: RecordingHeader
  /// The frame that it begins after; `nil` while that is not known.
  private var beginning: RecordedTimes.Entry?
  private let now: Moment?
  private let isInterrupted: () -> Bool
  private let seeker: RecordingSeeker?
  private var content: Content?
  private var cursor: RecordingCursor
  /// The recorded frame of the present place; `nil` before the first one.
  public private(set) var recorded: RecordedFrame?
  /// How long time stood before the present frame, if that was replayed by ``next()``: something moved, and no frame had
  /// followed the one before for more than a second. Time was paused or held, or the process did not run.
  public private(set) var pause: Duration?

  /// Opens a recording before its first frame.
  ///
  /// - Parameters:
  ///   - beginning: the clocks of the machine at the beginning, if they are known.
  ///   - now: up to when nothing has moved after the last frame, if that is known.
  ///   - isInterrupted: asked from time to time; the reading ends when it returns true.
  public init(
    _ source: RecordingSource, beginning: MachineClocks? = nil, now: Moment? = nil,
    isInterrupted: @escaping () -> Bool = { false }
  ) throws(HistoryError) {
    (self.source, self.now, self.isInterrupted) = (source, now, isInterrupted)
    cursor = try RecordingCursor(source, isInterrupted: isInterrupted)
    header = cursor.header
    self.beginning = RecordedTimes.Entry(cursor.runtime.frame, beginning)
    seeker = RecordingSeeker(source, isInterrupted: isInterrupted)
    if seeker == nil { _ = try read() }
  }

  /// Opens a file at a moment, which takes less time than to open it and to go there.
  ///
  /// - Parameter side: which frame is meant when the moment lies between two.
  public init(
    _ file: String, at moment: RecordedMoment, _ side: RecordedMoment.Side,
    isInterrupted: @escaping () -> Bool = { false }
  ) throws(HistoryError) {
    (source, now, self.isInterrupted) = (.file(file), nil, isInterrupted)
    seeker = RecordingSeeker(source, isInterrupted: isInterrupted)
    if let seeker, let number = try seeker.frame(at: moment, side, nil),
      let point = try seeker.startingPoint(before: number), let header = try seeker.header()
    {
      self.header = header
      cursor = try RecordingCursor(source, header, at: point, isInterrupted: isInterrupted)
      try advance(to: number)
    } else {
      cursor = try RecordingCursor(source, isInterrupted: isInterrupted)
      header = cursor.header
      beginning = RecordedTimes.Entry(cursor.runtime.frame, nil)
      if seeker == nil { _ = try read() }
      try seek(to: moment, side)
    }
  }

  /// Opens a file before its first frame.
  public convenience init(_ file: String, isInterrupted: @escaping () -> Bool = { false }) throws(HistoryError) {
    try self.init(.file(file), isInterrupted: isInterrupted)
  }

  /// The path or the name of the recording.
  public var file: String { source.name }
  /// The runtime at the present place. The next seek changes or replaces it.
  public var runtime: Runtime { cursor.runtime }
  /// The clocks of the machine at the present frame, if the recording has them.
  public var clocks: MachineClocks? { recorded?.clocks }

  /// Whether time stood at a wall time, to which this is the last frame: something moved, and no other frame had followed
  /// for more than a second. Time was paused or held, or the process did not run. `false` for other moments.
  public func stands(at moment: RecordedMoment) -> Bool {
    guard case .wall(let seconds, let day) = moment, let clocks, runtime.wantsFrames else { return false }
    let second: Int64 = 1_000_000_000
    return !RecordedMoment.isShown(
      seconds, day, after: clocks.wallTime - second, through: clocks.wallTime + second)
  }

  // MARK: The whole recording

  /// The times of the frames that can be reached, and the transactions in them. The whole recording is read once.
  public var times: RecordedTimes { get throws(HistoryError) { try read().times } }
  /// What ends the recording before its end, if it is damaged. The whole recording is read once.
  public var damage: HistoryError? { get throws(HistoryError) { try read().damage } }

  private func read() throws(HistoryError) -> Content {
    if let content { return content }
    let scan = try RecordingCursor(source, isInterrupted: isInterrupted)
    var (points, bytes): ([RecordingCursor.StartingPoint], Int) = ([], 0)
    scan.receiveSnapshot = { point in
      points.append(point)
      bytes += point.bytes
      while bytes > Self.mostBytes, points.count > 1 {
        points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        bytes = points.reduce(0) { $0 + $1.bytes }
      }
    }
    let beginning = self.beginning ?? RecordedTimes.Entry(scan.runtime.frame, nil)
    self.beginning = beginning
    var times = RecordedTimes(source.name, beginning: beginning, now: now)
    let damage = try times.read(scan)
    let content = Content(times: times, damage: damage, startingPoints: points)
    self.content = content
    return content
  }

  // MARK: Places

  /// Goes to a moment.
  ///
  /// - Parameter side: which frame is meant when the moment lies between two.
  public func seek(to moment: RecordedMoment, _ side: RecordedMoment.Side) throws(HistoryError) {
    try seek(to: try frame(at: moment, side))
  }

  /// The number of the frame at a moment. If the recording is damaged before, that is the error.
  public func frame(at moment: RecordedMoment, _ side: RecordedMoment.Side) throws(HistoryError) -> UInt64 {
    if content == nil, let number = try seeker?.frame(at: moment, side, beginning) { return number }
    let content = try read()
    do throws(HistoryError) {
      return try moment.frame(in: content.times, side)
    } catch {
      throw content.damage ?? error
    }
  }

  /// Goes to the state after a frame; one before the first frame is the beginning.
  ///
  /// - Parameter prepare: prepares a runtime that is new, before it is advanced.
  public func seek(to number: UInt64, prepare: (Runtime) -> Void = { _ in }) throws(HistoryError) {
    let present = cursor.runtime.frame.number
    if present > number || number - present > Self.nearFrames {
      // A frame before, so that the recorded frame of the place is known.
      let point = try startingPoint(before: number)
      if let point, present > number || point.snapshot.frame.number > present {
        cursor = try RecordingCursor(source, header, at: point, isInterrupted: isInterrupted)
        (recorded, pause) = (nil, nil)
      } else if present > number {
        // Also if the frame lies before the first.
        cursor = try RecordingCursor(source, isInterrupted: isInterrupted)
        (recorded, pause) = (nil, nil)
      }
    }
    prepare(cursor.runtime)
    try advance(to: number)
  }

  private func advance(to number: UInt64) throws(HistoryError) {
    while cursor.runtime.frame.number < number, try next() != nil {}
    // The end of an intact recording is as near as it gets.
    if cursor.runtime.frame.number < number, let damage = content?.damage { throw damage }
  }

  private func startingPoint(before number: UInt64) throws(HistoryError) -> RecordingCursor.StartingPoint? {
    if content == nil, let seeker { return try seeker.startingPoint(before: number) }
    return try read().startingPoints.last { $0.snapshot.frame.number < number }
  }

  /// Replays the next frame; `nil` after the last one that can be reached.
  public func next() throws(HistoryError) -> RecordingCursor.Played? {
    if let content {
      guard let last = content.times.frames.last, cursor.runtime.frame.number < last.number else { return nil }
    }
    do throws(HistoryError) {
      let (before, moved) = (clocks, runtime.wantsFrames)
      guard let played = try cursor.next() else { return nil }
      recorded = played.recorded
      pause = moved ? before.flatMap { clocks?.time(since: $0) }.flatMap { $0 > .seconds(1) ? $0 : nil } : nil
      return played
    } catch {
      // The whole recording shows where it is damaged.
      guard content == nil, !error.isInterruption, try damage != nil else { throw error }
      return nil
    }
  }
}

extension MachineClocks {
  /// By the wall clock only if the machine was started in between.
  fileprivate func time(since before: MachineClocks) -> Duration {
    .nanoseconds(bootTime < before.bootTime ? wallTime &- before.wallTime : bootTime &- before.bootTime)
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

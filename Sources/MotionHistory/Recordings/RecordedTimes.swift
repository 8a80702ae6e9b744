import MotionCore
public import MotionModel

/// The times of all frames of a recording, and the transactions in it; nothing is replayed for them.
public struct RecordedTimes {
  /// The times of a frame.
  public struct Entry: Hashable, Sendable {
    /// Its number.
    public let number: UInt64
    /// Its simulated time, in seconds.
    public let time: Double
    /// The wall clock when it had run, in nanoseconds since 1970; `nil` in recordings that do not state it.
    public let wallTime: Int64?

    /// Creates the times of a frame.
    public init(number: UInt64, time: Double, wallTime: Int64?) {
      (self.number, self.time, self.wallTime) = (number, time, wallTime)
    }

    /// The times of a frame.
    init(_ frame: Frame, _ clocks: MachineClocks?) {
      self.init(number: frame.number, time: frame.time, wallTime: clocks?.wallTime)
    }

    /// The times of a recorded frame.
    init(_ recorded: RecordedFrame) {
      self.init(recorded.frame, recorded.clocks)
    }
  }

  /// The path or the name of the recording.
  public let file: String
  /// The last frame before the first of the recording, whose state it begins with; `nil` if that is not known.
  public private(set) var beginning: Entry?
  /// The frames, in order.
  public private(set) var frames: [Entry] = []
  /// Up to when nothing has moved after the last frame; `nil` if that is not known.
  public internal(set) var now: Moment?
  /// The transactions that were applied, and those of the plans with which it begins.
  public private(set) var sequences: Set<UInt64> = []

  /// The times of these frames.
  public init(_ file: String, _ frames: [Entry] = [], beginning: Entry? = nil, now: Moment? = nil) {
    (self.file, self.frames, self.beginning, self.now) = (file, frames, beginning, now)
  }

  /// The last frame, or the one that it begins after.
  var last: Entry? { frames.last ?? (now == nil ? nil : beginning) }

  /// The times of a frame; `nil` if the recording does not have it.
  public func entry(of number: UInt64) -> Entry? {
    guard let first = frames.first, number >= first.number else { return nil }
    // Numbers have no gaps.
    let index = number - first.number
    guard index < UInt64(frames.count), frames[Int(index)].number == number else { return nil }
    return frames[Int(index)]
  }

  /// Reads a recording to its end, or up to its damage.
  ///
  /// - Returns: the damage.
  mutating func read(_ cursor: RecordingCursor) throws(HistoryError) -> HistoryError? {
    let beginning = cursor.header.snapshot?.checkpoint ?? cursor.header.checkpoint
    sequences.formUnion(beginning?.plans.map(\.identity.sequence) ?? [])
    do throws(HistoryError) {
      while let recorded = try cursor.skip() { take(recorded) }
    } catch {
      if error.isInterruption { throw error }
      return error
    }
    return nil
  }

  private mutating func take(_ recorded: RecordedFrame) {
    frames.append(Entry(recorded))
    for case .commit(let sequence, _) in recorded.betweenFrames + recorded.events { sequences.insert(sequence) }
  }

  /// The first and the last time, for people.
  var span: String {
    guard let first = frames.first, let last = frames.last else { return "no time" }
    let walls = [first, last].compactMap(\.wallTime).map(WallTimeText.text)
    let seconds = "\(Self.text(first.time)) to \(Self.text(last.time))"
    return walls.count == 2 ? "\(seconds), \(walls[0]) to \(walls[1])" : seconds
  }

  /// A simulated time, to the millisecond.
  static func text(_ seconds: Double) -> String {
    abs(seconds) < 1e12 ? "\(JSONText.number((seconds * 1000).rounded() / 1000)) s" : "\(seconds) s"
  }
}

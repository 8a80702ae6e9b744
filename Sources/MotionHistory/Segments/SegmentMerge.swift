import MotionModel
import MotionWire

/// Makes one recording of segments that continue one another: the header with the state at the beginning of the first,
/// all frames in order without repetition, and a snapshot where a segment begins.
struct SegmentMerge {
  private var encoder: RecordingEncoder
  /// The last frame that the recording has, or the one that it begins after.
  private(set) var last: Frame
  /// How many frames it has.
  private(set) var frames = 0
  /// The clocks of the last frame.
  private(set) var clocks: MachineClocks
  private var hasSegments = false
  /// The frame after which the state is in the recording.
  private var newestSnapshot: UInt64?
  /// What ends the last segment before its end, if it is damaged.
  private(set) var damage: HistoryError?

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - header: that of the first segment.
  ///   - beginning: the place that the segment begins after.
  init(_ header: RecordingHeader, _ beginning: HistorySegment.Place) {
    encoder = RecordingEncoder(header, at: beginning.clocks.wallTime)
    last = header.beginning
    clocks = beginning.clocks
    newestSnapshot = header.snapshot?.frame.number
  }

  /// Adds a segment.
  ///
  /// - Parameters:
  ///   - segment: its number.
  ///   - through: the last frame that is wanted of it: that with which the next one begins.
  /// - Returns: whether it continues the recording; otherwise nothing was added.
  mutating func add(_ segment: UInt64, _ bytes: [UInt8], through end: UInt64) -> Bool {
    var reader = RecordingReader()
    reader.append(bytes)
    reader.finish()
    damage = nil
    do {
      guard case .header(let header) = try reader.next(), header.beginning.isSame(as: last),
        !hasSegments || header.snapshot != nil
      else { return false }
      hasSegments = true
      if let snapshot = header.snapshot { add(snapshot) }
      while last.number < end {
        switch try reader.next() {
        case .frame(let recorded):
          guard recorded.frame.number == last.number + 1 else {
            damage = HistoryError(
              "segment \(segment) of the history: frame \(recorded.frame.number) follows frame \(last.number)")
            return true
          }
          add(recorded)
        case .snapshot(let snapshot): if snapshot.frame.isSame(as: last) { add(snapshot) }
        case .header: continue
        case .needsBytes: return true
        }
      }
    } catch {
      damage = HistoryError("segment \(segment) of the history: \(error)")
    }
    return true
  }

  /// Ends the recording.
  mutating func finish() { encoder.finish() }

  /// The bytes since the last call.
  mutating func take() -> [UInt8] { encoder.take() }

  private mutating func add(_ recorded: RecordedFrame) {
    encoder.add(recorded)
    last = recorded.frame
    if let clocks = recorded.clocks { self.clocks = clocks }
    frames += 1
  }

  private mutating func add(_ snapshot: RuntimeSnapshot) {
    guard newestSnapshot != snapshot.frame.number else { return }
    encoder.add(snapshot, at: clocks)
    newestSnapshot = snapshot.frame.number
  }
}

extension RecordingHeader {
  /// The frame that the recording begins after.
  var beginning: Frame { snapshot?.frame ?? checkpoint?.frame ?? Frame(number: 0, time: 0, dt: 0) }
}

extension Frame {
  /// Whether it is the same frame of the same run.
  func isSame(as other: Frame) -> Bool { number == other.number && time == other.time }
}

import FakeCoordinator
import MotionCore
import MotionModel
import MotionWire

/// The last minutes of a daemon that was killed once, in three segments; the first stretch is of a run before it.
struct SampleHistory: Sendable {
  /// The wall clock at the beginning: 01:58:00 of a day.
  static let wallTime: Int64 = 1_800_000_000_000_000_000 / 86_400_000_000_000 * 86_400_000_000_000 + 7_080_000_000_000

  private(set) var segments: [HistorySegment] = []
  private(set) var files: [UInt64: [UInt8]] = [:]
  /// The state after each frame of the newest stretch.
  private(set) var states: [UInt64: [PropertyRow]] = [:]
  /// The clocks when everything has been at rest for ten minutes.
  private(set) var now = Moment(time: 0, wallTime: 0)

  /// A spring to 100, in the second second one to 0, then rest.
  init() throws {
    let runtime = Runtime(ratePerSecond: 100)
    runtime.log.keeps = .events
    var recorder = FrameRecorder()
    var (frames, snapshots): ([RecordedFrame], [UInt64: RuntimeSnapshot]) = ([], [:])
    for number in 1...400 {
      if number == 150 || number == 250 {
        var transaction = Transaction()
        transaction.add(.springTo("x", number == 150 ? 100 : 0), to: "ball")
        try runtime.commit(transaction)
      }
      runtime.advance()
      for record in runtime.log.take() {
        guard var frame = recorder.record(record) else { continue }
        frame.hash = 0
        frame.clocks = Self.clocks(after: frame.frame)
        frames.append(frame)
      }
      states[runtime.frame.number] = runtime.currentProperties
      snapshots[runtime.frame.number] = runtime.snapshot()
    }
    add(frames, 1...100, nil)
    add(frames, 121...220, snapshots[120])
    // After a kill.
    add(frames, 201...300, snapshots[200])
    add(frames, 301...400, snapshots[300])
    let last = runtime.frame.time
    now = Moment(time: last + 600, wallTime: Self.wallTime + Int64((last + 600) * 1e9))
  }

  private static func clocks(after frame: Frame) -> MachineClocks {
    let passed = Int64((frame.time * 1e9).rounded())
    return MachineClocks(wallTime: wallTime + passed, bootTime: passed)
  }

  private mutating func add(_ frames: [RecordedFrame], _ numbers: ClosedRange<Int>, _ snapshot: RuntimeSnapshot?) {
    var header = RecordingHeader(ratePerSecond: 100, plugins: [])
    header.snapshot = snapshot
    let before = snapshot?.frame ?? Frame(number: 0, time: 0, dt: 0)
    var encoder = RecordingEncoder(header, at: Self.clocks(after: before).wallTime)
    for number in numbers { encoder.add(frames[number - 1]) }
    encoder.flush()
    let (number, bytes) = (UInt64(segments.count + 7), encoder.take())
    let last = frames[numbers.upperBound - 1].frame
    files[number] = bytes
    segments.append(
      HistorySegment(
        number: number, bytes: UInt64(bytes.count), from: .init(before, Self.clocks(after: before)),
        to: .init(last, Self.clocks(after: last))))
  }

  /// The answer to a request about it; parts have 1,000 bytes.
  func answer(_ envelope: Envelope) -> Envelope.Body? {
    switch envelope.body {
    case .historyRequest(.segments): return .history(.segments(HistoryListing(segments)))
    case .historyRequest(.part(let number, let offset)):
      guard let bytes = files[number] else {
        return .refusal(Refusal(.notFound, "the history has no segment \(number) any more"))
      }
      return .history(.part(Array(bytes.dropFirst(Int(clamping: offset)).prefix(1_000))))
    case .historyRequest(.erase): return .done(ClockState())
    default: return Samples.handler(envelope)
    }
  }
}

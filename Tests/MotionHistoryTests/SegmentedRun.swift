import MotionCore
import MotionHistory
import MotionModel
import MotionTestKit
import MotionWire

/// A run whose frames are known, and segments of it as a daemon keeps them.
final class SegmentedRun {
  private static let types = BuiltInIntentions.all.filter {
    ["SpringTo", "AnchoredSpring", "MoveTo", "Friction", "ConstantForce"].contains($0.type.text)
  }

  private(set) var frames: [RecordedFrame] = []
  /// The states after each frame, from before the first on.
  private(set) var states: [[PropertyRow]] = [[]]
  private var snapshots: [RuntimeSnapshot?]
  private let firstNumber: UInt64

  /// Runs frames; the machine's wall clock shows `wallTime` plus a hundredth of a second for each.
  init(frames count: Int, _ random: inout SeededRandom, wallTime: Int64 = 1_000_000_000_000) {
    let plans = RandomPlans(on: ["a", "b"], names: ["a"], types: Self.types, delaying: true)
    let runtime = Runtime(ratePerSecond: 100)
    runtime.log.keeps = .events
    var recorder = FrameRecorder()
    firstNumber = 1
    snapshots = [runtime.snapshot()]
    for number in 1...count {
      if random.chance(0.2) { _ = try? runtime.commit(plans.transaction(&random)) }
      runtime.advance()
      for record in runtime.log.take() {
        guard var frame = recorder.record(record) else { continue }
        frame.hash = 0
        frame.clocks = Self.clocks(number, wallTime)
        frames.append(frame)
      }
      states.append(runtime.currentProperties)
      snapshots.append(runtime.snapshot())
    }
  }

  private static func clocks(_ number: Int, _ wallTime: Int64) -> MachineClocks {
    MachineClocks(wallTime: wallTime + Int64(number) * 10_000_000, bootTime: Int64(number) * 10_000_000)
  }

  /// A segment and the bytes of its file.
  struct Segment {
    var entry: HistorySegment
    var bytes: [UInt8]
  }

  /// Whether a segment can begin after a frame.
  func canBegin(after number: Int) -> Bool { snapshots[number] != nil }

  /// The place after a frame.
  func place(_ number: Int) -> HistorySegment.Place {
    guard number > 0 else {
      var clocks = frames[0].clocks ?? MachineClocks(wallTime: 0, bootTime: 0)
      clocks.wallTime -= 10_000_000
      return .init(Frame(number: 0, time: 0, dt: 0), clocks)
    }
    return .init(frames[number - 1].frame, frames[number - 1].clocks ?? MachineClocks(wallTime: 0, bootTime: 0))
  }

  /// A segment of the frames from one on through another.
  ///
  /// - Parameters:
  ///   - asCheckpoint: whether it begins with a checkpoint.
  ///   - isEnded: whether its file has an end.
  func segment(
    _ number: UInt64, after begin: Int, through end: Int, asCheckpoint: Bool = false, isEnded: Bool = true,
    _ random: inout SeededRandom
  ) -> Segment {
    var header = RecordingHeader(ratePerSecond: 100, plugins: [])
    if asCheckpoint { header.checkpoint = snapshots[begin]?.checkpoint } else { header.snapshot = snapshots[begin] }
    let first = place(begin)
    var encoder = RecordingEncoder(header, at: first.clocks.wallTime, chunkBytes: 2_048)
    for number in begin..<end {
      encoder.add(frames[number])
      if random.chance(0.05), let snapshot = snapshots[number + 1] { encoder.add(snapshot, at: frames[number].clocks) }
    }
    if isEnded { encoder.finish() } else { encoder.flush() }
    let bytes = encoder.take()
    return Segment(
      entry: HistorySegment(number: number, bytes: UInt64(bytes.count), from: first, to: place(end)), bytes: bytes)
  }

  /// The run in segments of random lengths, some of which begin again before the last frame of the one before.
  func cut(_ random: inout SeededRandom, from number: UInt64 = 1) -> [Segment] {
    var (segments, begin, end): ([Segment], Int, Int) = ([], 0, 0)
    repeat {
      end = min(frames.count, end + Int.random(in: 0...60, using: &random))
      segments.append(
        segment(number + UInt64(segments.count), after: begin, through: end, isEnded: random.chance(0.5), &random))
      let earliest = random.chance(0.3) ? begin : end
      begin = (earliest...end).filter { canBegin(after: $0) }.randomElement(using: &random) ?? begin
    } while end < frames.count
    return segments
  }
}

extension HistoryReader {
  /// A reader of these segments, which fetches them in parts of random sizes.
  convenience init(
    _ segments: [SegmentedRun.Segment], now: Moment? = nil, problem: String = "", seed: UInt64 = 1,
    asked: @escaping (UInt64) -> Void = { _ in }
  ) {
    var random = SeededRandom(seed: seed)
    self.init(HistoryListing(segments.map(\.entry), problem: problem), now: now) { number, offset in
      asked(number)
      let bytes = segments.first { $0.entry.number == number }?.bytes ?? []
      guard offset < UInt64(bytes.count) else { return [] }
      return Array(bytes[Int(offset)...].prefix(Int.random(in: 1...4_000, using: &random)))
    }
  }
}

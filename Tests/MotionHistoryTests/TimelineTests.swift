import Foundation
import MotionCore
import MotionHistory
import MotionModel
import MotionTestKit
import MotionWire
import Testing

/// Going to any place of a recording. Random tests print their seed.
struct TimelineTests {
  private static let types = BuiltInIntentions.all.filter {
    ["SpringTo", "AnchoredSpring", "MoveTo", "Friction", "ConstantForce"].contains($0.type.text)
  }

  /// A recording in a file of its own, and the states after each of its frames.
  private final class Recorded {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("timeline-\(UUID().uuidString).mcap").path
    private(set) var states: [UInt64: [PropertyRow]] = [:]

    init(
      frames: Int, _ random: inout SeededRandom, cutOff: Int = 0, isDamaged: Bool = false, setsClock: Bool = false
    ) throws {
      let plans = RandomPlans(on: ["a", "b"], names: ["a"], types: TimelineTests.types, delaying: true)
      let runtime = Runtime(ratePerSecond: 100)
      runtime.log.keeps = .events
      runtime.computesHashes = true
      var recorder = FrameRecorder()
      var encoder = RecordingEncoder(
        RecordingHeader(ratePerSecond: 100, plugins: []), at: 1_000_000_000, chunkBytes: 4_096)
      var (written, middle): ([UInt8], Int) = ([], 0)
      var clock: Int64 = 1_000_000_000_000
      for number in 1...frames {
        if number == frames / 2 { middle = written.count }
        written += encoder.take()
        if random.chance(0.2) { _ = try? runtime.commit(plans.transaction(&random)) }
        runtime.advance()
        for record in runtime.log.take() {
          guard var frame = recorder.record(record) else { continue }
          clock += 1_000_000_000
          if setsClock, random.chance(0.01) {
            clock += Int64.random(in: -20_000_000_000...20_000_000_000, using: &random)
          }
          frame.clocks = MachineClocks(wallTime: clock, bootTime: Int64(number))
          encoder.add(frame)
          if random.chance(0.03), let snapshot = runtime.snapshot() { encoder.add(snapshot, at: frame.clocks) }
        }
        states[runtime.frame.number] = runtime.currentProperties
      }
      if cutOff == 0 { encoder.finish() } else { encoder.flush() }
      var bytes = (written + encoder.take()).dropLast(cutOff)
      // Within the frames: the descriptions of messages, before and behind them, are not read.
      if isDamaged { bytes[middle + 500] ^= 0xFF }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  // Clauses: S11.35
  @Test(arguments: [true, false]) func `a wall time at which time stood is told from one of a frame`(moves: Bool) throws
  {
    let runtime = Runtime(ratePerSecond: 100)
    runtime.log.keeps = .events
    var recorder = FrameRecorder()
    var encoder = RecordingEncoder(RecordingHeader(ratePerSecond: 100, plugins: []), at: 0)
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1, .physical(tension: 10, friction: 0)), to: "ball")
    if moves { try runtime.commit(transaction) }
    for number in 1...20 as ClosedRange<Int64> {
      runtime.advance()
      for record in runtime.log.take() {
        guard var frame = recorder.record(record) else { continue }
        // The clock is at 1000.1 s in frame 10, and at 1005.11 s in the next.
        let wallTime = 1_000_000_000_000 + number * 10_000_000 + (number > 10 ? 5_000_000_000 : 0)
        frame.clocks = MachineClocks(wallTime: wallTime, bootTime: wallTime - 7)
        encoder.add(frame)
      }
    }
    encoder.finish()
    let timeline = try Timeline(.bytes(encoder.take(), named: "part"))
    var pauses: [UInt64: Duration] = [:]
    while let played = try timeline.next() { pauses[played.recorded.frame.number] = timeline.pause }
    #expect(pauses == (moves ? [11: .milliseconds(5010)] : [:]))
    let moments: [(second: Double, frame: UInt64, stands: Bool)] = [
      (1_000.055, 5, false), (1_000.5, 10, false), (1_003, 10, true), (1_005.155, 15, false),
    ]
    for (second, frame, stands) in moments {
      try timeline.seek(to: .wall(second, day: 0), .before)
      #expect(timeline.runtime.frame.number == frame, "\(second)")
      #expect(timeline.stands(at: .wall(second, day: 0)) == (stands && moves), "\(second)")
      #expect(!timeline.stands(at: .frame(frame)))
    }
  }

  // Clauses: S11.35
  @Test func `any place has the state of the run, whatever the way to it`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "timeline"))
    for _ in 0..<SeededRandom.rounds(5) {
      let recorded = try Recorded(frames: 300, &random)
      let timeline = try Timeline(recorded.path)
      if random.chance(0.5) { try #expect(timeline.times.frames.count == 300 && timeline.damage == nil) }
      #expect(timeline.runtime.frame.number == 0 && timeline.clocks == nil)
      for _ in 0..<12 {
        let number = UInt64.random(in: 1...300, using: &random)
        try timeline.seek(to: number)
        #expect(timeline.runtime.frame.number == number)
        #expect(timeline.runtime.currentProperties == recorded.states[number])
        #expect(timeline.clocks?.bootTime == Int64(number))
        if let played = try timeline.next() {
          #expect(played.difference == nil && timeline.runtime.currentProperties == recorded.states[number + 1])
        }
      }
      try timeline.seek(to: 0)
      #expect(timeline.runtime.frame.number == 0 && timeline.recorded == nil)
      try timeline.seek(to: 1_000)
      #expect(timeline.runtime.frame.number == 300, "there is no later one")
      #expect(try timeline.next() == nil)
    }
  }

  // Clauses: S11.34, S11.35
  @Test func `a moment between two frames is the earlier one, and the end is the last`() throws {
    var random = SeededRandom(seed: 1)
    let recorded = try Recorded(frames: 50, &random)
    let timeline = try Timeline(recorded.path)
    for (moment, frame) in [
      (RecordedMoment.simulated(0.105), 10), (.simulated(0.1), 10), (.beforeEnd(0), 50), (.beforeEnd(0.1), 40),
      (.wall(1010.5, day: 0), 10), (.wall(1010, day: nil), 10), (.frame(7), 7), (.simulated(0), 0),
      (.simulated(0.005), 0),
    ] as [(RecordedMoment, UInt64)] {
      try timeline.seek(to: moment, .before)
      #expect(timeline.runtime.frame.number == frame, "\(moment)")
    }
    #expect(try timeline.frame(at: .simulated(0.105), .after) == 11)
    let error = try #require(throws: HistoryError.self) { try timeline.seek(to: .simulated(3), .before) }
    #expect(error.message.contains("does not contain 3 s") && error.remedy.contains("frames 1 to 50"), "\(error)")
    let interrupted = try #require(throws: HistoryError.self) { try Timeline(recorded.path) { true } }
    #expect(interrupted.isInterruption)
  }

  // Clauses: S11.46
  @Test func `by its index, a recording gives the same as when it is read as a whole`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "index"))
    for round in 0..<SeededRandom.rounds(6) {
      let recorded = try Recorded(frames: 250, &random, setsClock: round.isMultiple(of: 2))
      let (indexed, whole) = (try Timeline(recorded.path), try Timeline(recorded.path))
      try #expect(whole.times.frames.count == 250)
      func moment() -> RecordedMoment {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .frame(UInt64.random(in: 0...251, using: &random))
        case 1: .simulated(Double(Int.random(in: -1...520, using: &random)) / 200)
        case 2: .beforeEnd(Double(Int.random(in: 0...510, using: &random)) / 200)
        case 3: .wall(Double(Int.random(in: 1990...2520, using: &random)) / 2, day: 0)
        default: .wall(Double(Int.random(in: 1990...2520, using: &random)) / 2, day: nil)
        }
      }
      for _ in 0..<30 {
        let moment = moment()
        for side in [RecordedMoment.Side.before, .after] {
          // One that was read as a whole does not use its index again.
          let fresh = try Timeline(recorded.path)
          let found = Result { try fresh.frame(at: moment, side) }
          let expected = Result { try whole.frame(at: moment, side) }
          #expect("\(found)" == "\(expected)", "round \(round), \(moment) \(side)")
        }
        guard let number = try? whole.frame(at: moment, .before) else {
          #expect(throws: HistoryError.self) { try Timeline(recorded.path, at: moment, .before) }
          continue
        }
        let direct = try Timeline(recorded.path, at: moment, .before)
        #expect(direct.runtime.frame.number == number)
        #expect(direct.runtime.currentProperties == recorded.states[number] ?? [], "round \(round), \(moment)")
        if random.chance(0.3) {
          try #expect(direct.times.frames == whole.times.frames && direct.times.beginning?.number == 0)
          try direct.seek(to: 3)
          #expect(direct.runtime.currentProperties == recorded.states[3])
        }
        try indexed.seek(to: number)
        #expect(indexed.runtime.frame.number == number && (number == 0 || indexed.clocks?.bootTime == Int64(number)))
        #expect(indexed.runtime.currentProperties == recorded.states[number] ?? [], "round \(round), frame \(number)")
      }
    }
  }

  // Clauses: S11.46
  @Test func `damage elsewhere does not matter to a place that the index finds`() throws {
    var random = SeededRandom(seed: 2)
    let damaged = try Recorded(frames: 600, &random, isDamaged: true)
    let timeline = try Timeline(damaged.path)
    try timeline.seek(to: .frame(590), .before)
    #expect(timeline.runtime.currentProperties == damaged.states[590])
    try timeline.seek(to: .beforeEnd(0), .before)
    #expect(timeline.runtime.currentProperties == damaged.states[600])
    // The frames up to the next snapshot are lost.
    try #require(timeline.damage != nil)
    let last = try #require(try timeline.times.frames.last).number
    try timeline.seek(to: last)
    #expect(timeline.runtime.currentProperties == damaged.states[last])
    #expect(try timeline.next() == nil)
  }

  // Clauses: S11.35
  @Test func `of a damaged or truncated recording, the frames before can be reached`() throws {
    var random = SeededRandom(seed: 2)
    let damaged = try Recorded(frames: 300, &random, isDamaged: true)
    let timeline = try Timeline(damaged.path)
    let last = try #require(try timeline.times.frames.last).number
    #expect((1..<300).contains(last))
    #expect(try #require(try timeline.damage).message.hasPrefix(damaged.path))
    try timeline.seek(to: last / 2)
    #expect(timeline.runtime.currentProperties == damaged.states[last / 2])
    try timeline.seek(to: last)
    #expect(try timeline.next() == nil)
    // As it was read as a whole, what lies behind the damage is the damage.
    let error = try #require(throws: HistoryError.self) { try timeline.seek(to: .frame(300), .before) }
    try #expect(error == timeline.damage)

    random = SeededRandom(seed: 2)
    let cut = try Recorded(frames: 300, &random, cutOff: 3_000)
    let short = try Timeline(cut.path)
    try #expect(short.damage == nil && short.times.frames.count < 300)
    try short.seek(to: .beforeEnd(0), .before)
    #expect(short.runtime.currentProperties == cut.states[try #require(try short.times.frames.last).number])
    #expect(throws: HistoryError.self) { try Timeline("/dev/null") }
    #expect(throws: HistoryError.self) { try Timeline("/nowhere/show.mcap") }
  }
}

/// Recordings that begin in the midst of a run.
struct LateTimelineTests {
  // Clauses: S11.35, S11.38
  @Test func `before the first frame, and without one, the state is that of the beginning`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    var transaction = Transaction()
    transaction.add(.springTo("x", 10), to: "ball")
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    var header = RecordingHeader(ratePerSecond: 100, plugins: [])
    header.snapshot = runtime.snapshot()
    let began = runtime.frame
    for frames in [0, 3] {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("late-\(UUID().uuidString).mcap").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      var encoder = RecordingEncoder(header, at: 0)
      var recorder = FrameRecorder()
      let run = try Replayer(header).runtime
      run.log.keeps = .events
      // Nothing moved for two seconds.
      for _ in 0..<frames {
        run.advance(by: run.frame == began ? 2 : 0.01)
        for record in run.log.take() { if let frame = recorder.record(record) { encoder.add(frame) } }
      }
      encoder.finish()
      try Data(encoder.take()).write(to: URL(fileURLWithPath: path))
      let timeline = try Timeline(path)
      try timeline.seek(to: .simulated(began.time + 1), .before)
      #expect(timeline.runtime.frame.number == began.number)
      #expect(timeline.runtime.state(of: "x", on: "ball")?.value == 10)
      #expect(throws: HistoryError.self) { try timeline.seek(to: .simulated(began.time - 0.5), .before) }
      if frames == 0 { try timeline.seek(to: .beforeEnd(0), .before) }
    }
  }
}

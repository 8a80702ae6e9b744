import MotionCore
import MotionHistory
import MotionModel
import MotionTestKit
import Testing

/// Looking back by a daemon's segments. Random tests print their seed.
struct HistoryReaderTests {
  // Clauses: S11.40
  @Test func `segments cut in any way, also with a kill between them, replay as the run did`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "segments"))
    for round in 0..<SeededRandom.rounds(20) {
      let run = SegmentedRun(frames: 250, &random)
      let segments = run.cut(&random)
      let reader = HistoryReader(segments, seed: random.next())
      let part = try reader.part(from: nil, to: nil)
      #expect(part.before == 0 && part.last == 250 && !part.extent.isShort, "round \(round)")
      #expect(part.extent.successor == nil, "round \(round)")
      try #expect(part.timeline.times.frames.map(\.number) == Array(1...250), "round \(round)")
      try #expect(part.timeline.damage == nil)
      for number in 1...250 {
        let played = try #require(try part.timeline.next())
        #expect(played.recorded == run.frames[number - 1], "round \(round), frame \(number)")
        #expect(played.runtime.currentProperties == run.states[number], "round \(round), frame \(number)")
      }
      for _ in 0..<20 {
        let number = Int.random(in: 0...250, using: &random)
        var asked: Set<UInt64> = []
        let some = HistoryReader(segments, seed: random.next()) { asked.insert($0) }
        let timeline = try some.timeline(at: .frame(UInt64(number)))
        #expect(timeline.runtime.frame.number == UInt64(number), "round \(round)")
        #expect(timeline.runtime.currentProperties == run.states[number], "round \(round), frame \(number)")
        #expect(number == 0 || timeline.clocks == run.frames[number - 1].clocks, "round \(round), frame \(number)")
        #expect(asked.count == 1)
        // Between this frame and the next.
        let seconds = max(0, Double(250 - number) / 100 - 0.004)
        try #expect(
          reader.timeline(at: .beforeEnd(seconds)).runtime.currentProperties == run.states[number],
          "round \(round), frame \(number)")
        guard number > 0 else { continue }
        let wall = Double(run.frames[number - 1].clocks?.wallTime ?? 0) / 1e9 + 0.001
        if number < 250 {
          let there = try reader.timeline(at: .wall(wall, day: 0))
          #expect(there.runtime.frame.number == UInt64(number), "round \(round), frame \(number)")
        }
      }
    }
  }

  // Clauses: S11.40
  @Test func `a part has its frames and not many more, and is written as one recording`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "parts"))
    for round in 0..<SeededRandom.rounds(20) {
      let run = SegmentedRun(frames: 250, &random)
      let segments = run.cut(&random)
      let reader = HistoryReader(segments, seed: random.next())
      let (a, b) = (Int.random(in: 1...249, using: &random), Int.random(in: 1...249, using: &random))
      let (from, to) = (min(a, b), max(a, b) + 1)
      let time = { (number: Int) in RecordedMoment.simulated(run.frames[number - 1].frame.time) }
      let part = try reader.part(from: time(from), to: time(to))
      #expect(part.before == UInt64(from - 1) && part.last == UInt64(to), "round \(round)")
      try part.timeline.seek(to: part.before)
      #expect(part.timeline.runtime.currentProperties == run.states[from - 1], "round \(round)")
      var bytes: [UInt8] = []
      let extent = try reader.write(from: time(from), to: time(to)) {
        bytes = []
      } to: {
        bytes += $0
      }
      let written = try Timeline(.bytes(bytes, named: "part"))
      let times = try written.times
      #expect(times.frames.last?.number == UInt64(to) && extent.end.number == UInt64(to), "round \(round)")
      #expect(times.frames.count == extent.frames && times.frames[0].number <= UInt64(from))
      try written.seek(to: UInt64(to))
      #expect(written.runtime.currentProperties == run.states[to], "round \(round)")
    }
  }

  // Clauses: S11.41
  @Test func `a checkpoint, a gap or another run is a break, and the newest stretch is meant`() throws {
    var random = SeededRandom(seed: 3)
    let (old, new) = (
      SegmentedRun(frames: 100, &random), SegmentedRun(frames: 60, &random, wallTime: 1_003_000_000_000)
    )
    let begin = try #require((30..<60).first { old.canBegin(after: $0) })
    let cases: [(name: String, segments: [SegmentedRun.Segment], isOlder: Bool)] = [
      (
        "checkpoint",
        [
          old.segment(1, after: 0, through: begin, &random),
          old.segment(2, after: begin, through: 100, asCheckpoint: true, &random),
        ], true
      ),
      (
        "gap",
        [old.segment(1, after: 0, through: begin - 5, &random), old.segment(2, after: begin, through: 100, &random)],
        true
      ),
      (
        "another run",
        [old.segment(1, after: 0, through: 100, &random), new.segment(2, after: 0, through: 60, &random)], false
      ),
    ]
    for (name, segments, isOlder) in cases {
      let reader = HistoryReader(segments)
      let part = try reader.part(from: .beforeEnd(1_000), to: nil)
      let first = segments[1].entry.first.frame.number
      #expect(part.before == first && part.extent.isShort, "\(name)")
      #expect(part.extent.beginning == segments[1].entry.first, "\(name)")
      let error = try #require(throws: HistoryError.self) { try reader.timeline(at: .beforeEnd(1_000)) }
      let isGap = name == "gap"
      #expect(error.message.contains("reaches back only"), "\(name): \(error)")
      #expect(error.message.contains("began again") != isGap, "\(name): \(error)")
      // What only the older stretch has is found there.
      if isOlder {
        let timeline = try reader.timeline(at: .frame(20))
        #expect(timeline.runtime.currentProperties == old.states[20], "\(name)")
        let former = try reader.part(from: .simulated(0.1), to: nil)
        #expect(former.extent.successor == (isGap ? .gap : .run), "\(name)")
        #expect(former.last == segments[0].entry.last.frame.number, "\(name)")
        let between = try #require(throws: HistoryError.self) {
          try reader.part(from: .simulated(0.1), to: .simulated(0.9))
        }
        #expect(between.message.contains(isGap ? "nothing was kept" : "began again"), "\(name): \(between)")
        guard isGap else { continue }
        // The same run had it.
        let end = segments[1].entry.last.frame.time
        func recent(_ frame: Int) throws -> Timeline {
          try reader.timeline(at: .beforeEnd(end - segments[0].entry.first.frame.time - Double(frame) / 100 - 0.001))
        }
        try #expect(recent(20).runtime.frame.number == 20)
        let within = try #require(throws: HistoryError.self) { try recent(begin - 2) }
        #expect(within.message.contains("nothing was kept between"), "\(within)")
      } else {
        try #expect(reader.timeline(at: .frame(20)).runtime.currentProperties == new.states[20], "\(name)")
        try #expect(reader.timeline(at: .frame(80)).runtime.currentProperties == old.states[80], "\(name)")
      }
    }
    // Nothing is between the stretches, nor after them.
    let reader = HistoryReader(cases[1].segments)
    for moment in [RecordedMoment.frame(UInt64(begin - 2)), .frame(101), .simulated(50), .wall(5, day: 0)] {
      let error = try #require(throws: HistoryError.self, "\(moment)") { try reader.timeline(at: moment) }
      #expect(error.message.contains("does not contain"), "\(error)")
    }
    let empty = try #require(throws: HistoryError.self) {
      try HistoryReader(HistoryListing([]), now: nil) { _, _ in [] }.timeline(at: .frame(1))
    }
    #expect(empty.message.contains("has nothing yet"))
  }

  // Clauses: S11.41
  @Test func `a wall time that two stretches or segments show is refused with the frames`() throws {
    var random = SeededRandom(seed: 4)
    let (old, new) = (
      SegmentedRun(frames: 100, &random), SegmentedRun(frames: 100, &random, wallTime: 1_000_500_000_000)
    )
    let reader = HistoryReader([
      old.segment(1, after: 0, through: 100, &random), new.segment(2, after: 0, through: 100, &random),
    ])
    let error = try #require(throws: HistoryError.self) { try reader.timeline(at: .wall(1_000.755, day: 0)) }
    #expect(error.message.contains("frame 76 at") && error.message.contains("frame 26 at"), "\(error)")
    try #expect(reader.timeline(at: .wall(1_000.255, day: 0)).runtime.currentProperties == old.states[25])
    try #expect(reader.timeline(at: .wall(1_001.255, day: nil)).runtime.currentProperties == new.states[75])
  }

  // Clauses: S11.42
  @Test func `after the last frame, until now, the state is that after it`() throws {
    var random = SeededRandom(seed: 5)
    let run = SegmentedRun(frames: 100, &random)
    let segments = run.cut(&random)
    let reader = HistoryReader(segments, now: Moment(time: 61, wallTime: 1_061_000_000_000))
    for moment in [RecordedMoment.simulated(60), .wall(1_050, day: 0), .wall(1_050, day: nil)] {
      let timeline = try reader.timeline(at: moment)
      #expect(timeline.runtime.frame.number == 100 && timeline.runtime.currentProperties == run.states[100])
      let part = try reader.part(from: .simulated(0.905), to: moment)
      #expect(part.before == 90 && part.last == 100)
      let nothing = try reader.part(from: moment, to: nil)
      #expect(nothing.before == 100 && nothing.last == 100)
    }
    for moment in [RecordedMoment.simulated(62), .wall(1_062, day: 0), .frame(101)] {
      #expect(throws: HistoryError.self, "\(moment)") { try reader.timeline(at: moment) }
    }
  }

  // Clauses: S11.42
  @Test func `of the time after a history that is not kept any more, nothing is told`() throws {
    var random = SeededRandom(seed: 6)
    let run = SegmentedRun(frames: 100, &random)
    let now = Moment(time: 61, wallTime: 1_061_000_000_000)
    let reader = HistoryReader(run.cut(&random), now: now, problem: "the disk is full")
    for moment in [RecordedMoment.simulated(60), .wall(1_050, day: 0), .wall(1_050, day: nil)] {
      let error = try #require(throws: HistoryError.self, "\(moment)") { try reader.timeline(at: moment) }
      #expect(error.message.contains("does not contain"), "\(error)")
    }
    try #expect(reader.timeline(at: .frame(100)).runtime.currentProperties == run.states[100])
    let empty = try #require(throws: HistoryError.self) {
      try HistoryReader(HistoryListing([], problem: "the disk is full"), now: now) { _, _ in [] }
        .timeline(at: .frame(1))
    }
    #expect(empty.message.contains("is not kept: the disk is full"))
  }

  // Clauses: S11.40
  @Test func `cut off and damaged segments never trap, and are read up to there`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "damaged segments"))
    for round in 0..<SeededRandom.rounds(60) {
      let run = SegmentedRun(frames: 120, &random)
      var segments = run.cut(&random)
      let index = Int.random(in: segments.indices, using: &random)
      let count = segments[index].bytes.count
      if random.chance(0.5) {
        segments[index].bytes.removeLast(Int.random(in: 1...count, using: &random))
      } else {
        for _ in 0..<3 {
          segments[index].bytes[Int.random(in: 0..<count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
      let reader = HistoryReader(segments, seed: random.next())
      for moment in [RecordedMoment.beforeEnd(0), .beforeEnd(0.5), .frame(60), .wall(1_000.605, day: 0)] {
        guard let timeline = try? reader.timeline(at: moment) else { continue }
        #expect(timeline.runtime.currentProperties == run.states[Int(timeline.runtime.frame.number)], "round \(round)")
      }
      guard let part = try? reader.part(from: nil, to: nil) else { continue }
      try? part.timeline.seek(to: part.last)
      #expect(
        part.timeline.runtime.currentProperties == run.states[Int(part.timeline.runtime.frame.number)], "round \(round)"
      )
    }
    // Lists that no daemon has.
    let place = { (number: UInt64, time: Double) in
      HistorySegment.Place(Frame(number: number, time: time, dt: 0), MachineClocks(wallTime: .min, bootTime: .max))
    }
    let odd = [
      HistorySegment(number: 1, bytes: .max, from: place(0, .nan), to: place(.max, .infinity)),
      HistorySegment(number: 2, bytes: .max, from: place(0, 0), to: place(.max - 1, 1)),
      HistorySegment(number: 2, bytes: 0, from: place(5, 0), to: place(1, 1)),
      HistorySegment(number: 3, bytes: 3, from: place(7, 0.5), to: place(7, 0.5)),
    ]
    let reader = HistoryReader(HistoryListing(odd), now: Moment(time: .infinity, wallTime: .max)) { _, _ in [1, 2, 3] }
    for moment in [RecordedMoment.frame(3), .frame(.max), .simulated(0.7), .beforeEnd(1), .wall(1, day: nil)] {
      #expect(throws: (any Error).self) { try reader.timeline(at: moment) }
      #expect(throws: (any Error).self) { try reader.part(from: moment, to: nil) }
    }
  }
}

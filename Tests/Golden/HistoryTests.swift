import FakeCoordinator
import Foundation
import Glibc
import MotionCore
import MotionHistory
import MotionModel
import MotionWire
import Synchronization
import Testing

/// The commands that look back into a daemon's last minutes.
@Suite(.timeLimit(.minutes(2))) struct HistoryTests {
  private let history: SampleHistory
  private let coordinator: FakeCoordinator

  init() throws {
    let history = try SampleHistory()
    self.history = history
    coordinator = try FakeCoordinator(moment: history.now) { history.answer($0) }
  }

  private func run(_ words: String, input: String? = nil) throws -> Program.Run {
    try Program.run(
      words.split(separator: " ").map(String.init), runtimeDirectory: coordinator.paths.directory, input: input)
  }

  // Clauses: S11.43
  @Test func `lists, why, graph and describe answer from a moment of the last minutes`() throws {
    defer { coordinator.stop() }
    for (moment, frame) in [
      ("--frame 170", 170), ("--at 1.705s", 170), ("--at -2.295s", 170), ("--at 01:58:01.705", 170), ("--at -0s", 400),
      ("--at 300s", 400), ("--at 02:03", 400), ("--frame 210", 210), ("--frame 50", 50), ("--at -3.495s", 50),
    ] {
      let list = try run("list properties \(moment)")
      #expect(list.status == 0 && list.errors.contains("the history at frame \(frame)"), "\(moment): \(list.errors)")
      guard frame > 150 else { continue }
      let why = try run("why ball.x \(moment) --json")
      #expect(why.status == 0 && why.output.contains("\"frame\":\(frame),"), "\(moment): \(why.output) \(why.errors)")
      let value = history.states[UInt64(frame)]?.first?.state.value[0] ?? .nan
      #expect(why.output.contains("\(JSONText.number(value))"), "\(moment): \(why.output)")
    }
    #expect(try run("graph ball --frame 170").output.contains("SpringTo"))
    #expect(try run("describe SpringTo --at -1s").output.contains("SpringTo"))
    for (words, status, problem) in [
      ("list properties --at -5s", 1, "reaches back only 4 s"),
      ("list properties --at -2.9s", 1, "nothing was kept between frame 100, 1 s"),
      ("list properties --frame 110", 1, "does not contain frame 110"),
      ("list properties --at 03:00", 1, "does not contain 03:00:00 UTC"),
      ("list clients --at -1s", 2, "does not contain that"), ("list waiting --at -1s", 2, "none that waits"),
      ("why ball.y --frame 300", 4, "It has x."),
      ("why zz.q --frame 300", 4, "motionctl list targets --frame 300"),
      ("list properties --at -1s --frame 3", 2, "name one moment"),
    ] as [(String, Int32, String)] {
      let run = try run(words)
      #expect(run.status == status && run.errors.contains(problem), "\(words): \(run.status) \(run.errors)")
    }
  }

  // Clauses: S11.43
  @Test func `a part of the last minutes is listed, drawn, played and forked`() throws {
    defer { coordinator.stop() }
    let events = try run("list events --last 2.6s")
    #expect(events.status == 0 && events.output.split(separator: "\n").count >= 5, "\(events.output) \(events.errors)")
    #expect(events.output.contains("SpringTo") && !events.errors.contains("note"), "\(events.errors)")
    #expect(try run("list events ball --from 01:58:02 --json").output.contains("\"frame\":250"))
    let long = try run("list events --last 5min")
    #expect(long.errors.contains("note: the history reaches back only to 1.200 s"), "\(long.errors)")
    #expect(try run("list events").status == 2)
    let former = try run("list events --from 0.5s")
    #expect(
      former.errors.contains("after this part, which ends with frame 100, nothing was kept"), "\(former.errors)")
    let draw = try run("draw ball --last 2.6s --json")
    #expect(draw.status == 0 && draw.output.contains("\"handOvers\""), "\(draw.errors)")
    let moment = try run("draw ball --at 2.2s --json")
    #expect(moment.status == 0 && moment.output.contains("\"handOvers\""), "\(moment.output) \(moment.errors)")
    #expect(try run("draw ball --at 2.2s --last 1s").errors.contains("--at names a part by itself"))
    #expect(try run("graph ball --last 1s").errors.contains("name it with --at"))
    let replay = try run("replay --last 0.995s")
    #expect(
      replay.status == 0 && replay.output.contains("100 frames") && replay.output.contains("no bits"),
      "\(replay.output)")
    let played = try run("replay --last 0.995s --speed 100")
    #expect(played.status == 0 && played.output.split(separator: "\n").count > 50, "\(played.errors)")
    #expect(try run("replay").errors.contains("--last 30s"))
    let partly = try run("replay --last 0.995s --speed 100 --target ball --target nope")
    #expect(partly.status == 0 && partly.errors.contains("note: nope had no value in this part"), "\(partly.errors)")
    let silent = try run("replay --last 0.995s --speed 100 --target nope")
    #expect(silent.status == 1 && silent.errors.contains("nothing to play"), "\(silent.errors)")
    let fork = try run("fork --at -2s --without 2")
    #expect(fork.status == 0 && fork.output.contains("ball/x"), "\(fork.output) \(fork.errors)")
    #expect(try run("fork --at -1s --without 9").errors.contains("contains no transaction 9"))
  }

  // Clauses: S11.44
  @Test func `the last minutes are written as one recording, for the owner only`() throws {
    defer { coordinator.stop() }
    let path = coordinator.paths.directory + "/show.mcap"
    let record = try run("record --last 2.5s \(path)")
    #expect(
      record.status == 0 && record.output.contains("280 frames, 2.8 s, from 1.200 s"),
      "\(record.output) \(record.errors)")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let timeline = try Timeline(path)
    try #expect(timeline.times.frames.map(\.number) == Array(121...400))
    for number in [150, 205, 260, 400] as [UInt64] {
      try timeline.seek(to: number)
      #expect(timeline.runtime.currentProperties == history.states[number], "frame \(number)")
    }
    #expect(try run("replay \(path)").output.contains("280 frames"))
    let again = try run("record --last 5min \(path)")
    #expect(again.status == 0 && again.errors.contains("reaches back only to 1.200 s"), "\(again.errors)")
    let part = try run("record --from 1.3s --to 2.1s \(path) --json")
    #expect(part.output.contains("\"frame\":210"), "\(part.output) \(part.errors)")
    #expect(try run("record --last 5min /tmp").status == 1)
    #expect(try run("record \(path)").errors.contains("--last 5min"))
    #expect(try run("record --last 5min -").output.contains("motiond/frames"))
    for words in [["record", "--last", "5min", ""], ["record", "start", ""], ["record", "start", "-"]] {
      let run = try Program.run(words, runtimeDirectory: coordinator.paths.directory)
      #expect(run.status == 2 && run.errors.contains("name"), "\(words): \(run.errors)")
    }
    for words in ["replay -", "diff - \(path)", "list targets --recording -"] {
      #expect(try run(words).errors.contains("is not read from standard input"))
    }
  }

  @Test func `nothing is beside a recording while it is written`() throws {
    coordinator.stop()
    let history = history
    let folder = Mutex<String?>(nil)
    let places = Mutex<[[String]]>([])
    let coordinator = try FakeCoordinator(moment: history.now) { envelope in
      if case .historyRequest(.part) = envelope.body, let folder = folder.withLock({ $0 }) {
        places.withLock { $0.append((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []) }
      }
      return history.answer(envelope)
    }
    defer { coordinator.stop() }
    let output = coordinator.paths.directory + "/out"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    folder.withLock { $0 = output }
    let record = try Program.run(
      ["record", "--last", "2.5s", output + "/show.mcap"], runtimeDirectory: coordinator.paths.directory)
    #expect(record.status == 0, "\(record.errors)")
    let seen = places.withLock { $0 }
    #expect(seen.count > 10 && seen.allSatisfy(\.isEmpty), "\(seen)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: output) == ["show.mcap"])
  }

  // Clauses: S11.43, S11.45
  @Test func `a daemon without a history is told how to keep one, and forget erases it`() throws {
    let erased = try run("forget --history")
    #expect(erased.status == 0 && erased.output.contains("Erased the history"), "\(erased.errors)")
    #expect(coordinator.requests.contains { $0.body == .historyRequest(.erase) })
    #expect(try run("forget --history ball").status == 2)
    coordinator.stop()
    let without = try FakeCoordinator { envelope in
      guard case .historyRequest = envelope.body else { return Samples.handler(envelope) }
      return .refusal(Refusal(.notFound, "motiond keeps no history"))
    }
    defer { without.stop() }
    for words in [
      "why ball.x --at -1s", "list events --last 5min", "record --last 5min /dev/null", "forget --history",
      "fork --at -1s", "replay --last 0.995s", "draw --last 1s",
    ] {
      let run = try Program.run(words.split(separator: " ").map(String.init), runtimeDirectory: without.paths.directory)
      #expect(run.status == 4 && run.errors.contains("keeps no history"), "\(words): \(run.errors)")
      #expect(
        run.errors.contains("history: 10min") && run.errors.contains("--history 10min"), "\(words): \(run.errors)")
    }
  }

  // Clauses: S11.43
  @Test func `a segment that was dropped meanwhile is not asked for again`() throws {
    coordinator.stop()
    let history = history
    let asked = Mutex(0)
    let dropping = try FakeCoordinator(moment: history.now) { envelope in
      // The first list still has the oldest segments.
      let isFirst = asked.withLock { asked in
        if case .historyRequest(.segments) = envelope.body { asked += 1 }
        return asked < 2
      }
      switch envelope.body {
      case .historyRequest(.segments) where !isFirst:
        return .history(.segments(HistoryListing(Array(history.segments.dropFirst(3)))))
      case .historyRequest(.part(let number, _)) where number < 10:
        return .refusal(Refusal(.notFound, "it was dropped"))
      default: return history.answer(envelope)
      }
    }
    defer { dropping.stop() }
    let run = try Program.run(["list", "events", "--last", "5min"], runtimeDirectory: dropping.paths.directory)
    #expect(run.status == 0 && run.errors.contains("reaches back only to 3.000 s"), "\(run.errors)")
  }

  // Clauses: S29.13
  @Test func `the shell goes to a moment of the last minutes without a recording`() throws {
    defer { coordinator.stop() }
    let run = try run(
      "shell",
      input:
        "at -2.295s\nwhy ball.x --json\nlist properties --at -0.995s\nat frame:210\ngraph ball\nlist events --last 1s\nat now\nlist targets\n"
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("at the history at frame 170") && run.output.contains("\"frame\":170,"), "\(run.output)")
    #expect(run.errors.contains("the history at frame 300") && run.errors.contains("the history at frame 210"))
    #expect(run.output.contains("at the present of the daemon") && run.output.contains("room-3.wall"))
  }
}

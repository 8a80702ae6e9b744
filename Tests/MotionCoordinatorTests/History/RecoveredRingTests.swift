import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator

@Suite struct RecoveredRingTests {
  private let files: TemporaryFolder
  private let folder: RingFolder

  init() throws {
    files = try TemporaryFolder()
    folder = RingFolder(at: "\(files.path)/ring")
    try folder.make()
  }

  private func mark(
    epoch: UInt64 = 3, boot: String = "b", last: UInt64 = 0, waiting: Set<UInt64> = [], alone: Bool = true
  )
    -> RingFile.Mark
  {
    RingFile.Mark(epoch: epoch, boot: boot, lastSequence: last, waiting: waiting, isAlone: alone)
  }

  /// A run of a swing: its header, and its frames.
  private func run(_ frames: Int, from runtime: Runtime = Runtime()) throws -> (RecordingHeader, [RecordedFrame]) {
    var header = RecordingHeader(ratePerSecond: 120, plugins: [])
    header.snapshot = runtime.isPristine ? nil : runtime.snapshot()
    runtime.log.keeps = .events
    if runtime.isPristine {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 5, .physical(tension: 40, friction: 0)), to: "ball")
      try runtime.commit(transaction)
    }
    var recorder = FrameRecorder()
    var recorded: [RecordedFrame] = []
    for _ in 0..<frames {
      runtime.advance()
      recorded += runtime.log.take().compactMap { recorder.record($0) }
    }
    return (header, recorded)
  }

  private func write(_ number: UInt64, _ header: RecordingHeader, _ mark: RingFile.Mark?, _ frames: [RecordedFrame])
    throws
  {
    var bytes = RingFile.beginning(EncodedHeader(header), at: 1)
    if let mark { bytes += RingFile.bytes(of: mark) }
    for frame in frames { bytes += RingFile.bytes(of: frame) }
    try folder.make(number, bytes)
  }

  /// The frames of a segment of the history, as far as it is on the disk.
  private func numbers(inSegment number: UInt64) throws -> [UInt64] {
    var (reader, numbers) = (RecordingReader(), [UInt64]())
    reader.append(try FileBytes.read("\(files.path)/history/\(number).mcap", limit: 1 << 20))
    reader.finish()
    while true {
      switch try reader.next() {
      case .frame(let frame): numbers.append(frame.frame.number)
      case .needsBytes: return numbers
      case .header, .snapshot: break
      }
    }
  }

  private func recovered() throws -> RecoveredRing? { try RecoveredRing(folder.files, ofStart: 3, boot: "b") }

  private func replayed(_ ring: RecoveredRing?) throws -> Runtime {
    let runtime = Runtime()
    try #require(ring).replay(in: runtime)
    return runtime
  }

  // Clauses: S11.52
  @Test func `the last frame is restored from the newest file and the one before it`() throws {
    let runtime = Runtime()
    let (first, early) = try run(10, from: runtime)
    // The snapshot is that of frame 10, and the file is in use from frame 15 on.
    let (second, later) = try run(20, from: runtime)
    try write(1, first, mark(), early + later.prefix(5))
    try write(2, second, mark(alone: false), Array(later.dropFirst(5)))
    let again = try replayed(try recovered())
    #expect(again.frame == runtime.frame)
    #expect(again.snapshot() == runtime.snapshot())
    // A file that the loop has not begun to use is not there.
    try write(3, second, nil, [])
    #expect(try replayed(try recovered()).frame == runtime.frame)
    // Without the file before it, frames are missing.
    folder.remove([1, 3])
    #expect(throws: Refusal.self) { try replayed(try recovered()) }
  }

  // Clauses: S11.52
  @Test func `events after the last frame, and what waits, are restored`() throws {
    let runtime = Runtime()
    let (header, frames) = try run(10, from: runtime)
    let stop = RecordedFrame(frame: runtime.frame, betweenFrames: [.stop(StopRequest([]))], events: [], hash: 0)
    try write(1, header, mark(last: 7, waiting: [4, 6]), frames + [stop])
    let ring = try #require(try recovered())
    #expect(ring.frames.count == 10 && ring.trailing?.betweenFrames == stop.betweenFrames)
    runtime.applyNow(.stop(StopRequest([])))
    #expect(try replayed(ring).currentProperties.map(\.state) == runtime.currentProperties.map(\.state))
    #expect((1...9).filter { ring.isWaiting($0) } == [4, 6, 8, 9], "1 was applied in the frames, others before")
  }

  // Clauses: S11.7, S11.52
  @Test func `a stop of everything has withdrawn what waited, also where the journal lacks the stop`() throws {
    let (header, frames) = try run(10)
    let stop = RecordedFrame(frame: frames[9].frame, betweenFrames: [.stop(StopRequest([]))], events: [], hash: 0)
    let bytes =
      RingFile.beginning(EncodedHeader(header), at: 1) + RingFile.bytes(of: mark(last: 7, waiting: [4, 6]))
      + frames.flatMap { RingFile.bytes(of: $0) } + RingFile.bytes(of: stop)
      + RingFile.bytes(of: mark(last: 8, waiting: [8], alone: false))
    try folder.make(1, bytes)
    let ring = try #require(try recovered())
    #expect(ring.frames.count == 10 && ring.trailing != nil)
    #expect((1...10).filter { ring.isWaiting($0) } == [8, 9, 10], "8 had not reached the disk, later ones followed")
  }

  // Clauses: S11.52
  @Test func `a stop of everything has withdrawn what waited for a later time, also if that has come since`() throws {
    let runtime = Runtime()
    let (header, frames) = try run(10, from: runtime)
    try write(1, header, mark(last: 1), frames)
    let (early, last) = (frames[2].frame, frames[9].frame)
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "lamp")
    func commit(_ sequence: UInt64, at: Double?, accepted: Frame) -> JournalEntry {
      JournalEntry(
        .commit(sequence: sequence, Commit(transaction, id: .random(), at: at), client: 1), frame: accepted,
        time: accepted.time)
    }
    let entries = [
      commit(2, at: early.time + 0.02, accepted: early), commit(3, at: last.time + 5, accepted: early),
      JournalEntry(.stop(StopRequest([])), frame: early, time: early.time),
      commit(4, at: last.time + 5, accepted: early), commit(5, at: nil, accepted: last),
    ]
    let rows = entries.enumerated().map { index, entry in
      JournalRow(sequence: UInt64(index + 1), wallTime: 0, body: JournalCoding.bytes(of: entry))
    }
    let ring = try #require(try recovered())
    let recovery = try Recovery(JournalContents(rows: rows), after: ring, in: try replayed(ring))
    #expect(recovery.waitingSequences == [4, 5] && recovery.steps.count == 1, "the stop itself is in the ring")
  }

  // Clauses: S11.2, S11.52
  @Test(arguments: [true, false])
  func `time that stood within a longer frame is shown as before, and one frame covers it`(moves: Bool) throws {
    let (header, frames) = try run(10)
    try write(1, header, mark(last: 1), frames)
    let ring = try #require(try recovered())
    let runtime = try replayed(ring)
    if !moves { runtime.applyNow(.stop(StopRequest([]))) }
    while !moves, runtime.wantsFrames { runtime.advance() }
    let last = runtime.frame
    // The speed was lowered after a frame of a tenth of a second was announced.
    let rows = [JournalEntry.Event.clock(.speed(0.5)), .clock(.pause)].enumerated().map { index, event in
      let entry = JournalEntry(event, frame: last, time: last.time + 0.04)
      return JournalRow(sequence: UInt64(index + 1), wallTime: 0, body: JournalCoding.bytes(of: entry))
    }
    let recovery = try Recovery(JournalContents(rows: rows), after: ring, in: runtime)
    #expect(recovery.clock.time == last.time + 0.04 && recovery.isInMotion == moves)
    var clock = FrameSchedule(ratePerSecond: 120, at: .zero)
    clock.restore(recovery.clock, after: last, isInMotion: recovery.isInMotion, at: .zero)
    #expect(clock.time(at: .seconds(1)) == last.time + 0.04)
    clock.activate(at: .seconds(1))
    let (first, second) = (clock.step(), clock.step())
    let (next, following) = (try #require(first), try #require(second))
    // At rest nothing moves by then.
    #expect(abs(next.dt - (moves ? 0.04 : 0.5 / 120)) < 1e-12 && abs(next.time - last.time - 0.04) < 1e-12, "\(next)")
    #expect(abs(following.dt - 0.5 / 120) < 1e-12 && abs(following.time - next.time - following.dt) < 1e-12)
  }

  // Clauses: S11.52, S17.3
  @Test(.timeLimit(.minutes(1)))
  func `what a ring lacks begins with the next frame, and not where it would be since the last`() async throws {
    let (header, frames) = try run(1)
    try write(1, header, mark(last: 1), frames)
    let ring = try #require(try recovered())
    var transaction = Transaction()
    transaction.add(.moveTo("y", 100, maxVelocity: 1000, maxAcceleration: 1e6, maxJerk: 1e9), to: "lamp")
    let entry = JournalEntry(
      .commit(sequence: 2, Commit(transaction, id: .random()), client: 1), frame: Frame(number: 0, time: 0, dt: 0),
      time: 0)
    let row = JournalRow(sequence: 1, wallTime: 0, body: JournalCoding.bytes(of: entry))
    let settings = CoordinatorSettings(
      runtimeDirectory: "\(files.path)/run", stateDirectory: "\(files.path)/state", pluginPaths: [])
    let coordinator = try Coordinator(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await coordinator.start()
    let (passed, way) = try await coordinator.resume(with: JournalContents(rows: [row]), after: ring)
    #expect(way <= 1000 * (passed + 1.0 / 120) + 1e-6, "\(passed) s after the start")
    await coordinator.stop()
  }

  // Clauses: S11.52
  @Test(.timeLimit(.minutes(1)))
  func `the next file of a ring that was continued has the state after its frames`() throws {
    let (header, frames) = try run(9)
    try write(1, header, mark(), Array(frames.prefix(8)))
    let thread = try HistoryThread(
      HistoryLimits("10s"), in: "\(files.path)/history", ring: folder, on: LinuxMachine())
    defer { thread.finish() }
    thread.recover(try #require(try recovered()), LinuxMachine().clocks)
    thread.post(.tookRing(1, isAlone: false))
    let next = RingFile.bytes(of: frames[8])
    #expect(thread.add([.bytes(next)], bytes: next.count))
    var made: (number: UInt64, frame: UInt64)?
    while made == nil {
      poll(nil, 0, 1)
      for case .ring(let number, let frame) in thread.takeEvents() { made = (number, frame) }
    }
    #expect(try #require(made) == (2, 9))
    // The files before it are of no use then: the history has their frames, also if this process ends now.
    #expect(try numbers(inSegment: 1) == Array(1...9))
    // Another start runs none of the frames again.
    _ = try Ring(2, in: folder, mark())
    let ring = try #require(try recovered())
    #expect(ring.number == 2 && ring.frames.isEmpty)
    #expect(try replayed(ring).frame.number == 9)
  }

  // Clauses: S11.52
  @Test func `a ring that cannot be written is tried again after a while`() throws {
    let limits = try HistoryLimits("10s")
    let place = "\(files.path)/file"
    close(creat(place, 0o600))
    let ring = RingFolder(at: "\(place)/ring")
    let thread = try HistoryThread(limits, in: "\(files.path)/history", ring: ring, on: LinuxMachine())
    defer { thread.finish() }
    var history = History(thread, limits, ring: ring)
    func clocks(_ second: Int64) -> MachineClocks { MachineClocks(wallTime: 0, bootTime: second * 1_000_000_000) }
    let (runtime, header) = (Runtime(), RecordingHeader(ratePerSecond: 120, plugins: []))
    func logged(_ second: Int64) -> Int { history.begin(header, of: runtime, clocks(second), mark()).count }
    #expect(history.wantsBeginning(keepsRing: true, clocks(1)))
    #expect(logged(1) == 1, "the log states why there is none")
    #expect(!history.wantsBeginning(keepsRing: true, clocks(10)))
    #expect(history.wantsBeginning(keepsRing: true, clocks(11)) && logged(11) == 0, "the log states it once")
    unlink(place)
    mkdir(place, 0o700)
    #expect(logged(21) == 0 && !history.wantsBeginning(keepsRing: true, clocks(60)))
    #expect(history.status(at: clocks(60)).continues)
  }

  // Clauses: S11.52
  @Test func `the operations of large transactions are in files of their own`() throws {
    let runtime = Runtime()
    let (header, frames) = try run(5, from: runtime)
    var bytes = RingFile.beginning(EncodedHeader(header), at: 1) + RingFile.bytes(of: mark())
    for var frame in frames {
      for index in frame.events.indices {
        guard case .commit(let sequence, let transaction) = frame.events[index] else { continue }
        try folder.make(transaction: sequence, RingFile.bytes(of: transaction, as: sequence))
        frame.events[index] = .commit(sequence: sequence, Transaction())
        bytes += RingFile.bytes(ofFrameWithout: [sequence])
      }
      bytes += RingFile.bytes(of: frame)
    }
    try folder.make(1, bytes)
    let files = folder.files
    let ring = try RecoveredRing(files, ofStart: 3, boot: "b", apart: folder.bytes(ofTransaction:))
    #expect(try replayed(ring).snapshot() == runtime.snapshot())
    #expect(throws: RecoveredRing.Unusable.self) { try RecoveredRing(files, ofStart: 3, boot: "b") }
    unlink(folder.path(ofTransaction: 1))
    #expect(throws: RecoveredRing.Unusable.self) {
      try RecoveredRing(files, ofStart: 3, boot: "b", apart: folder.bytes(ofTransaction:))
    }
  }

  // Clauses: S11.52
  @Test func `a ring of another start, of another boot or that is damaged is not used`() throws {
    #expect(try recovered() == nil)
    let (header, frames) = try run(3)
    try write(1, header, mark(epoch: 2), frames)
    #expect(throws: RecoveredRing.Unusable.self) { try recovered() }
    #expect(
      try RecoveredRing(folder.files, ofStart: nil, boot: "b") != nil, "the journal does not tell which start used it")
    try write(1, header, mark(boot: "a"), frames)
    #expect(throws: RecoveredRing.Unusable.self) { try recovered() }
    try folder.make(1, [1, 2, 3])
    #expect(throws: RecoveredRing.Unusable.self) { try recovered() }
    for _ in 0..<RingFolder.mostReadings { #expect(folder.beginReading()) }
    #expect(!folder.beginReading(), "as many starts have ended while they read it")
    folder.endReading()
    #expect(folder.beginReading())
    folder.clear()
    #expect(folder.numbers.isEmpty && folder.beginReading())
  }

  // Clauses: S11.52
  @Test func `starts that end before they run a frame leave the ring of use, whichever number the journal has`()
    throws
  {
    let (header, frames) = try run(3)
    func ring(_ epoch: UInt64) throws -> RecoveredRing? { try RecoveredRing(folder.files, ofStart: epoch, boot: "b") }
    var bytes = RingFile.beginning(EncodedHeader(header), at: 1) + RingFile.bytes(of: mark(epoch: 2))
    for frame in frames.prefix(2) { bytes += RingFile.bytes(of: frame) }
    for epoch in [3, 4, 5] as [UInt64] { bytes += RingFile.bytes(of: mark(epoch: epoch, alone: false)) }
    try folder.make(1, bytes)
    for epoch in [2, 3, 4, 5] as [UInt64] { #expect(try replayed(ring(epoch)).frame.number == 2) }
    for epoch in [0, 1, 6] as [UInt64] { #expect(throws: RecoveredRing.Unusable.self) { try ring(epoch) } }
    try folder.make(1, bytes + RingFile.bytes(of: frames[2]))
    #expect(try replayed(ring(5)).frame.number == 3)
    for epoch in [2, 3, 4] as [UInt64] { #expect(throws: RecoveredRing.Unusable.self) { try ring(epoch) } }
  }

  // Clauses: S11.51
  @Test func `a ring that is full or cannot be written is an error number`() throws {
    let (header, frames) = try run(1)
    try write(1, header, nil, [])
    var ring = try Ring(1, in: folder, mark())
    #expect(ring.append(RingFile.bytes(of: frames[0])) == nil && !ring.isLarge)
    #expect(ring.append([UInt8](repeating: 0, count: Ring.mostBytes)) == EFBIG)
    #expect(truncate(folder.path(of: 1), 100) == 0 && ring.append(RingFile.bytes(of: frames[0])) == ESTALE)
    try write(2, header, nil, [])
    ring.end(isKept: true)
    #expect(folder.numbers == [1, 2])
    try Ring(2, in: folder, mark()).end(isKept: false)
    #expect(folder.numbers.isEmpty)
    #expect(throws: SystemError.self) { try Ring(5, in: folder, mark()) }
  }

  // Clauses: S11.52
  @Test func `the state with which a ring begins does not count as what was applied since`() throws {
    var (header, frames) = try run(1)
    header.snapshot = RuntimeSnapshot(
      RuntimeCheckpoint(), quarantined: [], details: [UInt8](repeating: 7, count: Ring.mostBytes))
    try write(1, header, nil, [])
    var ring = try Ring(1, in: folder, mark(last: 1))
    #expect(ring.append(RingFile.bytes(of: frames[0])) == nil && !ring.isLarge)
    ring.end(isKept: true)
    let found = try #require(try recovered())
    #expect(found.parts.state >= Ring.mostBytes && found.parts.length > found.parts.state)
    var next = try Ring(1, in: folder, after: found.parts, mark(last: 1))
    #expect(!next.isLarge && next.append([UInt8](repeating: 0, count: Ring.mostBytes / 4)) == nil && next.isLarge)
    #expect(next.append([UInt8](repeating: 0, count: Ring.mostBytes)) == EFBIG)
  }

  // Clauses: S11.52
  @Test func `a full ring grows, and continues after a record that was cut off`() throws {
    let (header, frames) = try run(3)
    let state = RingFile.beginning(EncodedHeader(header), at: 1)
    try folder.make()
    try folder.make(1, state)
    let path = folder.path(of: 1)
    let room = try FileBytes.read(path, limit: 1 << 30).count
    #expect(room == state.count + Ring.room(after: state.count), "all of it is there from the beginning")
    var ring = try Ring(1, in: folder, mark())
    #expect(ring.append(RingFile.bytes(of: frames[0])) == nil && !ring.isLarge)
    let large = RingFile.Mark(
      epoch: 2, boot: String(repeating: "b", count: 1 << 20), lastSequence: 7, waiting: [], isAlone: false)
    for _ in 0..<5 { #expect(ring.append(RingFile.bytes(of: large)) == nil) }
    #expect(ring.isLarge)
    #expect(ring.append(RingFile.bytes(of: frames[1])) == nil)
    ring.end(isKept: true)
    var bytes = try FileBytes.read(path, limit: 1 << 30)
    #expect(bytes.count > room)
    let length = try RingFile.contents(of: bytes).length
    // A process was killed while it appended the third frame.
    let cut = RingFile.bytes(of: frames[2])
    bytes.replaceSubrange(length + 1..<length + cut.count, with: cut.dropFirst())
    try folder.make(1, bytes)
    let contents = try RingFile.contents(of: try FileBytes.read(path, limit: 1 << 30))
    #expect(contents.length == length && contents.records.last == .frame(frames[1]))
    var next = try Ring(1, in: folder, after: (contents.state, contents.length), mark())
    #expect(next.append(RingFile.bytes(of: frames[2])) == nil)
    next.end(isKept: true)
    let records = try RingFile.contents(of: try FileBytes.read(path, limit: 1 << 30)).records
    #expect(records.suffix(3) == [.frame(frames[1]), .mark(mark()), .frame(frames[2])])
  }
}

extension Coordinator {
  /// Continues after a ring although nothing has moved for a tenth of a second, with the first frame.
  ///
  /// - Returns: how much later the frame is, in seconds, and where it has moved "y".
  fileprivate func resume(with contents: JournalContents, after ring: RecoveredRing) throws -> (Double, Double) {
    while clock.time(at: machine.now) < 0.1 {}
    let now = machine.now
    resume(try Recovery(contents, after: ring, in: runtime), at: now)
    let before = clock.time(at: now)
    wakeOrRest()
    applyAcknowledged(at: machine.now)
    let place = try #require(runtime.state(of: PropertyReference("lamp", "y")))
    return (runtime.frame.time - before, place.value[0])
  }
}

import Glibc
import LinuxSystem
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct RecordingThreadTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/recording"
  }

  private func recording(queueBytes: Int = RecordingThread.queueBytes) throws -> RecordingThread {
    let header = RecordingHeader(ratePerSecond: 120, plugins: [])
    return try RecordingThread(path, header, queueBytes: queueBytes, at: .zero, wallTime: 0)
  }

  private func frame(_ number: UInt64, reason: String = "") -> RecordedFrame {
    let events: [RuntimeEvent] = reason.isEmpty ? [] : [.quarantined("tween", reason: reason)]
    return RecordedFrame(frame: Frame(number: number, time: 1, dt: 0), events: events, hash: number)
  }

  /// The numbers of the frames that a reader finds in bytes, as they arrive.
  private struct Frames {
    private var reader = RecordingReader()
    private(set) var numbers: [UInt64] = []
    private(set) var snapshots: [UInt64] = []

    mutating func append(_ bytes: [UInt8]) throws {
      reader.append(bytes)
      while true {
        switch try reader.next() {
        case .needsBytes: return
        case .header: continue
        case .snapshot(let snapshot): snapshots.append(snapshot.frame.number)
        case .frame(let frame): numbers.append(frame.frame.number)
        }
      }
    }
  }

  @Test func `all frames are in the file, in order, when it is finished`() throws {
    let recording = try recording()
    for number in 1...1000 { #expect(recording.add(frame(UInt64(number)), at: .zero)) }
    #expect(recording.finish())
    #expect(recording.takeEnd() == .complete)
    var frames = Frames()
    try frames.append(FileBytes.read(path, limit: 1 << 20))
    #expect(frames.numbers == Array(1...1000))
  }

  /// A pipe accepts 64 KiB and then nothing, like a disk that is busy for long.
  @Test func `a disk that is too slow ends the recording, and the frames before are whole`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let limit = 1 << 20
    let recording = try recording(queueBytes: limit)
    let reason = String(repeating: "x", count: 10_000)
    var added: UInt64 = 0
    while added < 10_000, recording.add(frame(added + 1, reason: reason), at: .seconds(Int(added))) { added += 1 }
    // The content of the queue, of the pipe, and of the thread's current write when the pipe was full.
    #expect(added >= 100 && added < 130)
    #expect(!recording.finish(within: .milliseconds(50)))
    var frames = Frames()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let deadline = BootClock.now + .seconds(10)
    while frames.numbers.last != added, BootClock.now < deadline {
      let count = read(reader, &chunk, chunk.count)
      if count > 0 { try frames.append(Array(chunk[..<count])) } else { poll(nil, 0, 1) }
    }
    #expect(frames.numbers == Array(1...added))
    #expect(recording.takeEnd() == .complete)
  }

  @Test func `a failure of the file is reported once, by a descriptor`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let recording = try recording()
    close(reader)
    #expect(recording.add(frame(1), at: .zero))
    recording.flush()
    var entry = pollfd(fd: recording.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 10_000) == 1)
    guard case .failed(let reason)? = recording.takeEnd() else { throw WireError(.malformed, "no end", remedy: "") }
    #expect(reason.contains("Broken pipe"))
    #expect(recording.takeEnd() == nil)
    // Waiting for the end of a recording that has failed returns.
    #expect(recording.finish())
  }

  @Test func `an empty queue accepts a frame of any size`() throws {
    let recording = try recording(queueBytes: 10)
    #expect(recording.add(frame(1, reason: String(repeating: "x", count: 1000)), at: .zero))
    #expect(recording.finish())
  }

  // Clauses: S11.38
  @Test func `frames that are added before the state they follow are written after it`() throws {
    let recording = try RecordingThread(startingLateAt: path, at: .zero, wallTime: 0)
    #expect(recording.add(frame(1), at: .zero) && recording.add(frame(2), at: .zero))
    recording.hold(MachineClocks(wallTime: 0, bootTime: 0))
    #expect(recording.add(frame(3), at: .zero))
    recording.end()
    var header = RecordingHeader(ratePerSecond: 120, plugins: [])
    header.snapshot = Runtime().snapshot()
    recording.receiver(.success(header))
    // A snapshot that cannot be had is left out.
    recording.receiver(.failure(.isSettling))
    #expect(recording.finish() && recording.takeEnd() == .complete)
    var frames = Frames()
    try frames.append(FileBytes.read(path, limit: 1 << 20))
    #expect(frames.numbers == [1, 2, 3])
  }

  // Clauses: S11.38
  @Test(arguments: ["end", "flush", "frame"])
  func `a snapshot that does not come holds nothing back for long, and is no other's when it comes`(
    _ pressing: String
  ) throws {
    let recording = try recording()
    #expect(recording.add(frame(1), at: .zero))
    recording.hold(MachineClocks(wallTime: 0, bootTime: 0))
    #expect(recording.add(frame(2), at: .milliseconds(900)))
    if pressing == "frame" { #expect(recording.add(frame(3), at: .milliseconds(1_001))) }
    if pressing == "flush" { recording.flush() }
    if pressing != "end" {
      recording.hold(MachineClocks(wallTime: 0, bootTime: 2_000_000_000))
      // That of an earlier frame.
      recording.receiver(.success(try header(afterFrame: 1)))
      #expect(recording.add(frame(4), at: .seconds(2)))
      recording.receiver(.success(try header(afterFrame: pressing == "frame" ? 3 : 2)))
    }
    #expect(recording.finish() && recording.takeEnd() == .complete)
    var frames = Frames()
    try frames.append(FileBytes.read(path, limit: 1 << 20))
    #expect(frames.numbers == (pressing == "end" ? [1, 2] : pressing == "flush" ? [1, 2, 4] : [1, 2, 3, 4]))
    #expect(frames.snapshots == (pressing == "end" ? [] : [pressing == "frame" ? 3 : 2]))
  }

  private func header(afterFrame number: UInt64) throws -> RecordingHeader {
    let runtime = Runtime()
    for _ in 0..<number { runtime.advance() }
    var header = RecordingHeader(ratePerSecond: 120, plugins: [])
    header.snapshot = runtime.snapshot()
    return header
  }

  // Clauses: S11.38
  @Test func `a recording whose first state cannot be had has failed`() throws {
    let recording = try RecordingThread(startingLateAt: path, at: .zero, wallTime: 0)
    #expect(recording.add(frame(1), at: .zero))
    recording.receiver(.failure(.isSettling))
    #expect(recording.finish() && recording.takeEnd() == .failed("\(Refusal.isSettling)"))
  }
}

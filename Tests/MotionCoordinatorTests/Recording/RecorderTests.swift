import Glibc
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator

struct RecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func recorder(_ path: String, queueBytes: Int = RecordingThread.queueBytes) throws -> Recorder {
    Recorder(
      try RecordingThread(
        path, RecordingHeader(ratePerSecond: 120, plugins: []), queueBytes: queueBytes, at: .zero, wallTime: 0),
      at: .zero)
  }

  private func frame(_ number: UInt64, reason: String = "") -> [FrameRecord] {
    var record = FrameRecord(frame: Frame(number: number, time: 1, dt: 0), isBetweenFrames: false)
    if !reason.isEmpty { record.events = [AppliedEvent(.quarantined("tween", reason: reason))] }
    return [record]
  }

  @Test func `a recording that is finished has no problem, and records nothing more`() throws {
    var recorder = try recorder("\(folder.path)/recording")
    #expect(recorder.record(frame(1), skipped: 0, at: .zero, wallTime: 0) == nil && recorder.isRecording)
    #expect(recorder.finish() == nil && !recorder.isRecording)
    #expect(recorder.status.problem.isEmpty)
    #expect(recorder.record(frame(2), skipped: 0, at: .zero, wallTime: 0) == nil && recorder.finish() == nil)
  }

  @Test func `a disk that is too slow ends the recording once, with a reason in the status`() throws {
    // Nothing reads this pipe, which holds 64 KiB.
    let path = "\(folder.path)/pipe"
    mkfifo(path, 0o600)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var recorder = try recorder(path, queueBytes: 100_000)
    var ending: Recorder.Ending?
    for number in 1...10_000 where ending == nil {
      ending = recorder.record(
        frame(UInt64(number), reason: String(repeating: "x", count: 10_000)), skipped: 0, at: .zero, wallTime: 0)
    }
    #expect(recorder.status.problem.contains("too slow") && ending == .failed(recorder.status.problem))
    #expect(!recorder.isRecording && recorder.takeEnding() == nil && recorder.finish() == nil)
  }

  // Clauses: S11.38
  @Test func `a snapshot is due every five seconds, later if one takes long, and never after one that takes too long`()
    throws
  {
    var recorder = try recorder("\(folder.path)/recording")
    let snapshot = try #require(Runtime().snapshot())
    var header = RecordingHeader(ratePerSecond: 120, plugins: [])
    header.snapshot = snapshot
    #expect(!recorder.wantsSnapshot(at: .seconds(4)) && recorder.wantsSnapshot(at: .seconds(5)))
    recorder.add(header, taking: .microseconds(100), at: .seconds(5), wallTime: 0)
    #expect(!recorder.wantsSnapshot(at: .seconds(9)) && recorder.wantsSnapshot(at: .seconds(10)))
    recorder.add(header, taking: .milliseconds(2), at: .seconds(10), wallTime: 0)
    #expect(recorder.wantsSnapshot(at: .seconds(15)), "at most 0.5 % of the time")
    recorder.add(header, taking: .microseconds(2_001), at: .seconds(15), wallTime: 0)
    #expect(!recorder.wantsSnapshot(at: .seconds(1_000_000)))
    // One that another thread takes costs the loop nothing.
    recorder.awaitSnapshot(at: .seconds(20), wallTime: 0)?(.success(header))
    #expect(!recorder.wantsSnapshot(at: .seconds(24)) && recorder.wantsSnapshot(at: .seconds(25)))
    recorder.stop(for: nil)
    #expect(!recorder.wantsSnapshot(at: .seconds(2_000_000)) && !recorder.isRecording && recorder.isBusy)
    #expect(recorder.finish() == nil)
    // The snapshots are in the file, at the frames after which they were taken.
    var reader = RecordingReader()
    reader.append(try FileBytes.read("\(folder.path)/recording", limit: 1 << 20))
    reader.finish()
    var count = 0
    while case let step = try reader.next(), step != .needsBytes {
      if step == .snapshot(snapshot) { count += 1 }
    }
    #expect(count == 4 && reader.end == .complete)
  }
}

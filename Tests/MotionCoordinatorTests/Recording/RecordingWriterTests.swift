import Glibc
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator

struct RecordingWriterTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/recording"
  }

  private func writer(at now: Duration = .zero) throws -> RecordingWriter {
    try RecordingWriter(path, RecordingHeader(ratePerSecond: 120, plugins: []), at: now, wallTime: 0)
  }

  private func frame(_ number: UInt64) -> RecordedFrame {
    RecordedFrame(frame: Frame(number: number, time: Double(number) / 120, dt: 1 / 120), events: [], hash: 0)
  }

  /// The number of frames that a reader finds in the file now.
  private func framesOnDisk() throws -> Int {
    var reader = RecordingReader()
    reader.append(try FileBytes.read(path, limit: 1 << 20))
    var count = 0
    while true {
      switch try reader.next() {
      case .needsBytes: return count
      case .header, .snapshot: continue
      case .frame: count += 1
      }
    }
  }

  @Test func `frames reach the file within a second, or when they are flushed`() throws {
    let writer = try writer()
    try writer.write(frame(1), at: .seconds(0.5))
    #expect(try framesOnDisk() == 0)
    try writer.write(frame(2), at: .seconds(1))
    #expect(try framesOnDisk() == 2)
    try writer.write(frame(3), at: .seconds(1.5))
    #expect(try framesOnDisk() == 2)
    try writer.flush()
    #expect(try framesOnDisk() == 3)
    #expect(folder.mode("recording") == 0o600)
  }

  @Test func `a file that cannot be created or written is an error`() throws {
    #expect(throws: StartError.self) {
      try RecordingWriter(
        "/nowhere/recording", RecordingHeader(ratePerSecond: 120, plugins: []), at: .zero, wallTime: 0)
    }
    #expect(throws: StartError.self) {
      try RecordingWriter("/dev/full", RecordingHeader(ratePerSecond: 120, plugins: []), at: .zero, wallTime: 0)
    }
  }
}

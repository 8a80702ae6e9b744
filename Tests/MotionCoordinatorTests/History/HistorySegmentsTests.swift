import Glibc
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator

@Suite struct HistorySegmentsTests {
  private let files: TemporaryFolder
  private let header = RecordingHeader(ratePerSecond: 120, plugins: [])

  init() throws { files = try TemporaryFolder() }

  private var path: String { "\(files.path)/history" }

  private func clocks(_ second: Int) -> MachineClocks {
    MachineClocks(wallTime: Int64(1_000 + second) * 1_000_000_000, bootTime: Int64(second) * 1_000_000_000)
  }

  /// Writes a frame in each second, as many as there are, and begins a segment when the last is full.
  private func write(_ seconds: Range<Int>, bytes: Int = 10, into segments: inout HistorySegments) {
    for second in seconds {
      if segments.isFull(at: .seconds(second)) {
        segments.begin(EncodedHeader(header), clocks(second), at: .seconds(second))
      }
      var frame = RecordedFrame(
        frame: Frame(number: UInt64(second), time: Double(second), dt: 1),
        events: [.quarantined("p", reason: String(repeating: "x", count: bytes))], hash: 0)
      frame.clocks = clocks(second)
      segments.write(frame, at: .seconds(second))
    }
    segments.flush()
  }

  private func limits(_ text: String) throws -> HistoryLimits { try HistoryLimits(text) }

  // Clauses: S11.50
  @Test func `the oldest segment goes when the history is too long or too large`() throws {
    var old = HistorySegments(try limits("80s"), in: path)
    write(0..<400, into: &old)
    let list = old.list()
    #expect(list.allSatisfy { $0.last.clocks.bootTime > clocks(300).bootTime } && list.count > 8)
    #expect(zip(list, list.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
    #expect(old.reach.since.map { $0.age(at: clocks(399)) <= .seconds(100) } == true)

    old.finish()
    var large = HistorySegments(try limits("1MiB"), in: path)
    write(400..<900, bytes: 4000, into: &large)
    #expect(large.reach.bytes <= 1 << 20 && large.reach.bytes > 1 << 19)
    let bytes = large.list().reduce(0) { $0 + $1.bytes }
    #expect(bytes == large.reach.bytes)
  }

  // Clauses: S11.50
  @Test func `a segment that begins with a large state has room for as much again`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "large state"))
    let details = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let state = RuntimeSnapshot(RuntimeCheckpoint(), quarantined: [], details: details)
    var header = header
    header.snapshot = state
    var segments = HistorySegments(try limits("1MiB"), in: path)
    for second in 0..<3 {
      #expect(segments.isFull(at: .seconds(second)))
      segments.begin(EncodedHeader(header), clocks(second), at: .seconds(second))
      #expect(!segments.isFull(at: .seconds(second)), "each frame would begin another")
      #expect(segments.list().count == 1, "two have no room")
      // As a third state would have none, it begins the next segment.
      #expect(!segments.isFull(at: .seconds(second), adding: 300_000))
      #expect(segments.isFull(at: .seconds(second), adding: 500_000))
      for _ in 0..<2 { segments.write(EncodedHeader(header), clocks(second)) }
      segments.flush()
    }
  }

  // Clauses: S11.50, S11.51
  @Test func `segments of an earlier start are listed, also one that was not completed, and erased`() throws {
    var first: HistorySegments? = HistorySegments(try limits("100s"), in: path)
    write(0..<30, into: &first!)
    // Killed: its last segment has no end.
    first = nil
    var next = HistorySegments(try limits("100s"), in: path)
    write(30..<40, into: &next)
    let list = next.list()
    #expect(list.first?.first.clocks == clocks(0) || list.first?.first.frame.number == 0)
    #expect(list.map(\.last.frame.number).sorted() == list.map(\.last.frame.number))
    #expect(list.contains { $0.last.frame.number == 29 } && list.last?.last.frame.number == 39)
    for segment in list {
      var (bytes, reader) = ([UInt8](), RecordingReader())
      while let part = next.part(of: segment.number, from: UInt64(bytes.count)), !part.isEmpty { bytes += part }
      #expect(UInt64(bytes.count) == segment.bytes)
      reader.append(bytes)
      #expect(try reader.next() == .header(header))
      var status = stat()
      #expect(stat("\(path)/\(segment.number).mcap", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
    #expect(next.part(of: 4711, from: 0) == nil)
    next.erase()
    #expect(next.list().isEmpty && next.reach.bytes == 0)
    // No client reads others under the numbers that it was sent.
    write(40..<50, into: &next)
    #expect(next.list().first?.number == (list.last?.number ?? 0) + 1)
  }

  // Clauses: S11.51
  @Test func `a file with the highest number there is is none of the history's`() throws {
    mkdir(path, 0o700)
    try files.write("x", to: "history/\(UInt64.max).mcap")
    var segments = HistorySegments(try limits("100s"), in: path)
    write(0..<5, into: &segments)
    #expect(segments.takeProblem() == nil && segments.list().map(\.number) == [1])
  }

  // Clauses: S11.51
  @Test func `the newest segment stays, however often the next cannot be begun`() throws {
    var segments = HistorySegments(try limits("800s"), in: path)
    write(0..<350, into: &segments)
    let newest = try #require(segments.list().last).number
    #expect(newest > 2)
    // As on a full disk, no segment can be made.
    #expect(rename(path, "\(path).away") == 0)
    write(350..<500, into: &segments)
    #expect(segments.takeProblem()?.isEmpty == false && !segments.isWriting)
    #expect(rename("\(path).away", path) == 0)
    #expect(segments.list().map(\.number) == [newest])
    write(500..<510, into: &segments)
    #expect(segments.takeProblem() == "" && segments.list().map(\.number) == [newest, newest + 1])
  }

  // Clauses: S11.51
  @Test func `a folder that cannot be used is a problem until it can`() throws {
    try files.write("x", to: "history")
    var segments = HistorySegments(try limits("100s"), in: path)
    write(0..<1, into: &segments)
    #expect(segments.takeProblem()?.isEmpty == false && !segments.isWriting)
    write(1..<3, into: &segments)
    #expect(segments.takeProblem() == nil, "it is told once")
    unlink(path)
    write(3..<20, into: &segments)
    #expect(segments.takeProblem() == "" && segments.isWriting)
    #expect(segments.list().last?.last.frame.number == 19)
  }

  @Test(arguments: ["", "10", "x", "10min 256MiB", "0s", "0MiB", "-5min", "10min,,5MiB", "99999999999MiB"])
  func `limits that are not durations or sizes are refused`(_ text: String) {
    #expect(throws: StartError.self) { try HistoryLimits(text == "10" ? "10 x" : text) }
  }

  @Test func `limits are read in any order`() throws {
    #expect(try limits("5min").duration == .seconds(300) && limits("5min").bytes == 256 << 20)
    #expect(try limits("64MiB").bytes == 64 << 20 && limits("64MiB").duration == .seconds(600))
    #expect(try limits("30s, 1MiB") == limits("1MiB,30s"))
  }
}

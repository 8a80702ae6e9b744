import LinuxSystem
import MotionModel
import MotionWire

/// The segments of a history: the one that is being written, and the complete ones before it.
struct HistorySegments {
  /// How long writing is not retried after it failed.
  private static let retry = Duration.seconds(5)

  private let limits: HistoryLimits
  private let path: String
  /// `nil` while the folder cannot be used.
  private var folder: HistoryFolder?
  private var current: Current?
  /// The bytes of the state with which the last one began.
  private var stateBytes: UInt64 = 0
  private var mayWriteFrom = Duration.zero
  /// Why nothing is written; empty while it is.
  private var problem = ""
  private var isProblemNew = false

  private struct Current {
    let writer: RecordingWriter
    var segment: HistorySegment
    let since: Duration
    var unflushedSince: Duration?

    /// The segment as far as it is written.
    var complete: HistorySegment {
      var segment = segment
      segment.bytes = writer.bytes
      return segment
    }
  }

  init(_ limits: HistoryLimits, in path: String) { (self.limits, self.path) = (limits, path) }

  /// Whether frames are being written.
  var isWriting: Bool { current != nil }
  /// Since when frames wait to be written.
  var unflushedSince: Duration? { current?.unflushedSince }

  /// Whether the next segment is to be begun.
  ///
  /// - Parameter bytes: the bytes of a state that would be added.
  func isFull(at now: Duration, adding bytes: Int = 0) -> Bool {
    guard let current else { return now >= mayWriteFrom }
    return current.writer.bytes + UInt64(bytes) >= segmentBytes || now - current.since >= limits.segmentDuration
  }

  /// The size of a segment beyond which the next is begun. One that begins with a large state has room for as much again:
  /// otherwise each frame would begin one.
  private var segmentBytes: UInt64 { max(UInt64(limits.segmentBytes), 2 * stateBytes) }

  /// The size of the files, and the clocks at which the oldest begins.
  var reach: (bytes: UInt64, since: MachineClocks?) {
    let oldest = folder?.segments.isEmpty == false ? folder?.segments.first?.places?.first : current?.segment.first
    return ((folder?.bytes ?? 0) + (current?.writer.bytes ?? 0), oldest?.clocks)
  }

  /// Why nothing is written from now on, or empty because it is again; `nil` if that has not changed.
  mutating func takeProblem() -> String? {
    defer { isProblemNew = false }
    return isProblemNew ? problem : nil
  }

  // MARK: Writing

  /// Begins the next segment with a state, and drops the oldest ones that are beyond the limits.
  mutating func begin(_ state: EncodedHeader, _ clocks: MachineClocks, at now: Duration) {
    finish()
    do {
      var folder = try self.folder ?? HistoryFolder(path)
      drop(from: &folder, at: clocks)
      let number = folder.next
      let header = state.header
      let frame = header.snapshot?.frame ?? header.checkpoint?.frame ?? Frame(number: 0, time: 0, dt: 0)
      let place = HistorySegment.Place(frame, clocks)
      let writer = RecordingWriter(
        try folder.make(number), folder.path(of: number), state, at: now, wallTime: clocks.wallTime)
      self.folder = folder
      current = Current(writer: writer, segment: .init(number: number, from: place, to: place), since: now)
      try writer.flush()
      stateBytes = writer.bytes
      drop(from: &folder, at: clocks)
      self.folder = folder
      note("")
    } catch {
      failToBegin(Self.reason(of: error), at: now)
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    // Its remedy is that of a recording.
    case let error as StartError: "\(error.step): \(error.problem). It is kept again when there is room"
    case let error as PrivateDirectoryError: "\(error.step): \(error.problem). \(error.remedy)"
    default: "\(error)"
    }
  }

  /// A segment without a whole beginning is of no use.
  private mutating func failToBegin(_ reason: String, at now: Duration) {
    if let current { folder?.remove(current.segment.number) }
    current = nil
    fail(reason, at: now)
  }

  private func drop(from folder: inout HistoryFolder, at clocks: MachineClocks) {
    while folder.bytes + segmentBytes > UInt64(limits.bytes), !folder.segments.isEmpty {
      folder.dropOldest()
    }
    while !folder.segments.isEmpty, folder.oldest().map({ $0.last.clocks.age(at: clocks) > limits.duration }) ?? true {
      folder.dropOldest()
    }
  }

  /// Adds a frame.
  ///
  /// - Parameter bytes: those of the frame in the ring, if it is as it is there.
  mutating func write(_ frame: RecordedFrame, ofRing bytes: [UInt8]? = nil, at now: Duration) {
    guard current != nil else { return }
    if let clocks = frame.clocks { current?.segment.last = .init(frame.frame, clocks) }
    if current?.unflushedSince == nil { current?.unflushedSince = now }
    perform(at: now) { try $0.write(frame, ofRing: bytes, at: now) }
  }

  /// Adds the state after the last frame.
  mutating func write(_ state: EncodedHeader, _ clocks: MachineClocks) {
    current?.writer.write(snapshotOf: state, clocks)
  }

  /// Writes the frames that were added so far.
  mutating func flush() {
    perform(at: .zero) { try $0.flush() }
    current?.unflushedSince = nil
  }

  /// Completes the segment that is being written.
  mutating func finish() {
    perform(at: .zero) { try $0.finish() }
    guard let ended = current else { return }
    current = nil
    folder?.add(ended.complete)
  }

  private mutating func perform(at now: Duration, _ body: (RecordingWriter) throws -> Void) {
    guard let current else { return }
    do {
      try body(current.writer)
    } catch {
      self.current = nil
      // What was written is a recording without an end.
      folder?.add(current.complete)
      fail(Self.reason(of: error), at: max(now, current.since))
    }
  }

  private mutating func fail(_ reason: String, at now: Duration) {
    mayWriteFrom = now + Self.retry
    // The next segment may find room there. The newest stays: it is what is known.
    if folder.map({ $0.segments.count > 1 }) ?? false { folder?.dropOldest() }
    note(reason)
  }

  private mutating func note(_ reason: String) {
    guard reason.isEmpty != problem.isEmpty else { return }
    (problem, isProblemNew) = (reason, true)
  }

  // MARK: Reading

  /// All segments, the oldest first.
  mutating func list() -> [HistorySegment] { (folder?.list() ?? []) + (current.map { [$0.complete] } ?? []) }

  /// Bytes of a segment; `nil` if there is none of this number.
  func part(of number: UInt64, from offset: UInt64) -> [UInt8]? { folder?.part(of: number, from: offset) }

  /// Drops everything; the next segment begins with the next state.
  mutating func erase() {
    finish()
    folder?.dropAll()
  }
}

extension MachineClocks {
  /// How long ago this was. The boot clock tells it, unless the machine was started since.
  func age(at now: MachineClocks) -> Duration {
    let isThisBoot = bootTime <= now.bootTime
    return .nanoseconds(isThisBoot ? now.bootTime - bootTime : max(0, now.wallTime - wallTime))
  }
}

import LinuxSystem
import MotionClient
import MotionCore
import MotionHistory
import MotionModel
import MotionWire

/// Reads what a viewer plays, and goes from frame to frame. Belongs to one thread.
///
/// Its times are those of the wall clock, as in exports, but never go back: after a step of the clock to earlier times,
/// frames have the time before the step until the clock has passed it. Frames of recordings without wall times have
/// their simulated times.
///
/// Of the history it has one segment in memory.
final class PlaybackReader {
  /// A part that is read as a whole.
  private struct Stretch {
    let times: ClosedRange<UInt64>
    /// The number of the segment of the history.
    var segment: UInt64?
  }

  /// The stretch that was read.
  private struct Loaded {
    let stretch: Int
    let timeline: Timeline
    /// The times of its frames, in order.
    let times: [UInt64]
    /// The number of its first frame.
    let first: UInt64

    /// The place in ``times`` of the frame after the present one.
    var next: Int {
      let number = timeline.runtime.frame.number
      return number < first ? 0 : Int(min(number - first, UInt64(times.count))) + 1
    }
  }

  /// What is passed on while it plays.
  enum Step {
    /// A frame was run.
    case frame(RecordedFrame, at: UInt64)
    /// Another run begins: nothing continues.
    case beginning
  }

  private let open: () throws -> MotionClient
  private let isInterrupted: () -> Bool
  private var client: MotionClient?
  private var listing: HistoryListing?
  private var stretches: [Stretch] = []
  private var loaded: Loaded?

  /// - Parameters:
  ///   - source: what it reads.
  ///   - folder: the folder of recordings; `nil` if there is none.
  /// - Throws: when there is nothing to play, or it cannot be read.
  init(
    _ source: PlaybackSource, in folder: String?, named name: String, at address: MotiondAddress, end: EventCounter
  ) throws {
    isInterrupted = { end.wait(upTo: .zero) }
    open = { try address.connect(as: name, timeout: .seconds(10), interruptedBy: end.descriptor) }
    switch source {
    case .history: try openHistory()
    case .recording(let name):
      guard let folder else {
        throw HistoryError(
          "this server has no folder of recordings", remedy: "start motion-studio with --recordings DIR")
      }
      try openRecording("\(folder)/\(name)")
    }
  }

  /// The first and the last time, in nanoseconds since 1970.
  var range: ClosedRange<UInt64> {
    (stretches.first?.times.lowerBound ?? 0)...(stretches.last?.times.upperBound ?? 0)
  }

  /// The damage of a recording, which is played up to there.
  var damage: HistoryError? { loaded.flatMap { try? $0.timeline.damage } }

  /// Lets go of what was read, while nothing is played.
  func drop() { if listing != nil { (loaded, client) = (nil, nil) } }

  private func openRecording(_ path: String) throws {
    let timeline = try Timeline(path, isInterrupted: isInterrupted)
    let frames = try timeline.times.frames
    let times = Self.times(frames, after: 0)
    guard let first = times.first, let last = times.last else {
      throw try timeline.damage ?? HistoryError("the recording has no frame")
    }
    stretches = [Stretch(times: first...last)]
    loaded = Loaded(stretch: 0, timeline: timeline, times: times, first: frames[0].number)
  }

  private func openHistory() throws {
    let client = try open()
    let listing = try client.history()
    guard !listing.segments.isEmpty else {
      throw HistoryError("the history has nothing yet", remedy: "wait until something has moved")
    }
    var last: UInt64 = 0
    stretches = listing.segments.map { segment in
      let first = max(last, Self.time(segment.first.clocks.wallTime))
      last = max(first, Self.time(segment.last.clocks.wallTime))
      return Stretch(times: first...last, segment: segment.number)
    }
    (self.client, self.listing) = (client, listing)
  }

  // MARK: Times

  private static func time(_ wallTime: Int64) -> UInt64 { UInt64(max(0, wallTime)) }

  /// The times of frames, none before the one before it.
  private static func times(_ frames: [RecordedTimes.Entry], after beginning: UInt64) -> [UInt64] {
    var last = beginning
    return frames.map { frame in
      // 10⁹ years at most.
      let simulated = UInt64(min(max(0, frame.time * 1e9), 1e19))
      last = max(last, frame.wallTime.map(time) ?? simulated)
      return last
    }
  }

  // MARK: Places

  /// Goes to the last frame until a time.
  func seek(to time: UInt64) throws -> Timeline {
    let index = stretches.lastIndex { $0.times.lowerBound <= time } ?? 0
    let loaded = try load(index)
    var count = loaded.times.count
    if let after = loaded.times.firstIndex(where: { $0 > time }) { count = after }
    // Before the first frame is the beginning.
    let number = count == 0 ? 0 : loaded.first + UInt64(count - 1)
    try loaded.timeline.seek(to: number) { Self.prepare($0) }
    Self.prepare(loaded.timeline.runtime)
    return loaded.timeline
  }

  /// Plays the frames after the present one until a time.
  func play(to time: UInt64, each: (Step, Runtime) -> Void) throws {
    // After a break nothing is in memory.
    guard let present = loaded else {
      each(.beginning, try seek(to: time).runtime)
      return
    }
    var loaded = present
    while true {
      var next = loaded.next
      while next < loaded.times.count, loaded.times[next] <= time {
        guard let played = try loaded.timeline.next() else { break }
        each(.frame(played.recorded, at: loaded.times[next]), played.runtime)
        next += 1
      }
      let index = loaded.stretch + 1
      guard index < stretches.count, stretches[index].times.lowerBound <= time else { return }
      let end = loaded.timeline.runtime.frame
      loaded = try load(index)
      try loaded.timeline.seek(to: 0) { Self.prepare($0) }
      let runtime = loaded.timeline.runtime
      Self.prepare(runtime)
      if runtime.frame != end { each(.beginning, runtime) }
    }
  }

  private static func prepare(_ runtime: Runtime) {
    runtime.log.keeps = [.drivers, .endings]
    _ = runtime.log.take()
  }

  private func load(_ index: Int) throws -> Loaded {
    if let loaded, loaded.stretch == index { return loaded }
    guard let listing, let segment = stretches[index].segment else {
      throw HistoryError("the recording is not in memory")
    }
    loaded = nil
    let client = if let client, client.isReachable { client } else { try open() }
    self.client = client
    let reader = HistoryReader(
      listing, now: nil, isInterrupted: isInterrupted, fetch: { try client.history(segment: $0, from: $1) })
    let timeline: Timeline
    do {
      timeline = try reader.timeline(ofSegment: segment)
    } catch let error as MotionClientError where error.refusal?.code == .notFound {
      throw HistoryError(
        "motiond has dropped this part of its history meanwhile", remedy: "go to a later time, or connect again")
    }
    let frames = try timeline.times.frames
    let found = Loaded(
      stretch: index, timeline: timeline, times: Self.times(frames, after: stretches[index].times.lowerBound),
      first: frames.first?.number ?? .max)
    loaded = found
    return found
  }
}

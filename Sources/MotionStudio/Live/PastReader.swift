import LinuxSystem
import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel
import MotionWire

/// Reads the last minutes of motiond for a viewer. Belongs to one thread.
///
/// It keeps the segment that was read last, so that a viewer who moves through it does not have it fetched for each moment.
final class PastReader {
  /// How long an answer may take. A part of minutes with thousands of properties takes longer.
  private static let timeout = Duration.seconds(10)
  /// How long what was read is used again: then the history may have been erased.
  private static let keptTime = Duration.seconds(5)
  /// The largest segment that is kept, by its frames.
  private static let keptFrames = 100_000

  private let name: String
  private let address: MotiondAddress
  private let end: EventCounter
  private var client: MotionClient?
  private var deadline = Duration.zero
  /// The simulated times between which the history had the run without a break, when it was read last.
  private var reach = 0.0...0.0
  /// What was read last, with the frames and times that it has.
  private var kept: Segment?

  private struct Segment {
    let timeline: Timeline
    let frames: Range<UInt64>
    let times: Range<Double>
    let until: Duration

    /// Whether it has a moment for certain. Times of the wall clock and before the end are looked for anew.
    func has(_ moment: RecordedMoment) -> Bool {
      guard BootClock.now < until else { return false }
      return switch moment {
      case .frame(let number): frames.contains(number)
      case .simulated(let seconds): times.contains(seconds)
      case .beforeEnd, .wall: false
      }
    }
  }

  init(named name: String, at address: MotiondAddress, end: EventCounter) {
    (self.name, self.address, self.end) = (name, address, end)
  }

  /// Lets go of what was read.
  func drop() { (kept, client) = (nil, nil) }

  /// A request begins: its time counts from now.
  func begin() { deadline = BootClock.now + Self.timeout }

  /// Rows of one kind at a moment.
  func rows(_ query: Query, at moment: RecordedMoment) throws -> JSONOutput {
    let timeline = try timeline(at: moment)
    guard let answer = try timeline.runtime.answer(query) else { throw Self.missing }
    var rows = JSONOutput(answer)
    if case .list = rows {} else { rows = .list([rows]) }
    return (["rows": rows] as JSONOutput).joined(with: place(timeline))
  }

  /// Why a property had its value at a moment.
  func explanation(of property: PropertyReference, at moment: RecordedMoment) throws -> JSONOutput {
    let timeline = try timeline(at: moment)
    guard case .why(let explanation)? = try timeline.runtime.answer(.why(property)) else { throw Self.missing }
    return JSONOutput(explanation, wallTime: timeline.clocks?.wallTime)
  }

  /// The values and velocities of properties in a part.
  func curves(_ request: LongRequest.CurvesRequest) throws -> JSONOutput {
    // What lies outside is left out.
    let part = try reading { reader in
      try reader.part(
        from: request.from.flatMap { $0.unless { $0 < reach.lowerBound } },
        to: request.to.flatMap { $0.unless { $0 > reach.upperBound } })
    }
    return try PastCurves(of: request, in: part).json.joined(with: [
      "begin": .number(reach.lowerBound), "end": .number(reach.upperBound),
    ])
  }

  static let missing = HistoryError(
    "the history does not have that", remedy: "ask about the present: leave out the moment")

  /// An error, for people.
  static func text(of error: any Error) -> String {
    switch error {
    case let error as HistoryError where error.isInterruption:
      return
        "reading it took longer than \(timeout.components.seconds) s: ask for a shorter part, or fewer properties"
    case let error as HistoryError: return error.remedy.isEmpty ? error.message : "\(error.message): \(error.remedy)"
    case let error as MotionClientError where error.refusal?.code == .notFound:
      return "this motiond keeps no history: set history: 10min in its configuration, or start it with --history 10min"
    default: return "\(error)"
    }
  }

  /// The frame of a moment.
  func place(_ timeline: Timeline) -> JSONOutput {
    let frame = timeline.runtime.frame
    let place: JSONOutput = ["frame": .unsigned(frame.number), "time": .number(frame.time)]
    guard let clocks = timeline.clocks else { return place }
    return place.joined(with: ["wallTime": .text(WallTimeText.text(clocks.wallTime))])
  }

  // MARK: Reading

  /// The recording around a moment, at that moment.
  func timeline(at moment: RecordedMoment) throws -> Timeline {
    if let kept, kept.has(moment) {
      try kept.timeline.seek(to: moment, .before)
      return kept.timeline
    }
    kept = nil
    let timeline = try reading { try $0.timeline(at: moment) }
    let frames = try timeline.times.frames
    if let first = frames.first, let last = frames.last, frames.count <= Self.keptFrames {
      // After the last frame, more may have happened since.
      kept = Segment(
        timeline: timeline, frames: first.number..<last.number, times: first.time..<last.time,
        until: BootClock.now + Self.keptTime)
    }
    return timeline
  }

  /// Reads from the segments that motiond has now.
  private func reading<Result>(_ body: (HistoryReader) throws -> Result) throws -> Result {
    var mayRetry = true
    while true {
      let client = try connected()
      let listing = try client.history()
      reach = Self.reach(of: listing)
      let reader = HistoryReader(
        listing, now: client.moment, isInterrupted: { [self] in isOver },
        fetch: { try client.history(segment: $0, from: $1) })
      do {
        return try body(reader)
      } catch let error as MotionClientError where error.refusal?.code == .notFound && mayRetry {
        // The oldest segment was dropped meanwhile.
        mayRetry = false
      }
    }
  }

  private static func reach(of listing: HistoryListing) -> ClosedRange<Double> {
    guard let newest = listing.segments.last else { return 0...0 }
    var oldest = newest
    for segment in listing.segments.reversed().dropFirst() {
      // The run began again after it.
      guard segment.last.frame.number <= oldest.first.frame.number else { break }
      oldest = segment
    }
    let (begin, end) = (oldest.first.frame.time, newest.last.frame.time)
    return min(begin, end)...max(begin, end)
  }

  private var isOver: Bool { BootClock.now >= deadline || end.wait(upTo: .zero) }

  /// A connection to motiond.
  func connected() throws(MotionClientError) -> MotionClient {
    if let client, client.isReachable { return client }
    let client = try address.connect(as: name, timeout: Self.timeout, interruptedBy: end.descriptor)
    self.client = client
    return client
  }
}

extension RecordedMoment {
  /// The moment; `nil` if it is a simulated time that satisfies the predicate.
  fileprivate func unless(_ isOutside: (Double) -> Bool) -> RecordedMoment? {
    if case .simulated(let seconds) = self, isOutside(seconds) { nil } else { self }
  }
}

import MotionCore
public import MotionModel
import MotionWire

/// Looks back into the last minutes of a daemon: finds out which segments have a moment or a part, fetches these, and
/// makes a recording of them.
///
///     let listing = try client.history()
///     let reader = HistoryReader(listing, now: client.moment) { try client.history(segment: $0, from: $1) }
///     let timeline = try reader.timeline(at: .beforeEnd(30))
///
/// A moment is looked for in the newest stretch that has it. Errors are ``HistoryError`` and those of `fetch`.
public final class HistoryReader {
  /// The bytes of a segment's file from a place on, at least one unless it ends there.
  public typealias Fetch = (_ segment: UInt64, _ offset: UInt64) throws -> [UInt8]
  /// A part of the history.
  public struct Part {
    /// The recording that has the part, and more before and after it.
    public let timeline: Timeline
    /// The frame before the part.
    public let before: UInt64
    /// Its last frame.
    public let last: UInt64
    /// What the part is in the history.
    public let extent: Extent
  }

  /// What a part is in the history.
  public struct Extent: Sendable {
    /// The state with which it begins.
    public var beginning: HistorySegment.Place
    /// Its last frame.
    public var end: Frame
    /// How many frames it has.
    public var frames: Int
    /// Whether the history does not reach as far back as was asked.
    public var isShort: Bool
    /// What follows the stretch of the history in which it is; `nil` if that is the newest.
    public var successor: Successor?
  }

  /// What follows a stretch of the history that is not the newest.
  public enum Successor: Sendable {
    /// The run began again.
    case run
    /// Nothing was kept for some time.
    case gap
  }

  /// The name of the history in errors.
  static let name = "the history"
  /// The most bytes of a segment that are read, far more than a history has: 1 GiB.
  private static let mostBytes: UInt64 = 1 << 30

  private(set) var segments: HistorySegments
  /// Until when the state after the last frame holds; `nil` if that is not known.
  let now: Moment?
  private let problem: String
  private let isInterrupted: () -> Bool
  private let fetch: Fetch
  private var cache: [UInt64: [UInt8]] = [:]
  private var headers: [UInt64: RecordingHeader] = [:]
  /// The bytes in which the headers were found.
  private var beginnings: [UInt64: [UInt8]] = [:]

  /// Looks back by these segments.
  ///
  /// - Parameters:
  ///   - now: when the daemon listed them: nothing has moved between the last frame and then, unless the listing states a
  ///     problem.
  ///   - isInterrupted: asked from time to time; the reading ends when it returns true.
  ///   - fetch: reads a part of a segment.
  public init(
    _ listing: HistoryListing, now: Moment?, isInterrupted: @escaping () -> Bool = { false },
    fetch: @escaping Fetch
  ) {
    segments = HistorySegments(listing.segments)
    problem = listing.problem
    (self.now, self.isInterrupted, self.fetch) = (problem.isEmpty ? now : nil, isInterrupted, fetch)
  }

  // MARK: Looking back

  /// The recording around a moment, at that moment.
  public func timeline(at moment: RecordedMoment) throws -> Timeline {
    try settled {
      let place = try self.place(of: moment, .before)
      let timeline = try self.timeline(place.segment..<place.segment + 1)
      try timeline.seek(to: place.moment ?? .frame(timeline.header.beginning.number), .before)
      return timeline
    }
  }

  /// The recording of one segment, before its first frame.
  public func timeline(ofSegment number: UInt64) throws -> Timeline {
    try settled {
      guard let index = self.segments.all.firstIndex(where: { $0.number == number }) else {
        throw HistoryError("\(Self.name) has no segment \(number)")
      }
      return try self.timeline(index..<index + 1)
    }
  }

  /// The recording with a part.
  ///
  /// - Parameters:
  ///   - from: where it begins; `nil` for the beginning of the stretch.
  ///   - to: where it ends; `nil` for the end of the stretch.
  public func part(from: RecordedMoment?, to: RecordedMoment?) throws -> Part {
    try settled {
      try self.part(try self.span(from, to))
    }
  }

  /// The recording with what led to a moment.
  ///
  /// - Parameter seconds: the simulated time before it, as far as that is kept.
  public func part(leadingTo moment: RecordedMoment, seconds: Double) throws -> Part {
    try settled {
      let place = try self.place(of: moment, .before)
      let timeline = try self.timeline(place.segment..<place.segment + 1)
      try timeline.seek(to: place.moment ?? .frame(timeline.header.beginning.number), .before)
      return try self.part(self.span(upTo: timeline.runtime.frame, in: place.segment, seconds: seconds))
    }
  }

  private func part(_ span: Span) throws -> Part {
    let timeline = try self.timeline(span.segments)
    let first = try span.from.map { moment throws(HistoryError) in try timeline.frame(at: moment, .after) - 1 }
    let last = try span.to.map { moment throws(HistoryError) in try timeline.frame(at: moment, .before) }
    let (beginning, times) = (timeline.header.beginning.number, try timeline.times)
    let (before, end) = (first ?? beginning, last ?? times.frames.last?.number ?? beginning)
    return Part(timeline: timeline, before: before, last: end, extent: self.extent(of: span, end, times))
  }

  /// Writes a recording of a part. It begins with the segment in which the part does, so that it can be replayed.
  ///
  /// - Parameters:
  ///   - restart: called before the first bytes, and again if they turned out to be wrong.
  ///   - write: takes the next bytes.
  public func write(
    from: RecordedMoment?, to: RecordedMoment?, restart: () throws -> Void, to write: ([UInt8]) throws -> Void
  ) throws -> Extent {
    try settled {
      let span = try self.span(from, to)
      var last = UInt64.max
      if let to = span.to {
        let index = span.segments.upperBound - 1
        last = try self.timeline(index..<index + 1).frame(at: to, .before)
      }
      try restart()
      let merge = try self.merge(span.segments, through: last, write)
      return Extent(
        beginning: self.segments.all[span.segments.lowerBound].first, end: merge.last, frames: merge.frames,
        isShort: span.isShort, successor: span.successor)
    }
  }

  /// What a part that was read is in the history.
  private func extent(of span: Span, _ last: UInt64, _ times: RecordedTimes) -> Extent {
    let beginning = segments.all[span.segments.lowerBound].first
    let end = times.entry(of: last).map { Frame(number: $0.number, time: $0.time, dt: 0) }
    return Extent(
      beginning: beginning, end: end ?? beginning.frame, frames: times.frames.count, isShort: span.isShort,
      successor: span.successor)
  }

  // MARK: Reading

  /// Shows that a segment does not continue the one before, other than the list of segments suggests.
  struct Separation: Error { let segment: UInt64 }

  /// Looks again whenever a segment turns out to begin again.
  private func settled<Result>(_ body: () throws -> Result) throws -> Result {
    guard !segments.all.isEmpty else {
      guard problem.isEmpty else { throw HistoryError("\(Self.name) is not kept: \(problem)") }
      throw HistoryError("\(Self.name) has nothing yet", remedy: "wait until something has moved")
    }
    while true {
      do { return try body() } catch let separation as Separation { segments.separate(separation.segment) }
    }
  }

  /// The recording of segments that continue one another.
  func timeline(_ range: Range<Int>) throws -> Timeline {
    var bytes: [UInt8] = []
    let merge = try merge(range, through: .max) { bytes += $0 }
    if let damage = merge.damage, merge.frames == 0 { throw damage }
    return try Timeline(
      .bytes(bytes, named: Self.name), beginning: segments.all[range.lowerBound].first.clocks,
      now: range.upperBound == segments.all.count ? now : nil, isInterrupted: isInterrupted)
  }

  private func merge(
    _ range: Range<Int>, through last: UInt64, _ write: ([UInt8]) throws -> Void
  ) throws -> SegmentMerge {
    var header = try self.header(of: range.lowerBound)
    // Plugins may have been added, or replaced: all are known from the beginning on.
    for index in range.dropFirst() {
      let next = try continuedHeader(of: index)
      for plugin in next.plugins {
        header.plugins.removeAll { $0.name == plugin.name }
        header.plugins.append(plugin)
      }
    }
    var merge = SegmentMerge(header, segments.all[range.lowerBound].first)
    for index in range {
      let end = index + 1 < range.upperBound ? try self.header(of: index + 1).beginning.number : last
      let segment = segments.all[index]
      guard merge.add(segment.number, try bytes(of: segment, isKept: range.count == 1), through: min(end, last)) else {
        throw Separation(segment: segment.number)
      }
      try write(merge.take())
    }
    merge.finish()
    try write(merge.take())
    return merge
  }

  /// Checks that the segments in a range after the first continue one another, by their bytes.
  func checkContinuity(_ range: Range<Int>) throws {
    for index in range.dropFirst() { _ = try continuedHeader(of: index) }
  }

  /// The header of a segment that continues the one before.
  private func continuedHeader(of index: Int) throws -> RecordingHeader {
    let header = try header(of: index)
    guard let snapshot = header.snapshot, snapshot.frame.isSame(as: segments.all[index].first.frame) else {
      throw Separation(segment: segments.all[index].number)
    }
    return header
  }

  private func header(of index: Int) throws -> RecordingHeader {
    let segment = segments.all[index]
    if let known = headers[segment.number] { return known }
    var (reader, bytes): (RecordingReader, [UInt8]) = (RecordingReader(), cache[segment.number] ?? [])
    reader.append(bytes)
    while true {
      do {
        if case .header(let header) = try reader.next() {
          headers[segment.number] = header
          if cache[segment.number] == nil { beginnings[segment.number] = bytes }
          return header
        }
      } catch {
        throw HistoryError("segment \(segment.number) of \(Self.name): \(error)")
      }
      let more = UInt64(bytes.count) < segment.bytes ? try part(of: segment, from: bytes.count) : []
      guard !more.isEmpty else { throw HistoryError("segment \(segment.number) of \(Self.name) has no beginning") }
      reader.append(more)
      bytes += more
    }
  }

  private func part(of segment: HistorySegment, from offset: Int) throws -> [UInt8] {
    guard !isInterrupted() else { throw HistoryError.interruption }
    guard segment.bytes <= Self.mostBytes else {
      throw HistoryError("segment \(segment.number) of \(Self.name) has \(segment.bytes) bytes, which cannot be")
    }
    return try fetch(segment.number, UInt64(offset))
  }

  /// The bytes of a segment, up to those that were there when the segments were listed.
  private func bytes(of segment: HistorySegment, isKept: Bool) throws -> [UInt8] {
    if let known = cache[segment.number] { return known }
    var bytes = beginnings.removeValue(forKey: segment.number) ?? []
    while UInt64(bytes.count) < segment.bytes {
      let more = try part(of: segment, from: bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    if UInt64(bytes.count) > segment.bytes { bytes.removeLast(bytes.count - Int(segment.bytes)) }
    // Single segments are looked at repeatedly; a long part is not kept in memory twice.
    if isKept { cache[segment.number] = bytes }
    return bytes
  }
}

import Glibc
import MotionModel
import MotionWire

/// Finds places of a recording by its index, and reads only the chunks around them.
///
/// Where the index is not enough, the answer is `nil`, and the recording has to be read as a whole: of a moment that it
/// does not have, or that a clock which was set may show twice, and of a damaged chunk.
final class RecordingSeeker {
  private let file: String
  private let descriptor: Int32
  private let index: RecordingIndex
  private let isInterrupted: () -> Bool
  /// The chunks with frames, in order, as places in the index.
  private let chunks: [Int]
  /// The first frame of each chunk that was looked at.
  private var firsts: [Int: RecordedTimes.Entry] = [:]

  /// Opens a file; `nil` if it has no index.
  init?(_ source: RecordingSource, isInterrupted: @escaping () -> Bool) {
    guard case .file(let file) = source else { return nil }
    var status = stat()
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let index = try? RecordingIndex(
        size: UInt64(status.st_size), read: { try Self.bytes(Int($0.lowerBound), $0.count, of: descriptor) })
    else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    (self.file, self.descriptor, self.index, self.isInterrupted) = (file, descriptor, index, isInterrupted)
    chunks = index.chunks.indices.filter { index.chunks[$0].hasFrames }
  }

  deinit { close(descriptor) }

  /// The data from before the first frame, without the initial state; `nil` if it cannot be read.
  func header() throws(HistoryError) -> RecordingHeader? {
    let bytes = try RecordingBytes(.file(file), isInterrupted: isInterrupted)
    var reader = RecordingReader(skipsState: true)
    while !bytes.isAtEnd {
      reader.append(try bytes.next())
      guard let step = try? reader.next() else { return nil }
      if case .header(let header) = step { return header }
    }
    return nil
  }

  // MARK: Places

  /// The number of the frame at a moment.
  ///
  /// - Parameter beginning: the frame that the recording begins after; `nil` if that is not known.
  func frame(
    at moment: RecordedMoment, _ side: RecordedMoment.Side, _ beginning: RecordedTimes.Entry?
  ) throws(HistoryError) -> UInt64? {
    guard let last = chunks.indices.last else { return nil }
    switch moment {
    case .frame(let number):
      return try frame(at: moment, side, beginning, in: try place { $0.number < number })
    case .simulated(let time): return try frame(at: moment, side, beginning, in: try place { $0.time < time })
    case .beforeEnd(let seconds):
      guard let end = try entries(of: last)?.last else { return nil }
      return try frame(at: .simulated(end.time - seconds), side, beginning)
    case .wall(let seconds, let day):
      return try frame(at: moment, side, beginning, in: place(ofWallTime: seconds, day))
    }
  }

  /// The last place before a frame at which a replay can begin.
  func startingPoint(before number: UInt64) throws(HistoryError) -> RecordingCursor.StartingPoint? {
    guard let place = try place({ $0.number <= number }) else { return nil }
    // A snapshot may be in a chunk of its own, behind that with its frame.
    let next = place + 1 < chunks.count ? chunks[place + 1] : index.chunks.count
    for chunk in (0..<next).reversed() where index.chunks[chunk].hasSnapshots {
      var found: RecordingCursor.StartingPoint?
      let end = index.chunks[chunk].offset + index.chunks[chunk].length
      let isRead = try read(chunk, skipsSnapshots: false) { step, reader in
        // The snapshots behind it are later, and take long to decode.
        if case .frame(let recorded) = step, recorded.frame.number >= number { return false }
        guard case .snapshot(let snapshot) = step, snapshot.frame.number < number else { return true }
        found = RecordingCursor.StartingPoint(snapshot: snapshot, reader: reader, offset: end)
        return true
      }
      guard isRead else { return nil }
      if let found { return found }
    }
    return nil
  }

  /// The frame at a moment, from the frames of a chunk and those beside it.
  private func frame(
    at moment: RecordedMoment, _ side: RecordedMoment.Side, _ beginning: RecordedTimes.Entry?, in place: Int?
  ) throws(HistoryError) -> UInt64? {
    guard let place, place > 0 || beginning != nil, let entries = try entries(of: place) else { return nil }
    let before = place > 0 ? try self.entries(of: place - 1)?.last : nil
    if place > 0, before == nil { return nil }
    let after = place + 1 < chunks.count ? try first(of: place + 1) : nil
    let times = RecordedTimes(
      file, [before].compactMap { $0 } + entries + [after].compactMap { $0 }, beginning: place == 0 ? beginning : nil)
    return try? moment.frame(in: times, side)
  }

  /// The last chunk whose first frame is before a place, or the first one; chunks that cannot be read are passed over.
  private func place(_ isBefore: (RecordedTimes.Entry) -> Bool) throws(HistoryError) -> Int? {
    var (low, high) = (0, chunks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      var probe = middle
      var first = try first(of: probe)
      while first == nil, probe + 1 < high {
        probe += 1
        first = try self.first(of: probe)
      }
      if let first, isBefore(first) { low = probe } else { high = middle }
    }
    return chunks.isEmpty ? nil : low
  }

  /// The only chunk in which the wall clock showed a time.
  private func place(ofWallTime seconds: Double, _ day: Int?) -> Int? {
    var found: Int?
    var before: UInt64?
    for (place, chunk) in chunks.enumerated() {
      let times = index.chunks[chunk].wallTimes
      // The clock was set back.
      if let before, times.lowerBound < before { return nil }
      let start = before ?? times.lowerBound - min(times.lowerBound, 1_000_000_000)
      if RecordedMoment.isShown(
        seconds, day, after: Int64(clamping: start), through: Int64(clamping: times.upperBound))
      {
        guard found == nil else { return nil }
        found = place
      }
      before = times.upperBound
    }
    return found
  }

  // MARK: Reading

  /// The first frame of a chunk; `nil` if it cannot be read.
  private func first(of place: Int) throws(HistoryError) -> RecordedTimes.Entry? {
    if let known = firsts[place] { return known }
    var first: RecordedTimes.Entry?
    _ = try read(chunks[place], skipsSnapshots: true) { step, _ in
      if case .frame(let recorded) = step { first = RecordedTimes.Entry(recorded) }
      return first == nil
    }
    firsts[place] = first
    return first
  }

  /// The frames of a chunk; `nil` if it cannot be read.
  private func entries(of place: Int) throws(HistoryError) -> [RecordedTimes.Entry]? {
    var entries: [RecordedTimes.Entry] = []
    let isRead = try read(chunks[place], skipsSnapshots: true) { step, _ in
      if case .frame(let recorded) = step { entries.append(RecordedTimes.Entry(recorded)) }
      return true
    }
    return isRead && !entries.isEmpty ? entries : nil
  }

  /// Reads a chunk as long as `take` wants more of it.
  ///
  /// - Returns: whether it is intact up to there.
  private func read(
    _ chunk: Int, skipsSnapshots: Bool, _ take: (RecordingReader.Step, RecordingReader) -> Bool
  ) throws(HistoryError) -> Bool {
    guard !isInterrupted() else { throw .interruption }
    let place = index.chunks[chunk]
    guard let bytes = try? Self.bytes(place.offset, place.length, of: descriptor), bytes.count == place.length else {
      return false
    }
    var reader = index.reader(at: chunk, skipsSnapshots: skipsSnapshots)
    reader.append(bytes)
    do {
      while true {
        let step = try reader.next()
        if step == .needsBytes || !take(step, reader) { return true }
      }
    } catch {
      return false
    }
  }

  private static func bytes(_ offset: Int, _ count: Int, of descriptor: Int32) throws(HistoryError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return pread(descriptor, rest.baseAddress, rest.count, offset + filled)
      }
      guard more >= 0 else { throw HistoryError("cannot read: \(String(cString: strerror(errno)))") }
      if more == 0 { break }
      filled += more
    }
    bytes.removeLast(count - filled)
    return bytes
  }
}

import Glibc
import LinuxSystem
import MotionModel
import MotionWire

/// The files of a history: one for each segment, numbered, readable by their owner only.
struct HistoryFolder {
  /// The most bytes of a part that a client reads.
  static let partBytes = 1 << 20

  let path: String
  /// The segments that are complete, the oldest first; where they begin and end is read when it is asked for.
  private(set) var segments: [Stored] = []
  /// The highest number that a segment has had: a client that reads segments has listed them before, and must not be sent
  /// others under their numbers.
  private var lastNumber: UInt64 = 0

  /// A file of the folder.
  struct Stored {
    let number: UInt64
    var bytes: UInt64
    /// Where it begins and ends; `nil` until it was read.
    var places: (first: HistorySegment.Place, last: HistorySegment.Place)?
  }

  /// Makes the folder, and finds what earlier starts have left.
  ///
  /// - Throws: ``PrivateDirectoryError`` when it cannot be made.
  init(_ path: String) throws(PrivateDirectoryError) {
    self.path = path
    try PrivateDirectory.make(path, isWithinOurs: true)
    for name in FolderEntries.names(in: path) ?? [] {
      guard name.hasSuffix(Self.suffix), let number = UInt64(name.dropLast(Self.suffix.count)),
        number <= Self.mostNumber
      else { continue }
      segments.append(Stored(number: number, bytes: Self.bytes(of: self.path(of: number))))
    }
    segments.sort { $0.number < $1.number }
    lastNumber = segments.last?.number ?? 0
  }

  private static let suffix = ".mcap"
  /// A file with a higher number is not one of ours.
  private static let mostNumber: UInt64 = 1 << 62

  /// The number of the next segment.
  var next: UInt64 { lastNumber + 1 }

  /// The size of all complete segments.
  var bytes: UInt64 { segments.reduce(0) { $0 + $1.bytes } }

  func path(of number: UInt64) -> String { "\(path)/\(number)\(Self.suffix)" }

  /// Makes the file of a segment.
  ///
  /// - Throws: ``SystemError``.
  mutating func make(_ number: UInt64) throws(SystemError) -> Int32 {
    let descriptor = open(path(of: number), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "open \(path(of: number))") }
    lastNumber = max(lastNumber, number)
    return descriptor
  }

  /// A segment is complete.
  mutating func add(_ segment: HistorySegment) {
    segments.append(Stored(number: segment.number, bytes: segment.bytes, places: (segment.first, segment.last)))
  }

  /// Where the oldest segment begins and ends; `nil` if there is none, or it cannot be read.
  mutating func oldest() -> (first: HistorySegment.Place, last: HistorySegment.Place)? {
    guard let oldest = segments.first else { return nil }
    if oldest.places == nil { segments[0].places = places(of: oldest.number) }
    return segments[0].places
  }

  /// Drops the oldest segment.
  mutating func dropOldest() {
    guard !segments.isEmpty else { return }
    unlink(path(of: segments.removeFirst().number))
  }

  /// Removes the file of a segment that is not complete.
  func remove(_ number: UInt64) { unlink(path(of: number)) }

  /// Drops all complete segments.
  mutating func dropAll() { while !segments.isEmpty { dropOldest() } }

  /// The complete segments, and where they begin and end; those that cannot be read are dropped.
  mutating func list() -> [HistorySegment] {
    for stored in segments where stored.places == nil {
      let index = segments.firstIndex { $0.number == stored.number }
      guard let index else { continue }
      segments[index].places = places(of: stored.number)
      if segments[index].places == nil { unlink(path(of: segments.remove(at: index).number)) }
    }
    return segments.compactMap { stored in
      stored.places.map { HistorySegment(number: stored.number, bytes: stored.bytes, from: $0.first, to: $0.last) }
    }
  }

  private func places(of number: UInt64) -> (first: HistorySegment.Place, last: HistorySegment.Place)? {
    var (span, offset) = (RecordingSpan(), UInt64(0))
    repeat {
      guard let bytes = part(of: number, from: offset) else { return nil }
      span.read(bytes)
      offset += UInt64(bytes.count)
      if bytes.isEmpty { return span.places }
    } while !span.isDamaged
    return span.places
  }

  /// The bytes of a segment from a place on, none at its end; `nil` if it cannot be read.
  func part(of number: UInt64, from offset: UInt64) -> [UInt8]? {
    let descriptor = open(path(of: number), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0, let offset = Int(exactly: offset) else { return nil }
    defer { close(descriptor) }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.partBytes) { buffer, filled in
      count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      filled = max(0, count)
    }
    return count < 0 ? nil : bytes
  }

  private static func bytes(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_size) : 0
  }
}

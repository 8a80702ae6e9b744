import MCAP

/// The places of frames and snapshots in a recording that has an end, without reading it.
public struct RecordingIndex: Sendable {
  /// A piece of the recording that can be read by itself.
  public struct Chunk: Sendable {
    /// The offset in the file at which it begins.
    public let offset: Int
    /// Its length in bytes.
    public let length: Int
    /// The least and the greatest wall time of its frames, in nanoseconds since 1970.
    public let wallTimes: ClosedRange<UInt64>
    /// Whether it has frames.
    public let hasFrames: Bool
    /// Whether it has snapshots.
    public let hasSnapshots: Bool
  }

  /// The chunks, in the order of the file.
  public let chunks: [Chunk]
  private let index: MCAPIndex
  private let places: [MCAPChunk]

  /// Reads the index of a recording of `size` bytes.
  ///
  /// - Parameter read: reads a range of the file's bytes; fewer mean that it ends there.
  /// - Returns: `nil` if there is none that can be used.
  /// - Throws: the errors of `read`.
  public init?(size: UInt64, read: (Range<UInt64>) throws -> [UInt8]) throws {
    let limit = RecordingFile.frameBytes + 2 * RecordingEncoder.chunkBytes
    let found: MCAPIndex?
    do {
      found = try MCAPIndex.summary(of: size, recordBytes: limit, read: read)
    } catch is MCAPError {
      return nil
    }
    guard let index = found, index.header.profile == RecordingFile.profile else { return nil }
    func channel(_ topic: String) -> UInt16? {
      index.channels.values.first { $0.topic == topic && $0.messageEncoding == RecordingFile.encoding }?.id
    }
    let places = index.chunks.sorted { $0.offset < $1.offset }
    guard let frames = channel(RecordingFile.framesTopic),
      places.allSatisfy({ $0.channels != nil && $0.startTime <= $0.endTime && $0.length <= limit })
    else { return nil }
    let snapshots = channel(RecordingFile.snapshotsTopic)
    (self.index, self.places) = (index, places)
    chunks = places.map { place in
      Chunk(
        offset: Int(place.offset), length: Int(place.length), wallTimes: place.startTime...place.endTime,
        hasFrames: place.channels?.contains(frames) ?? false,
        hasSnapshots: snapshots.map { place.channels?.contains($0) ?? false } ?? false)
    }
  }

  /// A reader whose first bytes are those of a chunk, and which gives no header.
  ///
  /// - Parameter skipsSnapshots: whether snapshots are not decoded.
  public func reader(at chunk: Int, skipsSnapshots: Bool = false) -> RecordingReader {
    let limit = RecordingFile.frameBytes
    return RecordingReader(
      frameBytes: limit,
      ContainerRecordingReader(
        frameBytes: limit, index.reader(at: places[chunk]), index.channels.values, skipsSnapshots: skipsSnapshots))
  }
}

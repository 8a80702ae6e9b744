import MCAP
public import MotionModel

/// Where a recording begins and ends, without the frames between: nothing of them is decoded.
public struct RecordingSpan: Sendable {
  private var reader = MCAPReader(recordBytes: RecordingFile.frameBytes + 2 * RecordingEncoder.chunkBytes)
  private var framesChannel: UInt16?
  private var headerChannel: UInt16?
  private var header: MCAPMessage?
  private var first: MCAPMessage?
  private var last: MCAPMessage?
  /// Whether the bytes after those so far are of no use.
  public private(set) var isDamaged = false

  /// Begins at the beginning of a recording in the container format.
  public init() {}

  /// Reads the next bytes; none at the end.
  public mutating func read(_ bytes: some Collection<UInt8>) {
    guard !isDamaged else { return }
    if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
    do {
      while true {
        switch try reader.next() {
        case .needsBytes, .end: return
        case .channel(let channel) where channel.topic == RecordingFile.framesTopic: framesChannel = channel.id
        case .channel(let channel) where channel.topic == RecordingFile.headerTopic: headerChannel = channel.id
        case .message(let message) where message.channel == headerChannel && header == nil: header = message
        case .message(let message) where message.channel == framesChannel:
          if first == nil { first = message }
          last = message
        case .header, .schema, .channel, .chunk, .message, .metadata, .statistics: continue
        }
      }
    } catch {
      isDamaged = true
    }
  }

  /// The state that it begins with and its last frame; `nil` if it is no recording, or does not state the clocks.
  public var places: (first: HistorySegment.Place, last: HistorySegment.Place)? {
    guard let header, let frame = Self.read(header, Self.origin) else { return nil }
    let (firstPlace, lastPlace) = (
      first.flatMap { Self.read($0, Self.place) }, last.flatMap { Self.read($0, Self.place) }
    )
    let wallTime = Int64(clamping: header.logTime)
    let beginning = HistorySegment.Place(
      frame, MachineClocks(wallTime: wallTime, bootTime: firstPlace?.clocks.bootTime ?? 0))
    guard let lastPlace, lastPlace.clocks != MachineClocks(wallTime: 0, bootTime: 0) else {
      return (beginning, beginning)
    }
    return (beginning, lastPlace)
  }

  private static func read<Result>(
    _ message: MCAPMessage, _ body: (WireReader) throws(WireFault) -> Result
  ) -> Result? {
    try? message.data.span.bytes.withUnsafeBytes { buffer throws(WireFault) in try body(WireReader(buffer)) }
  }

  /// The frame of a header's state. Nothing else of it is decoded: it may have very many plans.
  private static func origin(_ header: WireReader) throws(WireFault) -> Frame {
    var checkpoint = try header.content(of: 4)
    if let snapshot = try header.content(of: 5) { checkpoint = try snapshot.content(of: 1) }
    guard let frame = try checkpoint?.content(of: 1) else { return Frame(number: 0, time: 0, dt: 0) }
    return try FastPath.frame(in: frame)
  }

  /// A recorded frame and its clocks, without its events.
  private static func place(_ recorded: WireReader) throws(WireFault) -> HistorySegment.Place {
    var reader = recorded
    var (frame, clocks) = (Frame(number: 0, time: 0, dt: 0), MachineClocks(wallTime: 0, bootTime: 0))
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: frame = try FastPath.frame(in: reader.message())
      case 6 << 3 | 1: clocks.wallTime = Int64(bitPattern: try reader.fixed())
      case 7 << 3 | 1: clocks.bootTime = Int64(bitPattern: try reader.fixed())
      case let tag: try reader.skip(tag)
      }
    }
    return HistorySegment.Place(frame, clocks)
  }
}

extension WireReader {
  /// The content of the first field with this number; `nil` if there is none.
  fileprivate func content(of number: UInt64) throws(WireFault) -> WireReader? {
    var reader = self
    while !reader.isAtEnd {
      let field = try reader.field()
      if field.number == number, let content = field.content { return content }
    }
    return nil
  }
}

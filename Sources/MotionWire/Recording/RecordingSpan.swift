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
    guard let header, let origin: RecordingHeader = Self.model(header, ProtoRecordingHeader.self, .recordingHeader)
    else { return nil }
    let frame = origin.snapshot?.frame ?? origin.checkpoint?.frame ?? Frame(number: 0, time: 0, dt: 0)
    let firstFrame: RecordedFrame? = first.flatMap { Self.model($0, ProtoRecordedFrame.self, .recordedFrame) }
    let lastFrame: RecordedFrame? = last.flatMap { Self.model($0, ProtoRecordedFrame.self, .recordedFrame) }
    let wallTime = Int64(clamping: header.logTime)
    let beginning = HistorySegment.Place(
      frame, MachineClocks(wallTime: wallTime, bootTime: firstFrame?.clocks?.bootTime ?? 0))
    guard let lastFrame, let clocks = lastFrame.clocks else { return (beginning, beginning) }
    return (beginning, .init(lastFrame.frame, clocks))
  }

  private static func model<Part: WireMessage>(
    _ message: MCAPMessage, _ part: Part.Type, _ shape: Shape
  ) -> Part.Model? {
    try? message.data.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.decode(part, shape, buffer, limit: RecordingFile.frameBytes)
    }
  }
}

import MCAP
public import MotionModel

/// Makes a recording with further channels for other readers: the values of each property, drivers and events.
///
/// The result is a recording that replays like the original. Each property with values has a channel
/// `values/TARGET/PROPERTY`; the other channels are `motiond/drivers` and `motiond/events`.
public struct ExportEncoder: Sendable {
  /// The most properties with a channel. A file has 65,536 channels; the others are kept for what is not a value.
  public static let mostProperties = 65_000
  /// Bytes in a chunk: values are many, and an index of each channel follows each chunk.
  private static let chunkBytes = 1 << 20

  private var recording: RecordingEncoder
  /// The channels and the schema of values, each made when it is needed: a copy of a recording has none.
  private var drivers: UInt16?
  private var events: UInt16?
  private var valueSchema: UInt16?
  private var channels: [PropertyReference: UInt16] = [:]

  /// Begins an export of a recording with this header, at a wall time in nanoseconds since 1970.
  public init(_ header: RecordingHeader, at wallTime: Int64) {
    recording = RecordingEncoder(header, at: wallTime, chunkBytes: Self.chunkBytes)
  }

  /// Adds a frame of the recording.
  public mutating func add(_ frame: RecordedFrame) { recording.add(frame) }

  /// Adds the state of a property after a frame.
  ///
  /// - Returns: whether there was a channel for it: ``mostProperties`` have one.
  public mutating func add(_ state: PropertyState, of reference: PropertyReference, after frame: RecordedFrame) -> Bool
  {
    guard let channel = channel(of: reference) else { return false }
    let bytes = SampleMessage.property(state, frame: frame.frame.number, time: frame.frame.time)
    recording.add(bytes, on: channel, frame)
    return true
  }

  /// Adds the driver of a property from a simulated time on.
  public mutating func add(driver: String, of reference: PropertyReference, from time: Double, in frame: RecordedFrame)
  {
    let channel = drivers ?? addChannel(SampleMessage.driversTopic, SampleMessage.driver)
    drivers = channel
    recording.add(
      SampleMessage.driver(driver, of: reference, frame: frame.frame.number, from: time), on: channel, frame)
  }

  /// Adds an event that was applied in a frame.
  public mutating func add(event: String, in frame: RecordedFrame) {
    let channel = events ?? addChannel(SampleMessage.eventsTopic, SampleMessage.event)
    events = channel
    recording.add(
      SampleMessage.event(event, frame: frame.frame.number, time: frame.frame.start), on: channel, frame)
  }

  /// Ends the file. Nothing may be added after it.
  public mutating func finish() { recording.finish() }

  /// The bytes of closed chunks since the last call, for the end of the file.
  public mutating func take() -> [UInt8] { recording.take() }

  private mutating func addChannel(_ topic: String, _ schema: SampleMessage.Schema) -> UInt16 {
    recording.writer.addChannel(topic: topic, schema.name, schema.descriptorSet)
  }

  private mutating func channel(of reference: PropertyReference) -> UInt16? {
    if let channel = channels[reference] { return channel }
    guard channels.count < Self.mostProperties else { return nil }
    let sample = SampleMessage.property
    let schema = valueSchema ?? recording.writer.addSchema(sample.name, sample.descriptorSet)
    valueSchema = schema
    let channel = recording.writer.addChannel(
      topic: SampleMessage.topic(of: reference), messageEncoding: SampleMessage.encoding, schema: schema,
      metadata: ["target": reference.target.text, "property": reference.property.text])
    channels[reference] = channel
    return channel
  }
}

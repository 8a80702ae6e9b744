import MotionModel

/// Decoding of recorded frames: a replay of a busy run reads little else.
extension FastPath {
  /// The most events that are decoded here. A frame with more is left to the generated code, which counts them first.
  private static let mostEvents = 4096

  /// The frame in these bytes.
  ///
  /// - Throws: when they are damaged, or more than `limit`.
  static func recordedFrame(in bytes: UnsafeRawBufferPointer, limit: Int) throws(WireError) -> RecordedFrame {
    if bytes.count <= limit, let frame = try? recordedFrame(in: WireReader(bytes), limit: limit) { return frame }
    return try MessageBytes.decode(ProtoRecordedFrame.self, .recordedFrame, bytes, limit: limit)
  }

  private static func recordedFrame(in message: WireReader, limit: Int) throws(WireFault) -> RecordedFrame {
    var reader = message
    var recorded = RecordedFrame(frame: Frame(number: 0, time: 0, dt: 0), events: [], hash: 0)
    var (hasFrame, clocks, events) = (false, MachineClocks(wallTime: 0, bootTime: 0), 0)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where !hasFrame: (recorded.frame, hasFrame) = (try frame(in: reader.message()), true)
      case let tag where tag == 2 << 3 | 2 || tag == 5 << 3 | 2:
        events += 1
        guard events <= mostEvents else { throw .unusual }
        let event = try event(in: reader.bytes(), limit: limit, &recorded.provenances)
        if tag >> 3 == 2 { recorded.events.append(event) } else { recorded.betweenFrames.append(event) }
      case 3 << 3: recorded.skipped = try reader.number()
      case 4 << 3 | 1: recorded.hash = try reader.fixed()
      case 6 << 3 | 1: clocks.wallTime = Int64(bitPattern: try reader.fixed())
      case 7 << 3 | 1: clocks.bootTime = Int64(bitPattern: try reader.fixed())
      default: throw .unusual
      }
    }
    guard hasFrame else { throw .unusual }
    if clocks.wallTime != 0 || clocks.bootTime != 0 { recorded.clocks = clocks }
    return recorded
  }

  /// Values of workers and of inputs are decoded by hand, other events by the generated code.
  private static func event(
    in bytes: UnsafeBufferPointer<UInt8>, limit: Int, _ provenances: inout [UInt64: Provenance]
  ) throws(WireFault) -> RuntimeEvent {
    var reader = WireReader(UnsafeRawBufferPointer(bytes))
    let field = try reader.field()
    if reader.isAtEnd, let content = field.content {
      if field.number == 2, let updated = try? updated(in: content) { return updated }
      if field.number == 9, let input = try? inputValues(in: content) { return .inputValues(input) }
    }
    do {
      let message = try MessageBytes.message(
        ProtoRuntimeEvent.self, .runtimeEvent, UnsafeRawBufferPointer(bytes), limit: limit)
      if case .commit(let committed) = message.event, committed.hasProvenance {
        provenances[committed.sequence] = try committed.provenance.model()
      }
      return try message.model()
    } catch {
      throw .unusual
    }
  }

  private static func updated(in message: WireReader) throws(WireFault) -> RuntimeEvent {
    var reader = message
    var (worker, update) = (WorkerAddress?.none, WorkerUpdate?.none)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where worker == nil: worker = try self.worker(in: reader.message())
      case 2 << 3 | 2 where update == nil: update = try self.update(in: reader.message())
      default: throw .unusual
      }
    }
    guard let worker, let update else { throw .unusual }
    return .update(worker, update)
  }

  private static func worker(in message: WireReader) throws(WireFault) -> WorkerAddress {
    var reader = message
    var (plugin, instance) = (PluginName?.none, 0)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: plugin = try reader.name()
      case 2 << 3: instance = Int(try reader.short())
      default: throw .unusual
      }
    }
    guard let plugin, instance < Limits.instancesPerPlugin else { throw .unusual }
    return WorkerAddress(plugin, instance)
  }
}

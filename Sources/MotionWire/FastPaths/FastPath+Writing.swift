import MotionModel

extension FastPath {
  /// The bytes of the message, preceded by `prefix`; `nil` if it is of another kind. They are those of the generated
  /// code.
  static func bytes(of envelope: Envelope, behind prefix: [UInt8]) -> [UInt8]? {
    // A header takes 75 bytes at most, the field of a tick or an update and its length 12, and a tick 52.
    switch envelope.body {
    case .tick(let tick):
      return WireWriter.bytes(atMost: prefix.count + 192) { writer in
        writer.append(prefix)
        writer.header(of: envelope)
        writer.nested(Self.tick) { writer in
          writer.nested(1) { $0.frame(tick.frame) }
          writer.number(2, tick.lastCommand)
          writer.number(3, tick.shape)
        }
      }
    case .update(let update) where update.events.isEmpty:
      let size = UpdateSize(update)
      return WireWriter.bytes(atMost: prefix.count + 192 + size.bytes) { writer in
        writer.append(prefix)
        writer.header(of: envelope)
        writer.nested(Self.update) { $0.update(update, size) }
      }
    case .command(let number, .properties(let properties)):
      // The lengths around them take 10 bytes each.
      return WireWriter.bytes(atMost: prefix.count + 192 + WireWriter.most(properties)) { writer in
        writer.append(prefix)
        writer.header(of: envelope)
        writer.nested(Self.command) { $0.command(number, properties) }
      }
    default: return nil
    }
  }

  /// The fields of an update that state the rows of these writes.
  static func rows(of writes: [PropertyWrite]) -> [UInt8] {
    let size = UpdateSize(WorkerUpdate(frame: 0, writes: writes, commandsApplied: 0))
    return WireWriter.bytes(atMost: size.bytes) { $0.rows(of: writes, size) }
  }
}

extension WireWriter {
  /// Writes the fields of the envelope that identify the sender and the message.
  mutating func header(of envelope: Envelope) {
    number(1, UInt64(envelope.body.versions.upperBound))
    number(2, envelope.epoch)
    fixed(3, envelope.incarnation)
    number(4, envelope.sequence)
    number(5, envelope.replyTo)
    fixed(6, envelope.sent)
    guard let moment = envelope.moment else { return }
    nested(7) { writer in
      writer.double(1, moment.time)
      writer.number(2, UInt64(bitPattern: moment.wallTime))
    }
  }

  /// Writes the fields of a frame.
  mutating func frame(_ frame: Frame) {
    number(1, frame.number)
    double(2, frame.time)
    double(3, frame.dt)
  }

  /// Writes the fields of an update without events.
  ///
  /// - Parameter size: that of the update.
  mutating func update(_ update: WorkerUpdate, _ size: UpdateSize) {
    number(1, update.frame)
    number(2, update.commandsApplied)
    guard size.count > 0 else { return }
    var executors = part(3, bytes: size.executors)
    var handles = part(4, bytes: size.handles)
    var counts = part(5, bytes: size.hasRows ? size.count : 0)
    var (values, velocities) = (part(6, bytes: 8 * size.lanes), part(7, bytes: 8 * size.lanes))
    var imposes = part(8, bytes: size.imposes)
    var remaining = part(9, bytes: size.hasRemaining ? 8 * size.count : 0)
    var carries = part(11, bytes: size.hasCarries ? 8 * size.count : 0)
    // All arrays at once, as the writes take more memory than the fastest cache has.
    for index in update.writes.indices {
      let count = update.writes[index].state.value.count
      if size.hasRows {
        executors.varint(UInt64(update.writes[index].executor.rawValue))
        handles.varint(UInt64(update.writes[index].property.rawValue))
        counts.varint(UInt64(count))
      }
      values.lanes(update.writes[index].state.value.storage, count: count)
      velocities.lanes(update.writes[index].state.velocity.storage, count: count)
      if size.imposes > 0 { imposes.varint(UInt64(update.writes[index].imposes.rawValue)) }
      if size.hasRemaining { remaining.eight((update.writes[index].remaining.map { max(0, $0) } ?? -1).bitPattern) }
      if size.hasCarries { carries.eight((update.writes[index].carry.map { max(0, $0) } ?? -1).bitPattern) }
    }
    switch update.shape {
    case .none: break
    case .announced(let shape), .named(let shape): number(12, shape)
    }
  }

  /// Writes the fields of an update that state the rows of its writes.
  fileprivate mutating func rows(of writes: [PropertyWrite], _ size: UpdateSize) {
    var (executors, handles) = (part(3, bytes: size.executors), part(4, bytes: size.handles))
    var counts = part(5, bytes: size.count)
    for write in writes {
      executors.varint(UInt64(write.executor.rawValue))
      handles.varint(UInt64(write.property.rawValue))
      counts.varint(UInt64(write.state.value.count))
    }
  }

  /// Writes the beginning of a field of packed numbers, nothing if there are none, and returns a writer of its content.
  private mutating func part(_ field: UInt64, bytes: Int) -> WireWriter { WireWriter(packed(field, bytes: bytes)) }
}

/// The sizes of the parallel arrays of an update, in bytes.
struct UpdateSize {
  private(set) var executors = 0
  private(set) var handles = 0
  /// The number of lanes of all values.
  private(set) var lanes = 0
  /// 0 if no write imposes anything.
  private(set) var imposes = 0
  private(set) var hasRemaining = false
  private(set) var hasCarries = false
  /// The number of writes.
  let count: Int
  /// Whether it states executors, handles and counts.
  let hasRows: Bool

  init(_ update: WorkerUpdate) {
    if case .named = update.shape { hasRows = false } else { hasRows = true }
    let writes = update.writes
    count = writes.count
    var isImposing = false
    for index in writes.indices {
      if hasRows {
        executors += WireSize.of(writes[index].executor.rawValue)
        handles += WireSize.of(writes[index].property.rawValue)
      }
      lanes += writes[index].state.value.count
      imposes += WireSize.of(UInt64(writes[index].imposes.rawValue))
      if !writes[index].imposes.isEmpty { isImposing = true }
      if writes[index].remaining != nil { hasRemaining = true }
      if writes[index].carry != nil { hasCarries = true }
    }
    if !isImposing { imposes = 0 }
  }

  /// The most that the fields of the update take: the arrays, their tags and lengths, and two numbers.
  var bytes: Int {
    executors + handles + count + 16 * lanes + imposes + (hasRemaining ? 8 * count : 0) + (hasCarries ? 8 * count : 0)
      + 8 * 11 + 3 * 11
  }
}

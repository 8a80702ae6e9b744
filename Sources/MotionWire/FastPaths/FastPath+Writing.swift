import MotionModel

extension FastPath {
  /// The bytes of the message, preceded by `prefix`; `nil` if it is of another kind. They are those of the generated
  /// code.
  static func bytes(of envelope: Envelope, behind prefix: [UInt8]) -> [UInt8]? {
    // A header takes 75 bytes at most, the other fields and their lengths 110, and a write 94.
    switch envelope.body {
    case .tick(let tick):
      return WireWriter.bytes(atMost: prefix.count + 192) { writer in
        writer.append(prefix)
        writer.header(of: envelope)
        writer.nested(Self.tick) { writer in
          writer.nested(1) { $0.frame(tick.frame) }
          writer.number(2, tick.lastCommand)
        }
      }
    case .update(let update) where update.events.isEmpty:
      return WireWriter.bytes(atMost: prefix.count + 192 + 104 * update.writes.count) { writer in
        writer.append(prefix)
        writer.header(of: envelope)
        writer.nested(Self.update) { $0.update(update) }
      }
    default: return nil
    }
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
  mutating func update(_ update: WorkerUpdate) {
    let writes = update.writes
    number(1, update.frame)
    number(2, update.commandsApplied)
    guard !writes.isEmpty else { return }
    nested(3) { for write in writes { $0.varint(UInt64(write.executor.rawValue)) } }
    nested(4) { for write in writes { $0.varint(UInt64(write.property.rawValue)) } }
    nested(5) { for write in writes { $0.varint(UInt64(write.state.value.count)) } }
    nested(6) { for write in writes { $0.lanes(write.state.value.storage, count: write.state.value.count) } }
    nested(7) { for write in writes { $0.lanes(write.state.velocity.storage, count: write.state.value.count) } }
    if writes.contains(where: { !$0.imposes.isEmpty }) {
      nested(8) { for write in writes { $0.varint(UInt64(write.imposes.rawValue)) } }
    }
    if writes.contains(where: { $0.remaining != nil }) {
      nested(9) { for write in writes { $0.eight((write.remaining.map { max(0, $0) } ?? -1).bitPattern) } }
    }
    if writes.contains(where: { $0.carry != nil }) {
      nested(11) { for write in writes { $0.eight((write.carry.map { max(0, $0) } ?? -1).bitPattern) } }
    }
  }
}

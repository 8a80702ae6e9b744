import MotionModel

extension FastPath {
  fileprivate enum Event {
    case update(WorkerAddress, WorkerUpdate)
    /// Encoded by the generated code.
    case bytes([UInt8])
  }

  /// The bytes of a recorded frame; they are those of the generated code. Values of workers are encoded by hand: they are
  /// many, and the loop encodes them.
  static func bytes(of recorded: RecordedFrame) -> [UInt8] {
    // The frame and the other fields take 80 bytes at most.
    var capacity = 128
    func encoded(_ event: RuntimeEvent) -> Event {
      if case .update(let worker, let update) = event, update.events.isEmpty {
        capacity += 256 + worker.plugin.text.utf8.count + 104 * update.writes.count
        return .update(worker, update)
      }
      let bytes = MessageBytes.encode(ProtoRuntimeEvent(event, recorded.provenances))
      capacity += 16 + bytes.count
      return .bytes(bytes)
    }
    let events = recorded.events.map(encoded)
    let between = recorded.betweenFrames.map(encoded)
    return WireWriter.bytes(atMost: capacity) { writer in
      writer.nested(1) { $0.frame(recorded.frame) }
      for event in events { writer.append(event, as: 2) }
      writer.number(3, recorded.skipped)
      writer.fixed(4, recorded.hash)
      for event in between { writer.append(event, as: 5) }
      guard let clocks = recorded.clocks else { return }
      writer.fixed(6, UInt64(bitPattern: clocks.wallTime))
      writer.fixed(7, UInt64(bitPattern: clocks.bootTime))
    }
  }
}

extension WireWriter {
  fileprivate mutating func append(_ event: FastPath.Event, as field: UInt64) {
    switch event {
    case .bytes(let bytes):
      beginning(field, of: bytes.count)
      append(bytes)
    case .update(let worker, let update):
      nested(field) { writer in
        writer.nested(2) { writer in
          writer.nested(1) { writer in
            writer.text(1, worker.plugin.text)
            writer.number(2, UInt64(worker.instance))
          }
          writer.nested(2) { $0.update(update) }
        }
      }
    }
  }

  /// Writes a text that is not empty.
  private mutating func text(_ field: UInt64, _ text: String) {
    beginning(field, of: text.utf8.count)
    append(text.utf8)
  }
}

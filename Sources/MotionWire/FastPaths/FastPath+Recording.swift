import MotionModel

extension FastPath {
  fileprivate enum Event {
    case update(WorkerAddress, WorkerUpdate, UpdateSize)
    /// An update as its worker has encoded it.
    case encoded(WorkerAddress, WorkerUpdate.Encoded)
    case inputValues(InputValues)
    case commit(UInt64, Transaction, Provenance?)
    /// Encoded by the generated code.
    case bytes([UInt8])
  }

  /// The bytes of a recorded frame; they are those of the generated code, but updates are as their workers encoded them.
  /// Values of workers and of inputs and most transactions are encoded by hand: they are many, and the loop encodes them.
  ///
  /// - Parameter head: the number of zeros before them, for the caller to set.
  static func bytes(of recorded: RecordedFrame, behind head: Int = 0) -> [UInt8] {
    // The frame and the other fields take 80 bytes at most.
    var capacity = head + 128
    func encoded(_ event: RuntimeEvent) -> Event {
      if case .update(let worker, let update) = event, !update.encoded.bytes.isEmpty {
        capacity += 64 + worker.plugin.text.utf8.count + update.encoded.bytes.count
        return .encoded(worker, update.encoded)
      }
      if case .update(let worker, let update) = event, update.events.isEmpty {
        let size = UpdateSize(update)
        capacity += 64 + worker.plugin.text.utf8.count + size.bytes
        return .update(worker, update, size)
      }
      if case .inputValues(let input) = event {
        // A value takes at most 56 bytes besides its name.
        capacity += 32 + input.device.text.utf8.count
        for value in input.values { capacity += 64 + value.name.text.utf8.count }
        return .inputValues(input)
      }
      if case .commit(let sequence, let transaction) = event {
        let provenance = recorded.provenances[sequence]
        if let bound = CommitSize.bound(transaction, provenance) {
          capacity += 16 + bound
          return .commit(sequence, transaction, provenance)
        }
      }
      let bytes = MessageBytes.encode(ProtoRuntimeEvent(event, recorded.provenances))
      capacity += 16 + bytes.count
      return .bytes(bytes)
    }
    let events = recorded.events.map(encoded)
    let between = recorded.betweenFrames.map(encoded)
    return WireWriter.bytes(atMost: capacity) { writer in
      writer.append(repeatElement(0, count: head))
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
    case .update(let worker, let update, let size): self.update(of: worker, as: field) { $0.update(update, size) }
    case .encoded(let worker, let encoded): update(of: worker, as: field) { $0.append(encoded.bytes) }
    case .inputValues(let input): nested(field) { writer in writer.nested(9) { $0.input(input) } }
    case .commit(let sequence, let transaction, let provenance):
      nested(field) { writer in writer.nested(1) { $0.committed(sequence, transaction, provenance) } }
    }
  }

  private mutating func update(
    of worker: WorkerAddress, as field: UInt64, _ write: (inout WireWriter) -> Void
  ) {
    nested(field) { writer in
      writer.nested(2) { writer in
        writer.nested(1) { writer in
          writer.text(1, worker.plugin.text)
          writer.number(2, UInt64(worker.instance))
        }
        writer.nested(2, write)
      }
    }
  }

  private mutating func input(_ input: InputValues) {
    text(2, input.device.text)
    for value in input.values {
      nested(4) { writer in
        writer.text(1, value.name.text)
        if let lanes = value.value {
          writer.nested(2) { $0.lanes(lanes.storage, count: lanes.count) }
        }
        writer.double(3, value.time)
        writer.number(4, value.isHeld ? 1 : 0)
      }
    }
  }
}

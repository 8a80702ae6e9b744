import MotionModel
import MotionWire

@testable import MotionCoordinator
@testable import MotionCore

/// Decoding restores exactly the encoded data, in every state of the runtime: checkpoints, entries of the journal,
/// recordings, and messages.
extension World {
  /// The number of turns between two checks: a check takes as long as some ten turns.
  private static let turnsBetweenCodecs = 50

  /// Encodes the state and decodes it again, from time to time.
  func checkCodecs() {
    guard !explorers.isEmpty, turns % Self.turnsBetweenCodecs == 0 else { return }
    do {
      failures += try (inside { try Self.problemsOfCodecs(in: $0) } ?? []).map {
        "at \(machine.now), start \(starts): \($0)"
      }
    } catch {
      failures.append("at \(machine.now), start \(starts): what was written cannot be read: \(error)")
    }
  }

  private static func problemsOfCodecs(in coordinator: isolated Coordinator) throws -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    var checkpoint = runtime.checkpoint()
    checkpoint.owners = coordinator.clients.presence.owners
    var stored = checkpoint
    stored.waiting += runtime.pendingCommits
    let read = try JournalCoding.checkpoint(in: JournalCoding.bytes(of: stored))
    if read != stored { problems.append("a checkpoint is read as another: \(read), not \(stored)") }
    let other = Runtime(registry: runtime.registry, ratePerSecond: runtime.ratePerSecond)
    other.restore(read)
    problems += Holdings(stored: stored).differences(of: Holdings(other.checkpoint(), other.queue.pending)).map {
      "restored, \($0)"
    }
    for body in try bodies(of: runtime) {
      let envelope = Envelope(epoch: coordinator.epoch, sequence: 1, body)
      let read = try Envelope(decoding: envelope.encoded(), limit: Limits.workerMessageBytes)
      if read != envelope { problems.append("a message is read as another: \(read), not \(envelope)") }
    }
    return problems + (try problemsOfRecording(of: runtime, from: checkpoint)) + (try problemsOfSnapshot(of: runtime))
  }

  /// The messages that describe a runtime.
  private static func bodies(of runtime: Runtime) throws -> [Envelope.Body] {
    let queries: [Query] = [
      .targets, .properties(nil), .executors(nil), .intentions(nil), .tokens(nil), .graph(nil),
    ]
    return try queries.compactMap { try runtime.answer($0).map { .answer($0) } }
      + runtime.workers.records.keys.sorted().map { .snapshot(command: 1, runtime.updates.snapshot(of: $0)) }
      + [.ended(runtime.failures.map(ended))]
  }

  private static func ended(_ row: IntentionRow) -> EndedIntention {
    EndedIntention(
      identity: row.identity, target: row.target, type: row.intention.type, name: row.name, frame: 1, outcome: .failed,
      reason: row.reason)
  }

  /// The snapshot of a runtime, in another one and from a message.
  private static func problemsOfSnapshot(of runtime: Runtime) throws -> [String] {
    guard let snapshot = runtime.snapshot() else { return [] }
    var header = RecordingHeader(ratePerSecond: runtime.ratePerSecond, plugins: [])
    header.snapshot = snapshot
    let bytes = Envelope(sequence: 1, .answer(.snapshot(header))).encoded()
    guard case .answer(.snapshot(let read)) = try Envelope(decoding: bytes, limit: Limits.clientMessageBytes).body,
      read == header
    else { return ["a snapshot is read as another"] }
    let other = Runtime(registry: runtime.registry, ratePerSecond: runtime.ratePerSecond)
    try other.restore(snapshot)
    return other.snapshot() == snapshot ? [] : ["a runtime that was restored from a snapshot has another"]
  }

  /// A recording that begins here, with the pending events.
  private static func problemsOfRecording(of runtime: Runtime, from checkpoint: RuntimeCheckpoint) throws -> [String] {
    var header = RecordingHeader(ratePerSecond: runtime.ratePerSecond, plugins: [])
    header.checkpoint = checkpoint
    let frame = RecordedFrame(frame: runtime.frame, events: runtime.queue.pending, hash: 1)
    var reader = RecordingReader()
    var encoder = RecordingEncoder(header, at: 0)
    encoder.add(frame)
    encoder.finish()
    reader.append(encoder.take())
    let steps = [try reader.next(), try reader.next()]
    return steps == [.header(header), .frame(frame)] ? [] : ["a recording is read as another: \(steps)"]
  }
}

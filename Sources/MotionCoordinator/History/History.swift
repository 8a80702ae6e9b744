import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionModel
import MotionWire

/// Passes what happens to the history's thread, and the requests of clients who look back.
///
/// It decides when the history is interrupted, because the thread does not keep up. It begins anew when the runtime is at
/// rest, where a snapshot delays no frame.
struct History {
  /// Frames are passed in groups of so many, so that the thread is not woken for each.
  private static let framesAtOnce = 12
  /// Likewise of so many bytes.
  private static let bytesAtOnce = 256 << 10
  /// The nanoseconds after which a ring that could not be written is tried again.
  private static let betweenRings: Int64 = 10_000_000_000
  /// The most requests that wait for an answer.
  static let mostRequests = 64

  /// An action for the owner.
  enum Action {
    case reply(HistoryReply, Requester)
    /// Call ``take(ring:frame:_:after:)`` with this number and frame.
    case takeRing(UInt64, frame: UInt64)
    /// What was requested is done.
    case done(Requester)
    case refuse(Refusal, Requester)
    case log(Logger.Level, String)
  }

  private let thread: HistoryThread
  private let limits: HistoryLimits
  private let ringFolder: RingFolder
  /// The file of the ring; `nil` while there is none.
  private var ring: Ring?
  private var hasAskedForRing = false
  /// The boot time, in nanoseconds, from which a ring that could not be written is tried again, and why it could not.
  private var ringFailure: (retry: Int64, reason: String)?
  /// What follows the state of an earlier start's ring; until the run begins.
  private var recovery: Recovery?
  private var frames = FrameRecorder()
  private var waiting: [HistoryThread.Piece] = []
  private var waitingBytes = 0
  /// Whether the thread has to write operations that the ring lacks.
  private var isUrgent = false
  private var requests: [UInt64: Requester] = [:]
  private var lastRequest: UInt64 = 0
  /// Whether the thread has every frame since it began.
  private(set) var isKept = false
  /// Why nothing is kept; empty while it is.
  private var problem = ""
  /// The version of the registry that the thread has.
  private var registry: UInt64 = 0

  init(_ thread: HistoryThread, _ limits: HistoryLimits, ring: RingFolder) {
    (self.thread, self.limits, ringFolder) = (thread, limits, ring)
  }

  /// The descriptor that becomes readable when the thread has events.
  var descriptor: Int32 { thread.descriptor }

  /// The state for the status.
  func status(at clocks: MachineClocks) -> Status.History {
    var status = Status.History()
    let reach = thread.reach
    status.bytes = reach.bytes
    status.seconds = reach.since.map { $0.age(at: clocks).inSeconds } ?? 0
    status.problem = problem
    status.continues = ring != nil
    return status
  }

  /// Whether events have followed the last frame, and are not kept yet.
  var hasTrailing: Bool { frames.hasTrailing }

  // MARK: Frames

  /// Begins with the present state.
  ///
  /// - Parameter mark: the mark with which a ring begins; without one there is none.
  mutating func begin(
    _ header: RecordingHeader, of runtime: Runtime, _ clocks: MachineClocks, _ mark: RingFile.Mark?
  ) -> [Action] {
    (frames, waiting, waitingBytes) = (FrameRecorder(), [], 0)
    (isKept, registry, problem) = (true, runtime.registryVersion, "")
    var actions: [Action] = []
    var beginning = HistoryThread.Beginning.header(header)
    if let mark {
      let state = EncodedHeader(header)
      beginning = .encoded(state)
      let number = (ringFolder.numbers.last ?? 0) + 1
      do {
        try ringFolder.make()
        try ringFolder.make(number, RingFile.beginning(state, at: clocks.wallTime))
        ring?.end(isKept: false)
        ring = try Ring(number, in: ringFolder, mark)
        ringFolder.remove(ringFolder.numbers.filter { $0 < number })
        ringFailure = nil
      } catch {
        actions = endRing("\(error)", clocks)
      }
    }
    thread.post(.begin(beginning, clocks))
    if let ring { thread.post(.tookRing(ring.number, isAlone: true)) }
    return actions
  }

  /// Continues the ring of an earlier start, whose last frame is the present state. The thread has it.
  mutating func begin(_ recovered: RecoveredRing, of runtime: Runtime, _ clocks: MachineClocks, _ mark: RingFile.Mark)
    -> [Action]
  {
    (isKept, registry, recovery) = (true, runtime.registryVersion, recovered.recovery)
    frames = FrameRecorder(continuing: recovered.trailing)
    var actions: [Action] = []
    do {
      ring = try Ring(recovered.number, in: ringFolder, after: recovered.parts, mark)
    } catch {
      actions = endRing("\(error)", clocks)
    }
    if let ring { thread.post(.tookRing(ring.number, isAlone: false)) }
    return actions
  }

  /// Takes out what follows the state of an earlier start's ring.
  mutating func takeRecovery() -> Recovery? {
    defer { recovery = nil }
    return recovery
  }

  /// The thread has made a file of the ring: the loop appends to it from now on.
  ///
  /// - Parameters:
  ///   - frame: the frame of its snapshot.
  ///   - mark: the mark with which it is continued.
  ///   - last: the last frame.
  mutating func take(ring number: UInt64, frame: UInt64, _ mark: RingFile.Mark, after last: Frame) -> [Action] {
    guard let former = ring else {
      ringFolder.remove([number])
      return []
    }
    var mark = mark
    mark.isAlone = frame == last.number
    do {
      var next = try Ring(number, in: ringFolder, mark)
      if mark.isAlone, let trailing = frames.trailing(after: last) {
        if let problem = next.append(RingFile.bytes(of: trailing)) {
          throw SystemError(code: problem, operation: "write \(ringFolder.path(of: number))")
        }
      }
      former.end(isKept: !mark.isAlone)
      (ring, hasAskedForRing) = (next, false)
      // The frames of the former file first: the thread takes the next snapshot after them.
      let actions = pass()
      thread.post(.tookRing(number, isAlone: mark.isAlone))
      return actions
    } catch {
      // The former file is continued.
      ringFolder.remove([number])
      return [.log(.warning, "the ring of the history could not be continued in its next file: \(error)")]
    }
  }

  /// Nothing is appended to the ring any more, and what it has is of no use.
  ///
  /// - Parameter pause: how long no other is begun, in nanoseconds.
  private mutating func endRing(
    _ reason: String, _ clocks: MachineClocks, pause: Int64 = betweenRings
  ) -> [Action] {
    ring?.end(isKept: false)
    ring = nil
    ringFolder.clear()
    let isKnown = ringFailure?.reason == reason
    ringFailure = (clocks.bootTime + pause, reason)
    guard !isKnown else { return [] }
    return [
      .log(.warning, "a start after a kill would go back to the last checkpoint until nothing moves: \(reason)")
    ]
  }

  /// Appends a mark to the ring: the transactions that had waited no longer do, also where the journal does not get to
  /// know why.
  mutating func mark(_ mark: RingFile.Mark, _ clocks: MachineClocks) -> [Action] {
    var mark = mark
    mark.isAlone = false
    return append(RingFile.bytes(of: mark), clocks)
  }

  private mutating func append(_ bytes: [UInt8], _ clocks: MachineClocks) -> [Action] {
    guard let problem = ring?.append(bytes) else { return [] }
    let reason =
      problem == EFBIG
      ? "more than \(Ring.mostBytes >> 20) MiB were applied since the last snapshot"
      : String(cString: strerror(problem))
    // One that has become too large can be begun again at once.
    return endRing(reason, clocks, pause: problem == EFBIG ? 0 : Self.betweenRings)
  }

  /// Appends what happened to the ring, before it has any effect outside, and keeps it for the thread.
  private mutating func add(_ piece: RecordedFrame, _ clocks: MachineClocks) -> [Action] {
    var small = piece
    let apart = small.takeOperations(beyond: limits.operationsInRing)
    if !apart.isEmpty { isUrgent = true }
    let bytes = RingFile.bytes(of: small)
    var actions: [Action] = []
    if !apart.isEmpty { actions += append(RingFile.bytes(ofFrameWithout: apart), clocks) }
    actions += append(bytes, clocks)
    guard isKept else { return actions }
    _ = frames.record(piece)
    let isWhole = apart.isEmpty && bytes.count <= RecordingFile.frameBytes
    waiting.append(isWhole ? .bytes(bytes) : .large(piece, bytes: piece.estimatedBytes))
    waitingBytes += waiting.last?.bytes ?? 0
    return actions
  }

  /// Whether it has to begin anew: when the runtime is at rest.
  ///
  /// - Parameter keepsRing: whether there is to be a ring.
  func wantsBeginning(keepsRing: Bool, _ clocks: MachineClocks) -> Bool {
    !isKept || keepsRing && ring == nil && clocks.bootTime >= ringFailure?.retry ?? 0
  }

  /// A frame was run, or something happened between two.
  ///
  /// - Parameters:
  ///   - records: the records of the runtime's log since the last call.
  ///   - skipped: the number of late frames that were skipped before the frame.
  mutating func record(
    _ records: [FrameRecord], of runtime: Runtime, skipped: UInt64, _ clocks: MachineClocks
  ) -> [Action] {
    guard isKept || ring != nil else { return [] }
    var actions: [Action] = []
    if isKept, runtime.registryVersion != registry {
      registry = runtime.registryVersion
      actions += pass()
      thread.post(.plugins(runtime.registry.recordedPlugins))
    }
    for record in records {
      guard var piece = FrameRecorder.piece(of: record, skipped: skipped) else { continue }
      piece.clocks = clocks
      actions += add(piece, clocks)
    }
    if ring?.isLarge == true, !hasAskedForRing {
      hasAskedForRing = true
      thread.post(.needRing)
    }
    if waiting.count >= Self.framesAtOnce || waitingBytes >= Self.bytesAtOnce || isUrgent { actions += pass() }
    return actions
  }

  /// No frame follows for now.
  mutating func flush() -> [Action] { pass() }

  private mutating func pass() -> [Action] {
    guard !waiting.isEmpty else { return [] }
    defer { (waiting, waitingBytes, isUrgent) = ([], 0, false) }
    guard !thread.add(waiting, bytes: waitingBytes) else { return [] }
    return interrupt(
      "the disk or the processor is too slow for it; it begins anew when nothing moves. Keep it on a faster disk")
  }

  private mutating func interrupt(_ reason: String) -> [Action] {
    isKept = false
    problem = reason
    thread.post(.interrupt)
    return [.log(.warning, "the history is interrupted: \(reason)")]
  }

  // MARK: Requests

  /// A client looks back; the answer follows.
  ///
  /// - Throws: ``MotionModel/Refusal`` when too many wait for an answer.
  mutating func request(_ request: HistoryRequest, of requester: Requester) throws(Refusal) -> [Action] {
    guard requests.count < Self.mostRequests else {
      throw Refusal(.limit, "\(requests.count) requests about the history wait", remedy: "Retry in a second")
    }
    let actions = pass()
    lastRequest += 1
    requests[lastRequest] = requester
    thread.post(.request(request, number: lastRequest))
    return actions
  }

  /// Delivers the present state from the thread, so that no frame waits for it. Only while the history is kept.
  ///
  /// - Parameters:
  ///   - frame: the last frame, to include what happened since; `nil` for the state right after it.
  ///   - events: what else is applied to the state.
  mutating func deliverState(
    since frame: Frame?, with events: [RuntimeEvent] = [], to receiver: @escaping StateReceiver
  ) -> [Action] {
    let actions = pass()
    var trailing = frame.flatMap { frames.trailing(after: $0) }
    if let frame, !events.isEmpty {
      trailing = trailing ?? RecordedFrame(frame: frame, events: [], hash: 0)
      trailing?.betweenFrames += events
    }
    thread.post(.state(trailing, receiver))
    return actions
  }

  /// The thread has events.
  mutating func takeEvents() -> [Action] { thread.takeEvents().flatMap { actions(for: $0) } }

  private mutating func actions(for event: HistoryThread.Event) -> [Action] {
    switch event {
    case .reply(.segments(var listing), let number):
      listing.problem = problem
      return requests.removeValue(forKey: number).map { [.reply(.segments(listing), $0)] } ?? []
    case .reply(let reply, let number): return requests.removeValue(forKey: number).map { [.reply(reply, $0)] } ?? []
    case .done(let number): return requests.removeValue(forKey: number).map { [.done($0)] } ?? []
    case .refused(let refusal, let number):
      return requests.removeValue(forKey: number).map { [.refuse(refusal, $0)] } ?? []
    case .ring(let number, let frame): return [.takeRing(number, frame: frame)]
    case .problem(let reason): return noteProblem(reason)
    case .failed(let reason): return interrupt(reason)
    }
  }

  private mutating func noteProblem(_ reason: String) -> [Action] {
    problem = reason
    return [
      reason.isEmpty
        ? .log(.notice, "the history is kept again") : .log(.warning, "the history cannot be written: \(reason)")
    ]
  }

  /// The run ends: no frame follows. ``finish()`` waits for what is left to write.
  mutating func end() {
    _ = pass()
    thread.end()
  }

  /// Waits until everything has reached the files.
  func finish() { thread.finish() }
}

extension RecordedFrame {
  /// Takes out the operations of transactions that have more than so many.
  ///
  /// - Returns: the sequences of these transactions.
  fileprivate mutating func takeOperations(beyond most: Int) -> [UInt64] {
    var taken: [UInt64] = []
    func take(_ event: inout RuntimeEvent) {
      guard case .commit(let sequence, let transaction) = event, transaction.log.count > most else { return }
      taken.append(sequence)
      event = .commit(sequence: sequence, Transaction())
    }
    for index in events.indices { take(&events[index]) }
    for index in betweenFrames.indices { take(&betweenFrames[index]) }
    return taken
  }
}

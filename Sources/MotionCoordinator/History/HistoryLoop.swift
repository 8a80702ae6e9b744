import Glibc
import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// The work of the history's thread, turn by turn.
struct HistoryLoop: TurnTaking {
  /// The priority of the thread: everything else comes first.
  private static let niceness: Int32 = 10

  private let limits: HistoryLimits
  private let machine: any Machine
  private let mailbox: Mailbox<HistoryThread.Command>
  private let events: Mailbox<HistoryThread.Event>
  private let shared: HistoryThread.Shared
  private let ended: Future<Void>
  private var segments: HistorySegments
  /// The state after the last frame; `nil` while nothing is kept.
  private var replica: Replica?
  /// The events since the last frame.
  private var frames = FrameRecorder()
  private var isPrepared = false
  private let ring: RingFolder
  /// The number of the ring's next file; `nil` while there is no ring, or the last one made is not in use yet.
  private var nextRing: UInt64?
  private var isRingNeeded = false
  /// The transactions whose operations are in files of their own, with their frames; and the frame of the last snapshot
  /// in the ring.
  private var apart: [(sequence: UInt64, frame: UInt64)] = []
  private var ringFrame: UInt64 = 0
  /// How often the ring's file is to be replaced although it is not large, until nothing is left of what was erased.
  private var replacements = 0

  init(
    _ limits: HistoryLimits, in folder: String, ring: RingFolder, _ mailbox: Mailbox<HistoryThread.Command>,
    _ events: Mailbox<HistoryThread.Event>, _ shared: HistoryThread.Shared, _ ended: Future<Void>,
    on machine: any Machine
  ) {
    (self.limits, self.machine, self.mailbox, self.events) = (limits, machine, mailbox, events)
    (self.shared, self.ended, self.ring) = (shared, ended, ring)
    segments = HistorySegments(limits, in: folder)
  }

  mutating func turn(waits: Bool) -> Bool {
    if !isPrepared {
      isPrepared = true
      if machine.waits { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness) }
    }
    guard !waits || mailbox.wait(upTo: segments.unflushedSince.map { $0 + RecordingWriter.timeout - machine.now })
    else {
      segments.flush()
      return true
    }
    for command in mailbox.take() {
      guard carryOut(command) else {
        segments.finish()
        ended.set(())
        return false
      }
    }
    return true
  }

  private mutating func carryOut(_ command: HistoryThread.Command) -> Bool {
    switch command {
    case .begin(let state, let clocks):
      nextRing = nil
      switch state {
      case .header(let header): begin(EncodedHeader(header), clocks)
      case .encoded(let state): begin(state, clocks)
      }
    case .pieces(let pieces):
      for piece in pieces { run(piece) }
      shared.queued.subtract(pieces.reduce(0) { $0 + $1.bytes }, ordering: .relaxed)
      tell()
    case .recovered(let recovered, let trailing):
      for frame in recovered { run(frame, isRecovered: true) }
      frames = FrameRecorder(continuing: trailing)
      // The next start is not to run these frames again.
      isRingNeeded = !recovered.isEmpty
      tell()
    case .plugins(let plugins): replica?.set(plugins)
    case .request(let request, let number): answer(request, number)
    case .state(let trailing, let receiver): receiver(state(after: trailing))
    case .needRing: isRingNeeded = true
    case .tookRing(let number, let isAlone):
      nextRing = number + 1
      for old in apart where old.frame <= ringFrame { unlink(ring.path(ofTransaction: old.sequence)) }
      apart.removeAll { $0.frame <= ringFrame }
      if isAlone { replacements = 0 }
    case .interrupt:
      replica = nil
      segments.finish()
    case .end: return false
    }
    return true
  }

  // MARK: Frames

  private mutating func begin(_ state: EncodedHeader, _ clocks: MachineClocks) {
    frames = FrameRecorder()
    do {
      replica = try Replica(state.header, clocks)
      segments.begin(state, clocks, at: machine.now)
      tell()
    } catch {
      fail("\(error)")
    }
  }

  private mutating func run(_ piece: HistoryThread.Piece) {
    guard replica != nil else { return }
    switch piece {
    case .large(let piece, _): if let frame = frames.record(piece) { run(frame) }
    case .bytes(let bytes):
      do {
        // Events between frames are written with the frame that follows.
        let isAlone = !frames.hasTrailing
        if let frame = frames.record(try RingFile.frame(in: bytes)) { run(frame, ofRing: isAlone ? bytes : nil) }
      } catch {
        fail("\(error)")
      }
    }
  }

  /// - Parameters:
  ///   - bytes: those of the frame in the ring, if it is as it is there.
  ///   - isRecovered: whether it is one of an earlier start. A snapshot follows these.
  private mutating func run(_ frame: RecordedFrame, ofRing bytes: [UInt8]? = nil, isRecovered: Bool = false) {
    guard var replica else { return }
    self.replica = nil
    writeOperations(of: frame)
    let start = machine.now
    do {
      try replica.run(frame)
    } catch {
      return fail("\(error)")
    }
    let now = machine.now
    replica.add(cost: now - start)
    segments.write(frame, ofRing: bytes, at: now)
    if !isRecovered { takeSnapshots(of: &replica, at: now) }
    self.replica = replica
  }

  /// Writes the operations that the ring lacks.
  private mutating func writeOperations(of frame: RecordedFrame) {
    for case .commit(let sequence, let transaction) in frame.betweenFrames + frame.events
    where transaction.log.count > limits.operationsInRing {
      try? ring.make(transaction: sequence, RingFile.bytes(of: transaction, as: sequence))
      apart.append((sequence, frame.frame.number))
    }
  }

  /// Takes a snapshot if the segment or the ring needs one.
  private mutating func takeSnapshots(of replica: inout Replica, at now: Duration) {
    let isOfSegment = segments.isFull(at: now) || replica.isSegmentDue(limits) || replica.hasOtherPlugins
    let isOfRing = nextRing != nil && (isRingNeeded || replacements > 0 || replica.isRingDue)
    if isOfSegment || isOfRing { takeSnapshot(of: &replica, isOfSegment: isOfSegment) }
  }

  private mutating func takeSnapshot(of replica: inout Replica, isOfSegment: Bool) {
    guard let state = replica.snapshot(on: machine) else { return }
    let now = machine.now
    makeRing(state, replica.clocks)
    if isOfSegment {
      if segments.isFull(at: now, adding: state.bytes) || replica.hasOtherPlugins || !segments.isWriting {
        segments.begin(state, replica.clocks, at: now)
      } else {
        segments.write(state, replica.clocks)
      }
    }
    replica.tookSnapshot(taking: machine.now - now, isOfSegment: isOfSegment)
  }

  /// Takes a snapshot now, if something is kept.
  private mutating func takeSnapshot() {
    guard var replica else { return }
    self.replica = nil
    takeSnapshot(of: &replica, isOfSegment: true)
    self.replica = replica
  }

  /// Makes the next file of the ring. It replaces those that have the frames before, so that these are in the segment by
  /// then.
  private mutating func makeRing(_ state: EncodedHeader, _ clocks: MachineClocks) {
    guard let number = nextRing else { return }
    segments.flush()
    let frame = state.header.snapshot?.frame.number ?? 0
    do {
      try ring.make(number, RingFile.beginning(state, at: clocks.wallTime))
    } catch {
      // The present file goes on as long as there is room.
      return
    }
    (nextRing, isRingNeeded, ringFrame) = (nil, false, frame)
    replacements = max(0, replacements - 1)
    events.post(.ring(number, frame: frame))
  }

  private mutating func fail(_ reason: String) {
    replica = nil
    segments.finish()
    events.post(.failed(reason))
  }

  /// Reports what changed for the loop and the status.
  private mutating func tell() {
    if let problem = segments.takeProblem() { events.post(.problem(problem)) }
    let reach = segments.reach
    shared.reach.withLock { $0 = reach }
  }

  // MARK: Requests

  private func state(after trailing: RecordedFrame?) -> Result<RecordingHeader, Refusal> {
    guard let replica else {
      return .failure(Refusal(.limit, "the history has just been interrupted", remedy: "Retry in a second"))
    }
    return Result { () throws(Refusal) in try replica.state(after: trailing) }
  }

  private mutating func answer(_ request: HistoryRequest, _ number: UInt64) {
    switch request {
    case .segments:
      segments.flush()
      // Whatever hinders it is known before.
      tell()
      events.post(.reply(.segments(HistoryListing(segments.list())), number: number))
    case .part(let segment, let offset):
      if let bytes = segments.part(of: segment, from: offset) {
        events.post(.reply(.part(bytes), number: number))
      } else {
        let refusal = Refusal(
          .notFound, "the history has no segment \(segment) any more", remedy: "List the segments again")
        events.post(.refused(refusal, number: number))
      }
    case .erase:
      segments.erase()
      // In motion, the first file needs the one in use; the second does not.
      replacements = 2
      takeSnapshot()
      events.post(.done(number: number))
    }
    tell()
  }
}

/// The runtime that runs all frames a second time.
private struct Replica {
  private let replayer: Replayer
  private var plugins: [PluginManifest]
  private(set) var clocks: MachineClocks
  /// Whether other plugins are loaded than the segment's header states.
  private(set) var hasOtherPlugins = false
  /// How long the frames have taken to run since the last snapshot of a segment, and since the last of any kind.
  private var cost = (ofSegment: Duration.zero, sinceLast: Duration.zero)
  /// How many frames have been run since the last snapshot of a segment.
  private var frames = 0
  private var costOfSnapshot = Duration.zero

  /// The longest that frames since a snapshot may take to run: a jump to any of them takes less than a tenth of a second.
  private static let mostCost = Duration.milliseconds(50)
  /// How many times the cost of a snapshot the frames between two of a segment must take, so that they do not fill it.
  private static let segmentShare = 4
  /// Likewise those between two of the ring. A start after a kill runs these frames, so they are to be few.
  private static let ringShare = 1

  init(_ header: RecordingHeader, _ clocks: MachineClocks) throws(Refusal) {
    replayer = try Replayer(header)
    replayer.runtime.computesHashes = false
    (plugins, self.clocks) = (header.plugins, clocks)
  }

  mutating func run(_ frame: RecordedFrame) throws(Refusal) {
    _ = try replayer.replay(frame)
    frames += 1
    if let clocks = frame.clocks { self.clocks = clocks }
  }

  mutating func set(_ plugins: [PluginManifest]) {
    let before = Set(self.plugins.map(\.name))
    for plugin in self.plugins where !plugins.contains(plugin) { replayer.runtime.registry.unregister(plugin.name) }
    for plugin in plugins where !before.contains(plugin.name) || !self.plugins.contains(plugin) {
      try? replayer.runtime.registry.register(plugin)
    }
    (self.plugins, hasOtherPlugins) = (plugins, true)
  }

  mutating func add(cost: Duration) {
    self.cost.ofSegment += cost
    self.cost.sinceLast += cost
  }

  func isSegmentDue(_ limits: HistoryLimits) -> Bool {
    frames >= limits.framesBetweenSnapshots || isDue(cost.ofSegment, Self.segmentShare)
  }

  var isRingDue: Bool { isDue(cost.sinceLast, Self.ringShare) }

  private func isDue(_ cost: Duration, _ share: Int) -> Bool { cost >= max(Self.mostCost, costOfSnapshot * share) }

  /// The present state as the beginning of a segment; `nil` if the last frame has left something over.
  mutating func snapshot(on machine: any Machine) -> EncodedHeader? {
    let start = machine.now
    defer { costOfSnapshot = machine.now - start }
    return header(of: replayer.runtime).map(EncodedHeader.init)
  }

  /// The state after the last frame and these events since it.
  ///
  /// The events are applied in a copy: the next frame contains them.
  func state(after trailing: RecordedFrame?) throws(Refusal) -> RecordingHeader {
    guard let header = header(of: replayer.runtime) else { throw .isSettling }
    guard let trailing else { return header }
    guard let state = try Replayer.state(header, after: trailing) else { throw .isSettling }
    return state
  }

  private func header(of runtime: Runtime) -> RecordingHeader? {
    guard let snapshot = runtime.snapshot() else { return nil }
    var header = RecordingHeader(ratePerSecond: runtime.ratePerSecond, plugins: plugins)
    header.snapshot = snapshot
    return header
  }

  mutating func tookSnapshot(taking duration: Duration, isOfSegment: Bool) {
    costOfSnapshot += duration
    cost.sinceLast = .zero
    if isOfSegment { (cost.ofSegment, frames, hasOtherPlugins) = (.zero, 0, false) }
  }
}

import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// The plugins and their workers: starts, watches, restarts and replaces workers, receives their messages and sends
/// them those of the runtime.
///
/// Each call is one event. It changes the workers and their sockets at once, and returns what concerns others, in order:
/// the caller carries out an action, with everything that follows from it, before the next. What the pool has to do
/// after such an action is an action, too (``Action/then(_:)``).
struct WorkerPool {
  /// An action for the owner.
  enum Action {
    /// Apply this to the runtime at once, between frames.
    case apply(RuntimeEvent)
    /// The present life of a worker is over: it answers no question any more.
    case lost(WorkerAddress)
    /// A worker answers the question about its streams with this number.
    case reported(StreamReport, question: UInt64, by: WorkerAddress)
    /// A worker has ended: a stop that waits for all of them may be complete.
    case ended
    /// Call ``WorkerPool/proceed(with:at:)``: the actions before it have to be done first.
    case then(Step)
  }

  /// The rest of an event, after actions of others.
  enum Step {
    /// The end of a life is judged, with its plans as they are now.
    case judge(WorkerSlot, ProcessEnd)
    /// The worker is started again, or not.
    case decide(WorkerSlot, reason: String, lacksRoom: Bool, counts: Bool)
    /// A remote worker has ended.
    case remoteEnded(WorkerSlot, reason: String)
    /// A claimed life begins.
    case begin(WorkerSlot, Claim, key: CurveKey?, routingID: RoutingID, answering: UInt64)
    /// A successor takes the slot, and the worker before it leaves.
    case takeOver(WorkerSlot, from: WorkerSlot)
    /// A worker is replaced, or restarted.
    case replace(WorkerSlot)
    /// A plugin that was removed from disk is dropped if it is not used.
    case drop(PluginName)
    /// The same, once its quarantine was lifted.
    case dropped(PluginName)
    /// The deadlines of a worker's link, and of its life.
    case linkDeadline(WorkerSlot)
    case lifeDeadline(WorkerSlot)
    /// The plugins that were found are registered, after those that are gone were dropped.
    case found(PluginLibrary)
  }

  /// The counters of workers and their messages.
  struct Counters {
    var malformedMessages: UInt64 = 0
    var foreignMessages: UInt64 = 0
    /// Messages in the name of a worker that came from another sender.
    var forgedMessages: UInt64 = 0
    /// Connections that were closed because they had too many topics.
    var excessiveSubscribers: UInt64 = 0
    var ticks: UInt64 = 0
    /// Bytes of messages, without libzmq's own.
    var bytesFromWorkers: UInt64 = 0
    var bytesToWorkers: UInt64 = 0
  }

  /// How long the coordinator waits for the reason after a worker has exited: its last log lines and its exit status
  /// come within milliseconds.
  static let reasonTimeout = Duration.seconds(1)
  /// How many workers are started at a time. A start occupies a processor for 20 to 100 ms, and fifty workers that have
  /// crashed together must not take it from those that serve. So the limit is the number of processors, and at least
  /// two, as a machine that runs a show has. It is at most eight, because starting workers share the same memory and
  /// files.
  static let startsAtATime = min(8, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  let settings: CoordinatorSettings
  let epoch: UInt64
  let logger: Logger
  let runtime: Runtime
  let sockets: Sockets
  let poller: Poller
  let launcher: WorkerLauncher
  let eventDecoder: EventDecoder
  /// The runtime's messages to workers.
  let outbox: Outbox
  var library: PluginLibrary
  var claims: RemoteClaims
  var table = WorkerTable()
  /// Workers whose turn to be started has not come, because too many others are being started.
  var startQueue: [WorkerSlot] = []
  /// The workers' subscriptions to commands and ticks.
  var subscriptions = SubscriptionLedger(topics: Sockets.topicsOfWorker, bytes: Sockets.topicBytesOfWorker)
  var counters = Counters()
  /// Whether the coordinator stops: nothing is restarted, and no claim is accepted.
  var isStopping = false

  var machine: any Machine { settings.machine }

  init(
    _ settings: CoordinatorSettings, epoch: UInt64, _ runtime: Runtime, _ library: PluginLibrary,
    _ claims: RemoteClaims,
    _ launcher: WorkerLauncher, _ outbox: Outbox, _ sockets: Sockets, _ poller: Poller, logger: Logger
  ) throws {
    (self.settings, self.epoch, self.runtime, self.library) = (settings, epoch, runtime, library)
    (self.claims, self.launcher, self.outbox, self.sockets) = (claims, launcher, outbox, sockets)
    (self.poller, self.logger) = (poller, logger)
    eventDecoder = try EventDecoder(on: settings.machine)
  }

  /// Does the rest of an event.
  mutating func proceed(with step: Step, at now: Duration) -> [Action] {
    switch step {
    case .judge(let slot, let end): judge(slot, end, at: now)
    case .decide(let slot, let reason, let lacksRoom, let counts):
      decide(slot, reason, lacksRoom: lacksRoom, counts: counts, at: now)
    case .remoteEnded(let slot, let reason): remoteEnded(slot, reason, at: now)
    case .begin(let slot, let claim, let key, let routingID, let number):
      begin(slot, by: claim, key, from: routingID, answering: number, at: now)
    case .takeOver(let successor, let former): takeOver(successor, from: former, at: now)
    case .replace(let slot): replace(slot, at: now)
    case .drop(let plugin): drop(plugin)
    case .dropped(let plugin): dropped(plugin)
    case .linkDeadline(let slot): linkDeadline(of: slot, at: now)
    case .lifeDeadline(let slot): lifeDeadline(of: slot, at: now)
    case .found(let plugins): register(plugins)
    }
  }

  // MARK: The runtime's messages

  /// The messages of the runtime since the last call; each is passed to ``send(_:next:at:)``.
  func takeOutbox() -> [Outbox.Command] { outbox.take() }

  /// Sends a message of the runtime to a worker, or starts the worker.
  ///
  /// - Parameter next: the next frame, which is announced to a worker that gets its snapshot.
  mutating func send(_ command: Outbox.Command, next: Frame?, at now: Duration) -> [Action] {
    switch command {
    case .need(let worker):
      guard let slot = slot(for: worker) else { return [] }
      return perform(slot.life.need(at: now), for: slot, at: now)
    case .command(let command, let worker):
      guard let slot = table[worker], let conversation = slot.conversation,
        let envelope = conversation.link.send(command, at: now).publish
      else { return [] }
      noteHandedOver(command, to: slot, at: now)
      publish(envelope, on: conversation.link.topics.commands, of: sockets.commands)
    case .snapshot(let snapshot, let worker):
      guard let slot = table[worker], let envelope = slot.conversation?.link.provide(snapshot, at: now) else {
        return []
      }
      noteHandedOver(snapshot, to: slot, at: now)
      sendOnLink(envelope, to: slot)
      if let next { announce(next, at: now) }
    }
    return []
  }

  /// Releases the workers in which no executor lives any more, except those that the coordinator could not start again.
  func releaseIdle(at now: Duration) {
    for slot in table.slots.values where slot.remote == nil && slot.life.isNeeded {
      if runtime.executorCount(in: slot.address) == 0 { slot.life.release(at: now) }
    }
  }

  /// Sends the next frame as a tick to the workers that want it.
  mutating func announce(_ frame: Frame, at now: Duration) {
    for slot in table.inOrder where runtime.wantsFrames(slot.address) {
      guard let conversation = slot.conversation, let tick = conversation.link.tick(frame, at: now) else { continue }
      publish(tick, on: conversation.link.topics.ticks, of: sockets.ticks)
      slot.gate.asked(at: now)
      counters.ticks += 1
    }
  }

  /// Whether a worker that needs the frame has not answered its tick yet.
  func isAwaited(_ frame: Frame) -> Bool {
    table.inOrder.contains { slot in
      guard runtime.wantsFrames(slot.address), let conversation = slot.conversation else { return false }
      return conversation.link.isProvisioned && slot.program.manifest.wantsUpdates
        && conversation.lastUpdateFrame < frame.number
    }
  }

  /// The heartbeat of a worker is frequent while an executor in it is active, whether or not frames are taken: a hung
  /// worker that holds a token is detected as soon as one that moves something.
  mutating func refreshHeartbeats(at now: Duration) -> [Action] {
    var actions: [Action] = []
    for slot in table.all {
      guard let due = slot.conversation?.link.setActive(runtime.isActive(slot.address), at: now), !due.isEmpty else {
        continue
      }
      actions += perform(due, for: slot, at: now)
    }
    return actions
  }

  /// Whether any of the workers of these executors serves.
  func serves(_ executors: [WorkerAddress: [ExecutorHandle]]) -> Bool {
    table.inOrder.contains { executors[$0.address] != nil && $0.link?.isProvisioned == true }
  }

  /// Queries workers about their streams.
  ///
  /// - Parameters:
  ///   - executors: the executors by worker.
  ///   - isAll: whether each worker is queried about all of its executors.
  /// - Returns: the number of the question, by worker.
  mutating func inspect(
    _ executors: [WorkerAddress: [ExecutorHandle]], isAll: Bool, at now: Duration
  ) -> [WorkerAddress: UInt64] {
    var numbers: [WorkerAddress: UInt64] = [:]
    for slot in table.inOrder where slot.link?.isProvisioned == true {
      guard let handles = executors[slot.address] else { continue }
      guard let envelope = slot.conversation?.link.inspect(isAll ? [] : handles, at: now) else { continue }
      numbers[slot.address] = envelope.sequence
      sendOnLink(envelope, to: slot)
    }
    return numbers
  }

  mutating func publish(_ envelope: Envelope, on topic: String, of socket: PublishSocket) {
    // A full queue loses it; the worker detects the gap and requests a snapshot.
    let frame = Topic.frame(topic, envelope)
    counters.bytesToWorkers += UInt64(frame.count)
    _ = try? socket.send(frame)
  }

  mutating func sendOnLink(_ envelope: Envelope, to slot: WorkerSlot) {
    guard let routingID = slot.conversation?.routingID else { return }
    sendOnLink(envelope, to: routingID)
  }

  mutating func sendOnLink(_ envelope: Envelope, to routingID: RoutingID) {
    // Lost if the receiver has gone; otherwise it retries.
    let bytes = envelope.encoded()
    counters.bytesToWorkers += UInt64(bytes.count)
    _ = try? sockets.link.send(bytes, to: routingID)
  }

  // MARK: Time

  /// When ``deadline(of:at:)`` has to be called for one of the workers; `nil` when time changes nothing.
  var nextDeadline: Duration? {
    // No array: this property is read in every turn.
    var next: Duration?
    func note(_ deadline: Duration?) {
      guard let deadline else { return }
      next = next.map { min($0, deadline) } ?? deadline
    }
    func note(_ slot: WorkerSlot) {
      note(slot.reasonDue)
      note(slot.conversation?.link.nextDeadline)
      note(slot.life.nextDeadline(linger: settings.workerLinger))
      note(slot.log.nextDeadline)
      note(takingBack(of: slot))
      if slot.conversation != nil { note(slot.suspicion.nextDeadline) }
    }
    for slot in table.inOrder { note(slot) }
    for slot in table.departing { note(slot) }
    for slot in table.successors.values { note(slot) }
    return next
  }

  /// Handles what is due of a worker, in order: the end of its life, its link, its life, and the rest.
  mutating func deadline(of slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let due = slot.reasonDue, now >= due else { return linkDeadline(of: slot, at: now) }
    return ended(slot, .unknown(""), at: now) + [.then(.linkDeadline(slot))]
  }

  private mutating func linkDeadline(of slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let conversation = slot.conversation, let due = conversation.link.nextDeadline, now >= due else {
      return lifeDeadline(of: slot, at: now)
    }
    return perform(conversation.link.deadline(at: now), for: slot, at: now) + [.then(.lifeDeadline(slot))]
  }

  private mutating func lifeDeadline(of slot: WorkerSlot, at now: Duration) -> [Action] {
    var actions = perform(slot.life.deadline(at: now, linger: settings.workerLinger), for: slot, at: now)
    actions += takeBack(slot, at: now)
    actions += watchBisection(of: slot, at: now)
    if let note = slot.log.deadline(at: now) {
      logger.info("\(slot.address): \(note)", metadata: metadata(of: slot))
    }
    return actions
  }

  /// The coordinator was suspended, or could not run: the silence of workers in that time does not count against them.
  func wasStalled(at now: Duration) {
    for slot in table.all { slot.conversation?.link.wasStalled(at: now) }
  }

  // MARK: The end

  /// Whether a worker has a process, or holds a slot elsewhere.
  var hasProcesses: Bool { table.all.contains { $0.life.hasProcess } }

  /// The coordinator stops: workers finish, and none is started again.
  mutating func retireAll(at now: Duration) -> [Action] {
    isStopping = true
    return table.all.flatMap { perform($0.life.retire(at: now), for: $0, at: now) }
  }

  /// Workers have had their time to finish.
  mutating func endAll(at now: Duration) -> [Action] {
    table.all.flatMap { slot -> [Action] in
      // A remote worker cannot be killed from here; it stops by itself when its lease ends.
      guard slot.remote != nil, slot.life.hasProcess else {
        launcher.kill(slot, SIGKILL)
        return []
      }
      return endRemote(slot, "it did not finish before motiond stopped", isReleased: false, at: now)
    }
  }

  /// Kills every process that runs.
  func killAll() { for slot in table.all { launcher.kill(slot, SIGKILL) } }

  /// Reports the workers that have not ended, though they were killed.
  func reportLeftovers() {
    for slot in table.all where slot.life.hasProcess {
      logger.error("\(slot.address) has not ended, although it was killed")
    }
  }

  /// The coordinator has stopped: later events of processes are not received any more.
  func end() { launcher.processes.end() }

  // MARK: Log

  /// The metadata of a log entry about a worker. For journald these are the fields to search by, such as
  /// `MOTIOND_PLUGIN=tween`; elsewhere there are none, as the text names the worker.
  func metadata(of slot: WorkerSlot) -> Logger.Metadata {
    guard logger.handler is JournaldLogHandler else { return [:] }
    return [
      "plugin": "\(slot.address.plugin)", "instance": "\(slot.address.instance)", "incarnation": "\(slot.incarnation)",
    ]
  }

  /// The incarnation and process that a log entry is about; shown to people, too.
  func lifeMetadata(of slot: WorkerSlot) -> Logger.Metadata {
    var metadata = metadata(of: slot)
    metadata["incarnation"] = "\(slot.incarnation)"
    if let running = slot.running { metadata["pid"] = "\(running.id)" }
    return metadata
  }
}

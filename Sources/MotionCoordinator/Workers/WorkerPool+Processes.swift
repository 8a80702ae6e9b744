import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Starts processes and handles their ends.
extension WorkerPool {
  /// The slot of a worker, made when it is first needed; `nil` for a plugin that cannot be run.
  mutating func slot(for worker: WorkerAddress) -> WorkerSlot? {
    if let slot = table[worker] { return slot }
    guard let slot = makeSlot(for: worker) else { return nil }
    table.insert(slot)
    return slot
  }

  /// A new slot of a worker, made from its plugin's present files; it is not yet in the table.
  func makeSlot(for worker: WorkerAddress) -> WorkerSlot? {
    guard let program = library[worker.plugin].flatMap(launcher.program) else {
      logger.error("\(worker) is needed, but its plugin was not found")
      return nil
    }
    let slot = WorkerSlot(address: worker, program: program)
    if isAwaited(worker) { slot.remote = claims.holder(of: worker) }
    if let problem = launcher.missingShare(of: slot) { logger.notice("\(worker): \(problem)") }
    return slot
  }

  /// Carries out an action of a worker's life.
  mutating func perform(_ action: WorkerLife.Action?, for slot: WorkerSlot, at now: Duration) -> [Action] {
    // Its key may have been authorized while its process ran here.
    if action == .spawn, slot.remote == nil, isAwaited(slot.address) {
      slot.remote = claims.holder(of: slot.address)
    }
    switch action {
    case nil: break
    case .spawn where slot.remote != nil:
      if slot.conversation == nil {
        logger.notice("\(slot.address) is needed; waiting for it to connect from another machine")
      }
    case .spawn:
      startQueue.append(slot)
      return startQueued(at: now)
    case .shutDown where slot.remote != nil && slot.conversation == nil:
      return endRemote(slot, "it was not connected", isReleased: false, at: now)
    case .terminate where slot.remote != nil, .kill where slot.remote != nil:
      return endRemote(slot, "it did not finish in time", isReleased: false, at: now)
    case .shutDown:
      if let conversation = slot.conversation, let envelope = conversation.link.drain(isFinal: isStopping, at: now) {
        publish(envelope, on: conversation.link.topics.commands, of: sockets.commands)
      }
    case .terminate: launcher.kill(slot, SIGTERM)
    case .kill: launcher.kill(slot, SIGKILL)
    case .quarantine(let reason): return quarantine(slot.address.plugin, because: slot, reason)
    }
    return []
  }

  /// Starts queued workers as far as the limit allows; those that are no longer wanted have ended before they began.
  mutating func startQueued(at now: Duration) -> [Action] {
    guard !startQueue.isEmpty else { return [] }
    var starting = table.all.count { $0.process != nil && $0.link?.state == .starting }
    var actions: [Action] = []
    var left: [WorkerSlot] = []
    let queue = startQueue
    startQueue = []
    for slot in queue {
      if slot.life.state != .running {
        actions += ended(slot, .notStarted("it was not needed any more"), at: now)
      } else if starting < Self.startsAtATime {
        starting += 1
        spawn(slot, at: now)
      } else {
        left.append(slot)
      }
    }
    startQueue = left + startQueue
    return actions
  }

  /// Begins a new life of a worker: a new incarnation, a link, a process.
  private mutating func spawn(_ slot: WorkerSlot, at now: Duration) {
    let incarnation = table.nextIncarnation()
    let process = launcher.start(slot, incarnation: incarnation)
    connect(slot, .local(LocalProcess(process: process)), incarnation: incarnation, at: now)
  }

  /// Begins the conversation with a new incarnation of a worker.
  mutating func connect(_ slot: WorkerSlot, _ body: WorkerSlot.Body, incarnation: UInt64, at now: Duration) {
    let (manifest, isRemote) = (slot.program.manifest, slot.remote != nil)
    let link = CoordinatorLink(
      epoch: epoch, address: slot.address, incarnation: incarnation,
      executors: Array(Set(manifest.intentions.map(\.executor))).sorted(), wantsUpdates: manifest.wantsUpdates,
      isLeased: isRemote, timing: isRemote ? .network : .local, at: now)
    slot.begin(WorkerConversation(link), body, incarnation: incarnation)
    table.connect(slot)
    do {
      try sockets.events.subscribe(Topic.subscription(link.topics.events))
    } catch {
      logger.error("\(slot.address): its events cannot be received: \(error)", metadata: metadata(of: slot))
    }
  }

  // MARK: Events of processes

  /// The events of processes since the last call; each is passed to ``receive(_:at:)-(WorkerLauncher.Event,_)``.
  func takeProcessEvents() -> [WorkerLauncher.Event] { launcher.events.take() }

  /// An event of a worker's process. An event of a process whose end is settled already is late and ignored.
  mutating func receive(_ event: WorkerLauncher.Event, at now: Duration) -> [Action] {
    guard let slot = table.slot(of: event.address, incarnation: event.incarnation), let process = slot.process else {
      return []
    }
    switch event.event {
    case .spawned(let processID): return hold(processID, of: slot, at: now)
    case .printed(let lines):
      for line in lines { heard(line, from: slot, at: now) }
      process.heard()
      return []
    case .ended(let end): return ended(slot, end, at: now)
    }
  }

  /// Watches for the end of a worker's process, which runs or has already exited.
  private mutating func hold(_ processID: Int32, of slot: WorkerSlot, at now: Duration) -> [Action] {
    do {
      guard let handle = try launcher.processes.watch(processID) else {
        return noteDeath(of: slot, processID: processID, at: now)
      }
      slot.spawned(
        .init(id: processID, handle: handle, registration: poller.add(descriptor: handle.descriptor)))
    } catch {
      // Without a descriptor for the process its end would not be detected.
      logger.error("\(slot.address) cannot be watched: \(error)", metadata: metadata(of: slot))
      slot.fence(.unwatchable("it could not be watched (\(error))"))
      return noteDeath(of: slot, processID: processID, at: now)
    }
    slot.life.foundRoom()
    logger.info("\(slot.address) was started", metadata: lifeMetadata(of: slot))
    // The worker was fenced before its process ID was known.
    if slot.conversation == nil { launcher.kill(slot, SIGKILL) }
    return []
  }

  /// The workers whose processes have ended since the last poll; each is passed to ``noteDeath(of:at:)``.
  func exitedWorkers() -> [WorkerSlot] {
    table.all.filter { $0.running.map { poller.isReadable($0.registration) } ?? false }
  }

  /// The kernel reports that a worker's process has ended: its tokens end at once; the reason arrives a little later.
  mutating func noteDeath(of slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let running = slot.running else { return [] }
    poller.remove(running.registration)
    return noteDeath(of: slot, processID: running.id, at: now)
  }

  private mutating func noteDeath(of slot: WorkerSlot, processID: Int32, at now: Duration) -> [Action] {
    // Processes that the worker has started end with it. The group still has its name, because its leader is not
    // released.
    launcher.kill(processID, SIGKILL)
    let actions = endLink(of: slot)
    slot.process?.release()
    slot.exited(at: now, reasonDue: now + Self.reasonTimeout)
    return actions
  }

  /// A worker's process has ended, or could not be started: decides whether it is started again.
  mutating func ended(_ slot: WorkerSlot, _ end: ProcessEnd, at now: Duration) -> [Action] {
    let actions = slot.running != nil ? noteDeath(of: slot, at: now) : endLink(of: slot)
    slot.settle()
    return actions + [.then(.judge(slot, end))]
  }

  /// Decides which plan, if any, caused the end of a worker.
  mutating func judge(_ slot: WorkerSlot, _ end: ProcessEnd, at now: Duration) -> [Action] {
    let limits = slot.program.launch.limits.description
    let bound = end.isFailure && !limits.isEmpty ? " (its limits: \(limits))" : ""
    let isExpected = if case .stopping = slot.life.state { true } else { false }
    let inWords = end.description(asked: isExpected)
    let reason = (slot.fencing.reason.map { "\($0); \(inWords)" } ?? inWords) + bound
    if table.isAside(slot) { return departed(slot, reason, at: now) }
    let lacksRoom =
      switch (end, slot.fencing) {
      case (.noRoom, _), (_, .unwatchable): true
      default: false
      }
    if isExpected {
      logger.info("\(slot.address) has stopped: \(reason)", metadata: metadata(of: slot))
    } else if lacksRoom {
      // Logged once for each shortage, not for each retry.
      if !slot.life.lacksRoom {
        logger.error("\(slot.address) cannot be started, and is retried: \(reason)", metadata: metadata(of: slot))
      }
    } else {
      logger.warning("\(slot.address) died: \(reason)", metadata: metadata(of: slot))
    }
    let verdict = verdict(on: slot, end, reason, isExpected: isExpected, at: now)
    // The verdict's actions may already give the plugin up.
    return perform(verdict.actions, for: slot, at: now)
      + [.then(.decide(slot, reason: reason, lacksRoom: lacksRoom, counts: verdict.counts))]
  }

  /// Decides whether a worker that has ended is started again.
  mutating func decide(
    _ slot: WorkerSlot, _ reason: String, lacksRoom: Bool, counts: Bool, at now: Duration
  ) -> [Action] {
    let next =
      lacksRoom ? slot.life.foundNoRoom(reason, at: now) : slot.life.died(reason, counts: counts, at: now)
    var actions = perform(next, for: slot, at: now)
    // If a successor is being started already, it takes the slot at once, and no client waits for another life of this
    // worker.
    if let successor = table.successors[slot.address] { actions += promote(successor, at: now) }
    return actions + dropIfRemoved(slot.address.plugin) + [.ended]
  }
}

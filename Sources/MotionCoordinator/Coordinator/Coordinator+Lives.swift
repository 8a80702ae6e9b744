import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// How long the coordinator waits for the reason after a worker has exited: its last log lines and its exit status
  /// come within milliseconds.
  static let reasonTimeout = Duration.seconds(1)

  /// The slot of a worker, made when it is first needed; `nil` for a plugin that cannot be run.
  func slot(for worker: WorkerAddress) -> WorkerSlot? {
    if let slot = slots[worker] { return slot }
    guard let slot = makeSlot(for: worker) else { return nil }
    slots[worker] = slot
    slotsInOrder.insert(slot, at: slotsInOrder.firstIndex { worker < $0.address } ?? slotsInOrder.endIndex)
    return slot
  }

  /// A new slot of a worker, made from its plugin's present files; it is not yet in the coordinator's tables.
  func makeSlot(for worker: WorkerAddress) -> WorkerSlot? {
    guard let plugin = library[worker.plugin], let manifest = plugin.manifest, let executable = plugin.executable else {
      logger.error("\(worker) is needed, but its plugin is not there")
      return nil
    }
    let launch = WorkerProcess.Launch(
      executable: executable, arguments: manifest.arguments, environment: [:], directory: plugin.path,
      program: manifest.executable, parentDeathSignal: manifest.onLost == .rest ? SIGTERM : SIGKILL,
      limits: ProcessLimits(
        asked: manifest.limits.restricted(by: settings.limits(of: worker.plugin)),
        softDescriptors: settings.workerDescriptorLimit))
    let slot = WorkerSlot(address: worker, manifest: manifest, launch: launch)
    if isAwaited(worker) { slot.remote = remoteHolder(of: worker) }
    if let problem = missingShare(of: slot) { logger.notice("\(worker): \(problem)") }
    return slot
  }

  /// Carries out an action of a worker's life.
  func perform(_ action: WorkerLife.Action?, for slot: WorkerSlot, at now: Duration) {
    // Its key may have been authorized while its process ran here.
    if action == .spawn, slot.remote == nil, isAwaited(slot.address) { slot.remote = remoteHolder(of: slot.address) }
    switch action {
    case nil: break
    case .spawn where slot.remote != nil:
      if slot.link == nil { logger.notice("\(slot.address) is needed, and waited for") }
    case .spawn:
      startQueue.append(slot)
      startQueued(at: now)
    case .shutDown where slot.remote != nil && slot.link == nil:
      remoteEnded(slot, "it was not there", isReleased: false, at: now)
    case .terminate where slot.remote != nil, .kill where slot.remote != nil:
      remoteEnded(slot, "it did not finish in time", isReleased: false, at: now)
    case .shutDown:
      if let envelope = slot.link?.drain(at: now), let topic = slot.link?.topics.commands {
        publish(envelope, on: topic, of: sockets.commands)
      }
    case .terminate: kill(slot, SIGTERM)
    case .kill: kill(slot, SIGKILL)
    case .quarantine(let reason): quarantine(slot.address.plugin, because: slot, reason)
    }
  }

  /// How many workers are started at a time. A start occupies a processor for 20 to 100 ms, and fifty workers that have
  /// crashed together must not take it from those that serve. So the limit is the number of processors, and at least
  /// two, as a machine that runs a show has. It is at most eight, because starting workers share the same memory and
  /// files.
  static let startsAtATime = min(8, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Starts queued workers as far as the limit allows; those that are no longer wanted have ended before they began.
  func startQueued(at now: Duration) {
    guard !startQueue.isEmpty else { return }
    var starting = allSlots.count { slot in
      slot.process != nil && slot.link.map { $0.state == .starting } ?? false
    }
    var left: [WorkerSlot] = []
    let queue = startQueue
    startQueue = []
    for slot in queue {
      if slot.life.state != .running {
        ended(slot, .notStarted("nobody needed it any more"), at: now)
      } else if starting < Self.startsAtATime {
        starting += 1
        spawn(slot, at: now)
      } else {
        left.append(slot)
      }
    }
    startQueue = left + startQueue
  }

  /// Begins a new life of a worker: a new incarnation, a link, a process.
  private func spawn(_ slot: WorkerSlot, at now: Duration) {
    beginLink(of: slot, at: now)
    let incarnation = slot.incarnation
    var launch = slot.launch
    launch.environment = environment(of: slot)
    launch.share = share(of: slot)
    let address = slot.address
    slot.process = WorkerProcess(launch, on: processes) { [processEvents] event in
      processEvents.post(ProcessEvent(address: address, incarnation: incarnation, event: event))
    }
  }

  /// Begins the link to a new incarnation of a worker.
  func beginLink(of slot: WorkerSlot, at now: Duration) {
    lastIncarnation += 1
    slot.incarnation = lastIncarnation
    (slot.fenceReason, slot.lastSign, slot.fellSilent, slot.lacksRoom) = (nil, nil, false, false)
    slot.suspicion.begins()
    let isRemote = slot.remote != nil
    let link = CoordinatorLink(
      epoch: epoch, address: slot.address, incarnation: slot.incarnation,
      executors: Array(Set(slot.manifest.intentions.map(\.executor))).sorted(),
      wantsUpdates: slot.manifest.wantsUpdates, isLeased: isRemote, timing: isRemote ? .network : .local, at: now)
    slot.link = link
    slotOfIncarnation[slot.incarnation] = slot
    do {
      try sockets.events.subscribe(Topic.subscription(link.topics.events))
    } catch {
      logger.error("\(slot.address): its events cannot be heard: \(error)", metadata: metadata(of: slot))
    }
  }

  /// Whether a worker connects from elsewhere and is waited for instead of started.
  func isAwaited(_ worker: WorkerAddress) -> Bool {
    settings.workerListener != nil && authorized.names(worker)
  }

  /// The holder of a slot that is waited for. The process that held the slot in an earlier start may still have a lease
  /// from then.
  func remoteHolder(of worker: WorkerAddress) -> RemoteHolder {
    guard let claimant = register?.holder(of: worker) else { return RemoteHolder(assignment: RemoteAssignment()) }
    return RemoteHolder(
      assignment: RemoteAssignment(lastHeldBy: claimant, until: startTime + LinkTiming.network.longestLease))
  }

  /// The environment of a worker, built from empty: the variables of the protocol, and those that its manifest lists.
  private func environment(of slot: WorkerSlot) -> [String: String] {
    // A crash is reported in a line or two, so that a worker's own last log lines stay visible. A plugin that needs
    // backtraces lists the variable in its manifest, and the operator sets it for motiond.
    var environment = ["SWIFT_BACKTRACE": "enable=no"]
    for name in slot.manifest.environment {
      if let value = settings.environment[name] { environment[name] = value }
    }
    environment["MOTION_PLUGIN"] = slot.address.plugin.text
    environment["MOTION_INSTANCE"] = "\(slot.address.instance)"
    environment["MOTION_INCARNATION"] = "\(slot.incarnation)"
    environment["MOTION_EPOCH"] = "\(epoch)"
    environment["MOTION_LINK"] = directory.link.address
    environment["MOTION_COMMANDS"] = directory.commands.address
    environment["MOTION_TICKS"] = directory.ticks.address
    environment["MOTION_EVENTS"] = directory.events.address
    environment["MOTION_ON_LOST"] = slot.manifest.onLost.rawValue
    return environment
  }

  /// Receives the events of worker processes. An event of a process whose end is settled already is late and ignored.
  func receiveProcessEvents(at now: Duration) {
    for event in processEvents.take() {
      guard let slot = slot(of: event.address, incarnation: event.incarnation), slot.process != nil else { continue }
      switch event.event {
      case .spawned(let processID): hold(processID, of: slot, at: now)
      case .printed(let lines):
        for line in lines { heard(line, from: slot, at: now) }
        slot.process?.heard()
      case .ended(let end): ended(slot, end, at: now)
      }
    }
  }

  /// Watches for the end of a worker's process, which runs or has already exited.
  private func hold(_ processID: Int32, of slot: WorkerSlot, at now: Duration) {
    slot.processID = processID
    do {
      guard let handle = try processes.watch(processID) else { return noteDeath(of: slot, at: now) }
      slot.handle = handle
      slot.registration = poller.add(descriptor: handle.descriptor)
    } catch {
      // Without a descriptor for the process its end would not be detected.
      logger.error("\(slot.address) cannot be watched: \(error)", metadata: metadata(of: slot))
      (slot.fenceReason, slot.lacksRoom) = ("it could not be watched (\(error))", true)
      return noteDeath(of: slot, at: now)
    }
    slot.life.foundRoom()
    logger.info("\(slot.address) was started", metadata: lifeMetadata(of: slot))
    // The worker was fenced before its process ID was known.
    if slot.link == nil { kill(slot, SIGKILL) }
  }

  /// The kernel reports that a worker's process has ended: its tokens end at once; the reason arrives a little later.
  func noteDeath(of slot: WorkerSlot, at now: Duration) {
    if let registration = slot.registration { poller.remove(registration) }
    slot.registration = nil
    slot.handle = nil
    // Processes that the worker has started end with it. The group still has its name, because its leader is not
    // released.
    kill(slot, SIGKILL)
    slot.processID = nil
    slot.process?.release()
    slot.endDeadline = now + Self.reasonTimeout
    slot.lastSign = slot.lastSign ?? now
    endLink(of: slot, at: now)
  }

  /// A worker's process has ended, or could not be started: decides whether it is started again.
  private func ended(_ slot: WorkerSlot, _ end: ProcessEnd, at now: Duration) {
    if slot.processID != nil { noteDeath(of: slot, at: now) }
    endLink(of: slot, at: now)
    slot.process = nil
    slot.endDeadline = nil
    let limits = slot.launch.limits.description
    let bound = end.isFailure && !limits.isEmpty ? " (its limits: \(limits))" : ""
    let isExpected = if case .stopping = slot.life.state { true } else { false }
    let inWords = end.description(asked: isExpected)
    let reason = (slot.fenceReason.map { "\($0); \(inWords)" } ?? inWords) + bound
    if isAside(slot) { return departed(slot, reason, at: now) }
    let lacksRoom = if case .noRoom = end { true } else { slot.lacksRoom }
    if isExpected {
      logger.info("\(slot.address) has stopped: \(reason)", metadata: metadata(of: slot))
    } else if lacksRoom {
      // Logged once for each shortage, not for each retry.
      if !slot.life.lacksRoom {
        logger.error("\(slot.address) is tried again and again: \(reason)", metadata: metadata(of: slot))
      }
    } else {
      logger.warning("\(slot.address) died: \(reason)", metadata: metadata(of: slot))
    }
    let verdict = judge(slot, end, reason, isExpected: isExpected, at: now)
    // The verdict's actions may already have given the plugin up.
    perform(verdict.actions, for: slot, at: now)
    let next =
      lacksRoom
      ? slot.life.foundNoRoom(reason, at: now) : slot.life.died(reason, counts: verdict.counts, at: now)
    perform(next, for: slot, at: now)
    // If a successor is being started already, it takes the slot at once, and no client waits for another life of this
    // worker.
    if let successor = successors[slot.address] { promote(successor, at: now) }
    if library[slot.address.plugin]?.isRemoved == true { dropRemovedPlugins() }
    finishStoppingIfDone()
  }

  /// Handles links and lives whose deadline has passed.
  func watchWorkers(at now: Duration) {
    for slot in allSlots {
      if let due = slot.endDeadline, now >= due { ended(slot, .unknown(""), at: now) }
      if let due = slot.link?.nextDeadline, now >= due {
        perform(slot.link?.deadline(at: now) ?? [], for: slot, at: now)
      }
      perform(slot.life.deadline(at: now, linger: settings.workerLinger), for: slot, at: now)
      if let due = takingBack(of: slot), now >= due { takeBack(slot, at: now) }
      watchBisection(of: slot, at: now)
      if let note = slot.log.deadline(at: now) {
        logger.info("\(slot.address): \(note)", metadata: metadata(of: slot))
      }
    }
  }
}

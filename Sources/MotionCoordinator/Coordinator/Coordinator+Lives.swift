import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// How long a worker that has died may take to say why: its last words and its status come within milliseconds.
  static let reasonPatience = Duration.seconds(1)

  /// The seat of a worker, made when it is first needed; `nil` for a plugin that cannot be run.
  func seat(for worker: WorkerAddress) -> WorkerSeat? {
    if let seat = seats[worker] { return seat }
    guard let seat = makeSeat(for: worker) else { return nil }
    seats[worker] = seat
    seatsInOrder.insert(seat, at: seatsInOrder.firstIndex { worker < $0.address } ?? seatsInOrder.endIndex)
    return seat
  }

  /// A new seat of a worker, as its plugin is now; it has no place yet.
  func makeSeat(for worker: WorkerAddress) -> WorkerSeat? {
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
    let seat = WorkerSeat(address: worker, manifest: manifest, launch: launch)
    if isAwaited(worker) { seat.remote = remoteHolder(of: worker) }
    if let problem = missingShare(of: seat) { logger.notice("\(worker): \(problem)") }
    return seat
  }

  /// Does what a worker's life asks for.
  func perform(_ action: WorkerLife.Action?, for seat: WorkerSeat, at now: Duration) {
    // Its key may have been authorized while it was here.
    if action == .spawn, seat.remote == nil, isAwaited(seat.address) { seat.remote = remoteHolder(of: seat.address) }
    switch action {
    case nil: break
    case .spawn where seat.remote != nil:
      if seat.link == nil { logger.notice("\(seat.address) is needed, and waited for") }
    case .spawn:
      startQueue.append(seat)
      startQueued(at: now)
    case .shutDown where seat.remote != nil && seat.link == nil:
      remoteEnded(seat, "it was not there", isReleased: false, at: now)
    case .terminate where seat.remote != nil, .kill where seat.remote != nil:
      remoteEnded(seat, "it did not finish in time", isReleased: false, at: now)
    case .shutDown:
      if let envelope = seat.link?.drain(at: now), let topic = seat.link?.topics.commands {
        publish(envelope, on: topic, of: sockets.commands)
      }
    case .terminate: kill(seat, SIGTERM)
    case .kill: kill(seat, SIGKILL)
    case .quarantine(let reason): quarantine(seat.address.plugin, because: seat, reason)
    }
  }

  /// How many workers are being started at a time: beginning takes a processor for 20 to 100 ms, and fifty that have died
  /// together must not keep it from those who serve. So as many as there are processors, of which a machine that runs a show
  /// has two or more; and no more than eight, which get memory and files from the same places.
  static let startsAtATime = min(8, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Starts workers whose turn has come; those that nobody wants any more have ended before they began.
  func startQueued(at now: Duration) {
    guard !startQueue.isEmpty else { return }
    var starting = allSeats.count { seat in
      seat.process != nil && seat.link.map { $0.state == .starting } ?? false
    }
    var left: [WorkerSeat] = []
    let queue = startQueue
    startQueue = []
    for seat in queue {
      if seat.life.state != .running {
        ended(seat, .notStarted("nobody needed it any more"), at: now)
      } else if starting < Self.startsAtATime {
        starting += 1
        spawn(seat, at: now)
      } else {
        left.append(seat)
      }
    }
    startQueue = left + startQueue
  }

  /// Begins a new life of a worker: a new incarnation, a link, a process.
  private func spawn(_ seat: WorkerSeat, at now: Duration) {
    beginLink(of: seat, at: now)
    let incarnation = seat.incarnation
    var launch = seat.launch
    launch.environment = environment(of: seat)
    launch.share = share(of: seat)
    let address = seat.address
    seat.process = WorkerProcess(launch, on: processes) { [processNews] event in
      processNews.post(ProcessNews(address: address, incarnation: incarnation, event: event))
    }
  }

  /// Begins the link to a new incarnation of a worker.
  func beginLink(of seat: WorkerSeat, at now: Duration) {
    lastIncarnation += 1
    seat.incarnation = lastIncarnation
    (seat.fenceReason, seat.lastSign, seat.fellSilent, seat.lacksRoom) = (nil, nil, false, false)
    seat.suspicion.begins()
    let isRemote = seat.remote != nil
    let link = CoordinatorLink(
      epoch: epoch, address: seat.address, incarnation: seat.incarnation,
      executors: Array(Set(seat.manifest.intentions.map(\.executor))).sorted(),
      wantsUpdates: seat.manifest.wantsUpdates, isLeased: isRemote, timing: isRemote ? .network : .local, at: now)
    seat.link = link
    seatOfIncarnation[seat.incarnation] = seat
    do {
      try sockets.events.subscribe(Topic.subscription(link.topics.events))
    } catch {
      logger.error("\(seat.address): its events cannot be heard: \(error)", metadata: metadata(of: seat))
    }
  }

  /// Whether a worker is waited for instead of started.
  func isAwaited(_ worker: WorkerAddress) -> Bool {
    settings.workerListener != nil && authorized.names(worker)
  }

  /// A seat that is waited for: who had it in an earlier start may still have a lease from then.
  func remoteHolder(of worker: WorkerAddress) -> RemoteHolder {
    guard let claimant = register?.holder(of: worker) else { return RemoteHolder(seat: RemoteSeat()) }
    return RemoteHolder(
      seat: RemoteSeat(lastHeldBy: claimant, until: startTime + LinkTiming.network.longestLease))
  }

  /// The environment of a worker, built from empty: what it has to know, and what its manifest lists.
  private func environment(of seat: WorkerSeat) -> [String: String] {
    // A crash is told in a line or two, so that a worker's own last words stay in view; whoever wants to see backtraces
    // lists the variable in the manifest and sets it for motiond.
    var environment = ["SWIFT_BACKTRACE": "enable=no"]
    for name in seat.manifest.environment {
      if let value = settings.environment[name] { environment[name] = value }
    }
    environment["MOTION_PLUGIN"] = seat.address.plugin.text
    environment["MOTION_INSTANCE"] = "\(seat.address.instance)"
    environment["MOTION_INCARNATION"] = "\(seat.incarnation)"
    environment["MOTION_EPOCH"] = "\(epoch)"
    environment["MOTION_LINK"] = directory.link.address
    environment["MOTION_COMMANDS"] = directory.commands.address
    environment["MOTION_TICKS"] = directory.ticks.address
    environment["MOTION_EVENTS"] = directory.events.address
    environment["MOTION_ON_LOST"] = seat.manifest.onLost.rawValue
    return environment
  }

  /// Hears what happened to the processes of workers; what is heard of one whose end is settled already is late.
  func hearProcesses(at now: Duration) {
    for news in processNews.take() {
      guard let seat = seat(of: news.address, incarnation: news.incarnation), seat.process != nil else { continue }
      switch news.event {
      case .spawned(let processID): hold(processID, of: seat, at: now)
      case .printed(let lines):
        for line in lines { heard(line, from: seat, at: now) }
        seat.process?.heard()
      case .ended(let end): ended(seat, end, at: now)
      }
    }
  }

  /// A worker's process runs, or has run already: watches for its death.
  private func hold(_ processID: Int32, of seat: WorkerSeat, at now: Duration) {
    seat.processID = processID
    do {
      guard let handle = try processes.watch(processID) else { return noteDeath(of: seat, at: now) }
      seat.handle = handle
      seat.registration = poller.add(descriptor: handle.descriptor)
    } catch {
      // Without a descriptor for it nobody would see it die.
      logger.error("\(seat.address) cannot be watched: \(error)", metadata: metadata(of: seat))
      (seat.fenceReason, seat.lacksRoom) = ("it could not be watched (\(error))", true)
      return noteDeath(of: seat, at: now)
    }
    seat.life.foundRoom()
    logger.info("\(seat.address) was started", metadata: lifeMetadata(of: seat))
    // It was fenced before it was known.
    if seat.link == nil { kill(seat, SIGKILL) }
  }

  /// The kernel says that a worker's process has ended: its tokens end at once; why it ended is heard a little later.
  func noteDeath(of seat: WorkerSeat, at now: Duration) {
    if let registration = seat.registration { poller.remove(registration) }
    seat.registration = nil
    seat.handle = nil
    // What the worker itself has started goes with it. The group still has its name: its leader is not released.
    kill(seat, SIGKILL)
    seat.processID = nil
    seat.process?.release()
    seat.endDeadline = now + Self.reasonPatience
    seat.lastSign = seat.lastSign ?? now
    endLink(of: seat, at: now)
  }

  /// A worker's process has ended, or could not be started: decides whether there will be another.
  private func ended(_ seat: WorkerSeat, _ end: ProcessEnd, at now: Duration) {
    if seat.processID != nil { noteDeath(of: seat, at: now) }
    endLink(of: seat, at: now)
    seat.process = nil
    seat.endDeadline = nil
    let limits = seat.launch.limits.description
    let bound = end.isFailure && !limits.isEmpty ? " (its limits: \(limits))" : ""
    let isExpected = if case .stopping = seat.life.state { true } else { false }
    let inWords = end.description(asked: isExpected)
    let reason = (seat.fenceReason.map { "\($0); \(inWords)" } ?? inWords) + bound
    if isAside(seat) { return departed(seat, reason, at: now) }
    let lacksRoom = if case .noRoom = end { true } else { seat.lacksRoom }
    if isExpected {
      logger.info("\(seat.address) has stopped: \(reason)", metadata: metadata(of: seat))
    } else if lacksRoom {
      // Once for each shortage, and not for each time that it is tried again.
      if !seat.life.lacksRoom {
        logger.error("\(seat.address) is tried again and again: \(reason)", metadata: metadata(of: seat))
      }
    } else {
      logger.warning("\(seat.address) died: \(reason)", metadata: metadata(of: seat))
    }
    let verdict = judge(seat, end, reason, isExpected: isExpected, at: now)
    // What follows from it may already have given the plugin up.
    perform(verdict.actions, for: seat, at: now)
    let next =
      lacksRoom
      ? seat.life.foundNoRoom(reason, at: now) : seat.life.died(reason, counts: verdict.counts, at: now)
    perform(next, for: seat, at: now)
    // Nobody has to wait for the next life of it if another is being started already.
    if let successor = successors[seat.address] { promote(successor, at: now) }
    if library[seat.address.plugin]?.isRemoved == true { dropRemovedPlugins() }
    finishStoppingIfDone()
  }

  /// Looks after links and lives whose time has come.
  func watchWorkers(at now: Duration) {
    for seat in allSeats {
      if let due = seat.endDeadline, now >= due { ended(seat, .unknown(""), at: now) }
      if let due = seat.link?.nextDeadline, now >= due {
        perform(seat.link?.deadline(at: now) ?? [], for: seat, at: now)
      }
      perform(seat.life.deadline(at: now, linger: settings.workerLinger), for: seat, at: now)
      if let due = takingBack(of: seat), now >= due { takeBack(seat, at: now) }
      watchTrial(of: seat, at: now)
      if let note = seat.log.deadline(at: now) {
        logger.info("\(seat.address): \(note)", metadata: metadata(of: seat))
      }
    }
  }
}

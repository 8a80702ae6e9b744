import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Carries out what the owners decide, and passes on what concerns others.
extension Coordinator {
  // MARK: Commits

  /// Carries out the actions of the commit pipeline, in order.
  func perform(_ actions: [CommitPipeline.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .reply(let receipt, let requester):
        if !receipt.isRepeat {
          logger.debug("transaction \(receipt.sequence) is committed by \(clients.name(of: requester))")
        }
        reply(.receipt(receipt), to: requester)
      case .done(let requester, let unkept):
        reply(.done(clock.state(at: now), unkept: unkept), to: requester)
      case .refuse(let refusal, let requester):
        log(refusal, of: clients.name(of: requester), at: now)
        refuse(refusal, to: requester.client, request: requester.request)
      case .hold(let sequence, let client):
        clients.hold(sequence, by: client, in: runtime, at: now)
      case .apply(let event): applyNow(event, at: now)
      case .log(let level, let text): logger.log(level: level, "\(text)")
      }
    }
  }

  /// Something has changed: a frame was run, or something took effect between frames.
  func changed(at now: Duration) {
    commits.changed(in: runtime, frames.clock, clients.presence, at: now)
  }

  // MARK: Workers

  /// Carries out the actions of the worker pool: each, with everything that follows from it, before the next.
  func perform(_ actions: [WorkerPool.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .apply(let event): applyNow(event, at: now)
      case .lost(let worker):
        clients.inspections.lost(worker)
        perform(clients.answerInspections(in: runtime, at: now), at: now)
      case .reported(let report, let question, let worker):
        clients.inspections.heard(report, from: worker, number: question) { runtime.hasPlan($0, in: worker) }
        perform(clients.answerInspections(in: runtime, at: now), at: now)
      case .ended: finishStoppingIfDone()
      case .then(let step): perform(workers.proceed(with: step, at: now), at: now)
      }
    }
  }

  /// Sends the messages of the runtime to workers.
  func flushOutbox(at now: Duration) {
    for command in workers.takeOutbox() { perform(workers.send(command, next: clock.next, at: now), at: now) }
    workers.releaseIdle(at: now)
  }

  /// Applies an event at once, between frames, and publishes the changes.
  func applyNow(_ event: RuntimeEvent, at now: Duration) {
    if runtime.isActive || event.handsOver { runPresentFrame(at: now) }
    // A stop lets them take effect before it.
    if case .stop = event, runtime.hasPendingCommits, let frame = frames.takeAfterRest(at: now) {
      run(frame, skipped: 0)
    }
    applyBetweenFrames(event, at: now, marksRing: event.withdrawsAll)
    frames.noteEvent()
  }

  /// - Parameter marksRing: whether the ring states which transactions wait after it. While a start goes on, not all do yet.
  private func applyBetweenFrames(_ event: RuntimeEvent, at now: Duration, marksRing: Bool = false) {
    runtime.applyNow(event)
    takeLog(at: now)
    if marksRing, let actions = history?.mark(ringMark, machine.clocks) { perform(actions, at: now) }
    flushOutbox(at: now)
    readLog(at: now)
    changed(at: now)
  }

  // MARK: Frames

  /// Runs the frames that are due, and those that were requested while time stands.
  ///
  /// If one is still due after a turn of frames, the timer wakes the loop at once.
  func runFrames() {
    wakeOrRest()
    var turn = FrameDriver.Turn()
    while let due = frames.take(at: machine.now, in: &turn) {
      if due.reportedSkips > 0 {
        logger.warning("skipped \(due.reportedSkips) frames that were too late; simulated time stood still for them")
      }
      run(due.frame, skipped: due.skipped)
      wakeOrRest()
    }
    step()
  }

  /// Runs the frames of a step while time stands, each when the workers that want it have answered.
  private func step() {
    for steps in 0... {
      switch frames.nextStep(after: steps, at: machine.now, isAwaited: { workers.isAwaited($0) }) {
      case .wait: return
      case .finish: return finishStepping()
      case .run(let frame):
        run(frame, skipped: 0)
        wakeOrRest()
      }
    }
  }

  /// Ends a step, wherever it is, and answers its requester.
  func finishStepping() {
    guard let requester = frames.finishStepping() else { return }
    // Its frames are in checkpoints only.
    reply(
      .done(clock.state(at: machine.now), unkept: commits.problem), to: requester.client, request: requester.request)
    wakeOrRest()
  }

  /// Begins to take frames when the runtime needs them, and stops when it does not: an active runtime may need none.
  func wakeOrRest() {
    let now = machine.now
    flushOutbox(at: now)
    switch frames.update(isWanted: runtime.wantsFrames, waitingFor: runtime.nextDueTime, at: now) {
    case .none: break
    case .announce(let frame): workers.announce(frame, at: now)
    case .rest:
      recorder?.flush()
      rest(at: now)
    }
    perform(workers.refreshHeartbeats(at: now), at: now)
  }

  /// Runs a frame at the present time if the runtime is active and no frames are taken, before something takes effect
  /// between frames. Otherwise whatever begins would begin at the last frame, which may be long ago.
  func runPresentFrame(at now: Duration) {
    guard let due = frames.takePresent(at: now) else { return }
    run(due.frame, skipped: due.skipped)
  }

  /// Runs one frame, publishes the result, and announces the next frame.
  func run(_ frame: Frame, skipped: UInt64) {
    runtime.run(frame)
    let now = machine.now
    // Before anything of the frame leaves the process.
    takeLog(at: now, skipped: skipped)
    flushOutbox(at: now)
    if let next = clock.next, runtime.wantsFrames || frames.stepping != nil { workers.announce(next, at: now) }
    readLog(at: now)
    addSnapshot(at: now)
    changed(at: now)
    takeCues(at: now)
  }

  /// Takes the records of the last frame, or of what happened since, and passes them to the readers that keep them.
  ///
  /// - Parameter skipped: the number of late frames that were skipped before the frame.
  private func takeLog(at now: Duration, skipped: UInt64 = 0) {
    let records = runtime.log.take()
    guard !records.isEmpty else { return }
    if let actions = history?.record(records, of: runtime, skipped: skipped, machine.clocks) {
      perform(actions, at: now)
    }
    if let ending = recorder?.record(records, skipped: skipped, at: now, wallTime: machine.wallTime) { end(ending) }
    publication.add(records)
  }

  /// Passes the records of the last frame, and of what happened since, to all readers of the log.
  private func readLog(at now: Duration) {
    takeLog(at: now)
    let records = publication.takeRecords()
    for line in publication.publish(records, of: runtime, at: now) {
      logger.warning("\(line.text)", metadata: logger.metadata(of: line.target))
    }
    for record in records {
      for object in record.remains { clients.decoder.letGo(object) }
    }
  }
}

/// The history of the run.
extension Coordinator {
  /// Carries out what the history decides.
  func perform(_ actions: [History.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .reply(let reply, let requester): self.reply(.history(reply), to: requester)
      case .done(let requester): reply(.done(clock.state(at: now)), to: requester)
      case .refuse(let refusal, let requester):
        refuse(refusal, to: requester.client, request: requester.request)
      case .takeRing(let number, let frame):
        perform(history?.take(ring: number, frame: frame, ringMark, after: runtime.frame) ?? [], at: now)
      case .log(let level, let text): logger.log(level: level, "\(text)")
      }
    }
  }

  /// No frame follows for now: a history that was interrupted begins anew.
  private func rest(at now: Duration) {
    if let actions = history?.flush() { perform(actions, at: now) }
    let keepsRing = settings.keepsRing
    guard history?.wantsBeginning(keepsRing: keepsRing, machine.clocks) == true, let header = try? snapshotHeader()
    else { return }
    perform(history?.begin(header, of: runtime, machine.clocks, keepsRing ? ringMark : nil) ?? [], at: now)
  }

  /// The mark with which a file of the ring begins now.
  private var ringMark: RingFile.Mark {
    RingFile.Mark(
      epoch: epoch, boot: machine.boot, lastSequence: runtime.lastSequence,
      waiting: runtime.waitingSequences.union(commits.unapplied), isAlone: true)
  }

  /// Continues from the last frame of a process that has ended: what ran in it is lost, and the transactions that it had
  /// accepted and not applied follow.
  func resume(_ recovery: Recovery, at now: Duration) {
    for event in runtime.lossesOfStart { applyBetweenFrames(event, at: now) }
    for step in recovery.steps {
      switch step {
      case .wait(let entries): runtime.resume(with: entries, lastSequence: recovery.lastSequence)
      case .apply(let event): applyBetweenFrames(event, at: now)
      }
    }
    runtime.resume(with: [], lastSequence: recovery.lastSequence)
    runtime.needWorkers()
  }

  /// Lets the acknowledged transactions of a process that has ended take effect before the first answer, unless time
  /// stands: in a frame if time has gone on since the last one, as they would begin there otherwise.
  func applyAcknowledged(at now: Duration) {
    guard runtime.hasPendingCommits, !clock.stands else { return }
    if let frame = frames.takeAfterRest(at: now) {
      run(frame, skipped: 0)
    } else {
      runtime.applyRecovered()
      readLog(at: now)
      changed(at: now)
      frames.noteEvent()
    }
    wakeOrRest()
  }
}

/// Recordings of the run.
extension Coordinator {
  /// Whether the run is being recorded.
  var isRecording: Bool { recorder?.isRecording == true }

  /// Begins a recording with the present state.
  ///
  /// - Throws: ``MotionModel/Refusal`` when there is one, or the file cannot be made.
  func record(to path: String, for requester: Requester, at now: Duration) throws(Refusal) {
    if let recorder, recorder.isBusy {
      throw Refusal(
        .limit, "motiond records to \(recorder.status.path)",
        remedy: recorder.isRecording
          ? "End that recording first: motionctl record stop" : "Retry when its file is complete")
    }
    guard runtime.canSnapshot else { throw .isSettling }
    let thread: RecordingThread
    do {
      thread = try RecordingThread(startingLateAt: path, at: now, wallTime: machine.wallTime)
    } catch {
      let problem = (error as? StartError).map { "\($0.step): \($0.problem)" } ?? "\(error)"
      throw Refusal(.value, problem, remedy: (error as? StartError)?.remedy ?? "Name another file")
    }
    let name = clients.name(of: requester)
    logger.notice("recording to \(path) from frame \(runtime.frame.number) on, as asked by \(name)")
    if let kept = thread.kept { logger.notice("the existing recording \(path) was renamed to \(kept)") }
    try deliverState(to: thread.receiver, at: now)
    loop.add(thread.descriptor, for: .recording)
    runtime.log.keeps.insert(.events)
    runtime.computesHashes = true
    recorder = Recorder(thread, at: now)
  }

  /// Ends the recording; the answer follows when its file is complete.
  func stopRecording(for requester: Requester) throws(Refusal) {
    guard isRecording else {
      let ended = recorder.map(\.status).flatMap { $0.problem.isEmpty ? nil : " any more: \($0.path): \($0.problem)" }
      throw Refusal(
        .notFound, "motiond records nothing\(ended ?? "")", remedy: "Start a recording: motionctl record start FILE")
    }
    logger.notice(
      "the recording ends with frame \(runtime.frame.number), as asked by \(clients.name(of: requester))")
    recorder?.stop(for: requester)
    recordNothing()
  }

  /// Answers a client with the present state, the transactions and input values that wait included.
  func answerWithState(_ question: AnswerQueue<RoutingID>.Question, at now: Duration) throws(Refusal) {
    guard runtime.canSnapshot else { throw .isSettling }
    guard let receiver = try clients.awaitState(question, moment: moment(at: now), at: now) else { return }
    let (waiting, last) = (runtime.waitingCommits, runtime.lastSequence)
    try deliverState(
      with: runtime.waitingInputs,
      to: { state in
        receiver(
          state.map { header in
            var header = header
            header.snapshot?.checkpoint.waiting = waiting
            header.snapshot?.checkpoint.lastSequence = last
            return header
          })
      }, at: now)
  }

  /// Delivers the present state: from the history's thread, so that no frame waits for it. Without a history, the loop
  /// takes it.
  ///
  /// - Parameter events: what else is applied to the state.
  func deliverState(
    with events: [RuntimeEvent] = [], to receiver: @escaping StateReceiver, at now: Duration
  ) throws(Refusal) {
    takeLog(at: now)
    if history?.isKept == true {
      perform(history?.deliverState(since: runtime.frame, with: events, to: receiver) ?? [], at: now)
    } else {
      var header = try snapshotHeader()
      if !events.isEmpty {
        let waiting = RecordedFrame(frame: runtime.frame, betweenFrames: events, events: [], hash: 0)
        guard let state = try Replayer.state(header, after: waiting) else { throw .isSettling }
        header = state
      }
      receiver(.success(header))
    }
  }

  /// The beginning of a recording of the present state.
  private func snapshotHeader() throws(Refusal) -> RecordingHeader {
    guard let snapshot = runtime.snapshot() else { throw .isSettling }
    var header = RecordingHeader(
      ratePerSecond: settings.ratePerSecond, plugins: runtime.registry.recordedPlugins)
    header.snapshot = snapshot
    return header
  }

  /// Adds the state after a frame to the recording, if that is due.
  private func addSnapshot(at now: Duration) {
    guard recorder?.wantsSnapshot(at: now) == true, runtime.canSnapshot else { return }
    if history?.isKept == true, let receiver = recorder?.awaitSnapshot(at: now, wallTime: machine.wallTime) {
      return perform(history?.deliverState(since: nil, to: receiver) ?? [], at: now)
    }
    let start = machine.now
    guard let header = try? snapshotHeader() else { return }
    recorder?.add(header, taking: machine.now - start, at: now, wallTime: machine.wallTime)
  }

  /// A recording has ended.
  func end(_ ending: Recorder.Ending) {
    loop.remove(.recording)
    switch ending {
    case .failed(let reason):
      logger.error("the recording has ended with frame \(runtime.frame.number): \(reason)")
      recordNothing()
    case .complete(_, let requester):
      recorder = nil
      if let requester { reply(.done(clock.state(at: machine.now)), to: requester) }
    }
  }

  private func recordNothing() {
    if history == nil { runtime.log.keeps.remove(.events) }
    runtime.computesHashes = false
  }
}

extension RuntimeEvent {
  /// Whether plans may begin with the event although nothing is active: those that were pending or withheld.
  fileprivate var handsOver: Bool {
    switch self {
    case .provisioned, .withheld, .restored: true
    case .commit, .update, .lost, .quarantined, .planQuarantined, .stop, .withdraw, .input, .inputValues: false
    }
  }
}

extension RuntimeEvent {
  /// Whether it withdraws the transactions that wait for their time.
  fileprivate var withdrawsAll: Bool { if case .stop(let stop) = self { stop.targets.isEmpty } else { false } }
}

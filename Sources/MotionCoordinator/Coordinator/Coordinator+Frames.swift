import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// The clock of the frames.
  var clock: FrameSchedule { frames.clock }

  /// Runs the frames that are due, and those that were requested while time stands.
  ///
  /// One turn runs at most the number of frames that are caught up. When frames cost more than their period, one is
  /// always due, and messages of workers and clients and requests to stop must be received between them. The timer,
  /// which is due then, wakes the loop at once.
  func runFrames() {
    wakeOrRest()
    for _ in 0..<Limits.catchUpFrames {
      let now = machine.now
      guard let due = frames.take(at: now) else { break }
      if due.reportedSkips > 0 {
        logger.warning("\(due.reportedSkips) frames were too late and are left out; time stood for them")
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
    reply(.done(clock.state(at: machine.now)), to: requester.client, request: requester.request)
    wakeOrRest()
  }

  /// Begins to take frames when the runtime wants them, and stops when it does not: an active runtime may want none.
  func wakeOrRest() {
    let now = machine.now
    flushOutbox(at: now)
    switch frames.update(isWanted: runtime.wantsFrames, waitingFor: runtime.nextDueTime, at: now) {
    case .none: break
    case .announce(let frame): workers.announce(frame, at: now)
    case .rest: recorder?.flush()
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
    flushOutbox(at: now)
    if let next = clock.next, runtime.wantsFrames || frames.stepping != nil { workers.announce(next, at: now) }
    publishChanges(at: now)
    if let ending = recorder?.record(runtime.takeRecord(skipped: skipped), at: now) { endRecording(ending) }
    changed(at: now)
  }

  /// Publishes what changed with the last frame, or since.
  func publishChanges(at now: Duration) {
    publisher.publish(runtime, at: now)
    let ended = runtime.takeEnded()
    publisher.publish(ended, at: now)
    let lines = failureLog.lines(about: ended, at: now) { identity in
      // The plans that have just failed are the newest.
      runtime.failures.last { $0.identity == identity }?.provenance
    }
    for line in lines {
      logger.warning("\(line.text)", metadata: metadata(of: line.target))
    }
    publisher.publish(runtime.takeDriverChanges(), at: now)
    for spent in runtime.takeSpent() { clients.decoder.letGo(spent) }
  }

  // MARK: Recording

  /// Whether the run is being recorded.
  var isRecording: Bool { recorder?.isRecording == true }

  /// Handles the notification that the recording could not be written.
  func receiveRecordingEvents() {
    guard let registration = watched.recording, poller.isReadable(registration) else { return }
    if let ending = recorder?.failed() { endRecording(ending) }
  }

  /// Stops the recording while motion continues.
  private func endRecording(_ ending: Recorder.Ending) {
    logger.error("the recording has ended with frame \(runtime.frame.number): \(ending.reason)")
    if let registration = watched.recording { poller.remove(registration) }
    watched.recording = nil
    runtime.isRecording = false
    runtime.computesHashes = false
    _ = runtime.takeRecord()
  }

  /// Ends the recording with the coordinator: waits until all of it has reached the file.
  func finishRecording() {
    if let ending = recorder?.finish() { endRecording(ending) }
  }
}

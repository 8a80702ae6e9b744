import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Runs the frames that are due, and those that were requested while time stands.
  ///
  /// One turn runs at most the number of frames that are caught up. When frames cost more than their period, one is
  /// always due, and messages of workers and clients and requests to stop must be received between them. The timer,
  /// which is due then, wakes the loop at once.
  func runFrames() {
    wakeOrRest()
    var now = machine.now
    for _ in 0..<Limits.catchUpFrames {
      guard let due = clock.take(at: now) else { break }
      note(skipped: due.skipped, at: now)
      // Lateness counts from the time at which the frame was due, before the skipped frames moved the schedule.
      lateness.add(due.lateness + clock.period * Int(min(due.skipped, 1_000_000)), at: now)
      if due.lateness > clock.period { counters.lateFrames += 1 }
      run(due.frame, skipped: due.skipped)
      wakeOrRest()
      now = machine.now
    }
    step(at: now)
  }

  /// Logs that frames were skipped, once a second at most.
  private func note(skipped: UInt64, at now: Duration) {
    unreportedSkips += skipped
    guard unreportedSkips > 0, now >= nextSkipReport else { return }
    logger.warning("\(unreportedSkips) frames were too late and are left out; time stood for them")
    unreportedSkips = 0
    nextSkipReport = now + .seconds(1)
  }

  /// Begins to take frames when the runtime wants them, and stops when it does not: an active runtime may want none.
  func wakeOrRest() {
    let now = machine.now
    flushOutbox(at: now)
    let isDue = runtime.nextDueTime.map { clock.time(at: now) >= $0 } ?? false
    if runtime.wantsFrames || isDue || stepping != nil {
      let wasActive = clock.isActive
      clock.activate(at: now)
      // A worker that was provisioned while time stands has not been sent the frame that is stepped next.
      if !wasActive, let next = clock.next { announce(next, at: now) }
    } else if clock.isActive {
      clock.deactivate()
      recording?.flush()
    }
    refreshHeartbeats(at: now)
  }

  /// The heartbeat of a worker is frequent while an executor in it is active, whether or not frames are taken: a hung
  /// worker that holds a token is detected as soon as one that moves something.
  private func refreshHeartbeats(at now: Duration) {
    for slot in allSlots {
      guard let actions = slot.link?.setActive(runtime.isActive(slot.address), at: now), !actions.isEmpty else {
        continue
      }
      perform(actions, for: slot, at: now)
    }
  }

  /// Runs a frame at the present time if the runtime is active and no frames are taken, before something takes effect
  /// between frames. Otherwise whatever begins would begin at the last frame, which may be long ago.
  func runPresentFrame(at now: Duration) {
    guard !clock.isActive, !clock.isPaused else { return }
    clock.activate(at: now)
    guard let due = clock.take(at: now) else { return }
    run(due.frame, skipped: due.skipped)
  }

  /// Runs one frame, publishes the result, and announces the next frame.
  func run(_ frame: Frame, skipped: UInt64) {
    runtime.run(frame)
    counters.frames += 1
    let now = machine.now
    flushOutbox(at: now)
    if let next = clock.next, runtime.wantsFrames || stepping != nil { announce(next, at: now) }
    publishChanges(at: now)
    record(skipped: skipped, at: now)
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
    for spent in runtime.takeSpent() { decoder.letGo(spent) }
  }

  /// Sends the next frame as a tick to the workers that want it.
  func announce(_ frame: Frame, at now: Duration) {
    for slot in slotsInOrder where runtime.wantsFrames(slot.address) {
      guard let tick = slot.link?.tick(frame, at: now), let topic = slot.link?.topics.ticks else { continue }
      publish(tick, on: topic, of: sockets.ticks)
      slot.gate.asked(at: now)
      counters.ticks += 1
    }
  }

  private func record(skipped: UInt64, at now: Duration) {
    guard let recording else { return }
    if !recording.add(runtime.takeRecord(skipped: skipped), at: now) {
      endRecording(
        "the disk is too slow: \(RecordingThread.queueBytes >> 20) MiB wait for \(recording.path). "
          + "Record to a faster one")
    }
  }

  /// Handles the notification that the recording could not be written.
  func receiveRecordingEvents() {
    guard let registration = watched.recording, poller.isReadable(registration) else { return }
    if let reason = recording?.takeFailure() { endRecording(reason) }
  }

  /// Stops the recording while motion continues; what was added so far is written if possible.
  private func endRecording(_ reason: String) {
    logger.error("the recording has ended with frame \(runtime.frame.number): \(reason)")
    recordingStatus?.problem = reason
    if let registration = watched.recording { poller.remove(registration) }
    watched.recording = nil
    recording = nil
    runtime.isRecording = false
    runtime.computesHashes = false
    _ = runtime.takeRecord()
  }

  /// Ends the recording with the coordinator: waits until all of it has reached the file.
  func finishRecording() {
    guard let recording else { return }
    let isWritten = recording.finish()
    if let reason = recording.takeFailure() {
      endRecording(reason)
    } else if !isWritten {
      let timeout = RecordingThread.endTimeout
      endRecording("its end did not reach \(recording.path) within \(timeout). Record to a faster disk")
    }
    self.recording = nil
  }
}

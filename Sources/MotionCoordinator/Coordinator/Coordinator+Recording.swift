import Logging
import MotionCore
import MotionModel
import MotionWire

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
    // What waits to be published belongs to the state.
    let header = try snapshotHeader()
    let thread: RecordingThread
    do {
      thread = try RecordingThread(startingLateAt: path, header, at: now, wallTime: machine.wallTime)
    } catch {
      throw Refusal(.value, "\(error)", remedy: "Name another file")
    }
    let name = clients.name(of: requester)
    logger.notice("recording to \(path) from frame \(runtime.frame.number) on, as asked by \(name)")
    if let kept = thread.kept { logger.notice("the existing recording \(path) was renamed to \(kept)") }
    loop.add(thread.descriptor, for: .recording)
    runtime.log.keeps.insert(.events)
    runtime.computesHashes = true
    recorder = Recorder(thread, at: now)
  }

  /// Ends the recording; the answer follows when its file is complete.
  func stopRecording(for requester: Requester) throws(Refusal) {
    guard isRecording else {
      throw Refusal(.notFound, "motiond records nothing", remedy: "Start a recording: motionctl record start FILE")
    }
    logger.notice(
      "the recording ends with frame \(runtime.frame.number), as asked by \(clients.name(of: requester))")
    recorder?.stop(for: requester)
    recordNothing()
  }

  /// The beginning of a recording of the present state.
  func snapshotHeader() throws(Refusal) -> RecordingHeader {
    guard let snapshot = runtime.snapshot() else {
      throw Refusal(.limit, "a large transaction is being applied over several frames", remedy: "Retry in a second")
    }
    let plugins = runtime.registry.plugins.values.sorted { $0.name < $1.name }
    var header = RecordingHeader(ratePerSecond: settings.ratePerSecond, plugins: plugins)
    header.snapshot = snapshot
    return header
  }

  /// Adds the state after a frame to the recording, if that is due.
  func addSnapshot(at now: Duration) {
    guard recorder?.wantsSnapshot(at: now) == true, let snapshot = runtime.snapshot() else { return }
    recorder?.add(snapshot, taking: machine.now - now, at: now, wallTime: machine.wallTime)
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
    runtime.log.keeps.remove(.events)
    runtime.computesHashes = false
  }
}

import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// How long a step waits for the workers that want its frame.
  static let stepTimeout = Duration.milliseconds(500)
  /// How many frames are stepped in one turn at most, so that a long step starves neither workers nor clients.
  static let stepsPerTurn = 64

  /// A request to run frames while time stands, and its requester.
  struct Stepping {
    var remaining: UInt64
    /// When the next frame is run although a worker that wants it has not answered.
    var deadline: Duration
    /// Whether the next frame can be run at once.
    var isReady = false
    let client: RoutingID
    let request: UInt64
  }

  /// Begins to run `frames` frames while time stands; the answer follows when they have been run.
  ///
  /// - Throws: ``MotionModel/Refusal`` while time runs, during another step, and for more than
  ///   ``MotionModel/Limits/framesPerStep``.
  func beginStepping(
    _ frames: UInt64, for client: RoutingID, request: UInt64, at now: Duration
  ) throws(Refusal) {
    guard clock.isPaused else {
      throw Refusal(.value, "time runs", remedy: "Pause it before stepping: motionctl pause")
    }
    guard stepping == nil else {
      throw Refusal(.limit, "another step is under way", remedy: "Step again when it is done")
    }
    guard frames <= Limits.framesPerStep else {
      throw Refusal(
        .limit, "\(frames) frames are too many for one step", remedy: "Step \(Limits.framesPerStep) frames at a time")
    }
    stepping = Stepping(remaining: frames, deadline: now + Self.stepTimeout, client: client, request: request)
  }

  /// Runs the frames of a step while time stands, each when the workers that want it have answered.
  func step(at now: Duration) {
    var steps = 0
    while var request = stepping, clock.isPaused, let next = clock.next {
      guard request.remaining > 0 else { return finishStepping() }
      let isTooLate = now >= request.deadline
      request.isReady = isTooLate || !isAwaited(next)
      stepping = request
      guard request.isReady, steps < Self.stepsPerTurn, let frame = clock.step() else { return }
      if isTooLate, isAwaited(next) { counters.stepTimeouts += 1 }
      request.remaining -= 1
      request.deadline = machine.now + Self.stepTimeout
      stepping = request
      run(frame, skipped: 0)
      wakeOrRest()
      steps += 1
    }
  }

  /// Whether a worker that wants the frame has not answered its tick yet.
  private func isAwaited(_ frame: Frame) -> Bool {
    slotsInOrder.contains { slot in
      runtime.wantsFrames(slot.address) && slot.link?.isProvisioned == true && slot.manifest.wantsUpdates
        && slot.lastUpdateFrame < frame.number
    }
  }

  /// Ends a step, wherever it is, and answers its requester.
  func finishStepping() {
    guard let request = stepping else { return }
    stepping = nil
    reply(.done(clock.state(at: machine.now)), to: request.client, request: request.request)
    wakeOrRest()
  }
}

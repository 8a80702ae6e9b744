import MotionModel

/// The position of a runtime in its frames: the last frame, the interval in which changes take effect, and the phase.
///
/// The runtime advances it. All that computes for a frame reads it.
final class FramePosition {
  /// Each phase is described by when the runtime is in it. "Stored" events were accepted by another process, perhaps
  /// with other limits and types: plans that are no longer valid here are reported as failed.
  enum Phase {
    /// No frame, and no change between frames, is under way.
    case idle
    /// An event is applied between frames, or a checkpoint is restored.
    case changing(isStored: Bool)
    /// A frame applies the events that waited for it.
    case applying(isStored: Bool)
    /// A frame has applied its events, and moves everything.
    case moving
  }

  /// The last frame that was run, or the frame under way.
  var frame = Frame(number: 0, time: 0, dt: 0)
  /// Changes that take effect now take effect at the start of this. It is the frame, until the frame has moved
  /// everything. From then on, and between frames, it is an interval without length at the end of the last frame.
  var moment = Frame(number: 0, time: 0, dt: 0)
  /// The time at which the properties are where they are: the end of the frame before, until the frame has moved them. To
  /// the last bit the time that moved them, which the start of the frame, a difference, is not always.
  private(set) var timeOfState = 0.0
  var phase = Phase.idle

  /// Whether a frame, or a change between frames, is under way.
  var isBusy: Bool { if case .idle = phase { false } else { true } }
  /// Whether the event being applied is stored.
  var isStored: Bool {
    switch phase {
    case .changing(let isStored), .applying(let isStored): isStored
    case .idle, .moving: false
    }
  }

  /// Begins a frame, which applies its events first.
  func begin(_ frame: Frame) {
    // After an idle time, nothing was moved until the start of the frame.
    timeOfState = abs(self.frame.time - frame.start) < 1e-9 ? self.frame.time : frame.start
    (self.frame, moment, phase) = (frame, frame, .applying(isStored: false))
  }

  /// From now on, changes take effect at the end of the frame.
  func endMoment() {
    moment = Frame(number: frame.number, time: frame.time, dt: 0)
    timeOfState = frame.time
  }

  /// Continues another runtime to the bit.
  func restore(_ frame: Frame, moment: Frame, timeOfState: Double) {
    (self.frame, self.moment, self.timeOfState) = (frame, moment, timeOfState)
  }

  /// Continues at a frame that another process ran.
  func resume(at frame: Frame) {
    self.frame = frame
    endMoment()
  }
}

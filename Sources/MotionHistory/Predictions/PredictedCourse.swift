public import MotionModel

/// The course of a property over frames, lane by lane: where it goes, how fast, and when it rests.
public struct PredictedCourse: Hashable, Sendable {
  /// The property.
  public let reference: PropertyReference
  /// Its state before the first frame; at its initial value if it did not exist.
  public let start: PropertyState
  /// Its state after the last frame.
  public private(set) var end: PropertyState
  /// The first frame from which on it does not move any more, and its time; `nil` if it moves to the end.
  public private(set) var rest: Frame?
  /// The least and the greatest value of each lane, the start included. If the property is forgotten and comes back with
  /// other lanes, these and the peaks are of the new ones.
  public private(set) var lowest, highest: Lanes
  /// The largest magnitude of the velocity of each lane, per second.
  public private(set) var peakVelocity: Lanes
  /// The largest change of velocity of each lane from frame to frame, per second squared.
  public private(set) var peakAcceleration: Lanes
  /// When its limits first hold it back from its driver, and which; `nil` if they do not.
  public internal(set) var held: (Frame, LimitChange)? {
    get { heldFrame.flatMap { frame in heldBy.map { (frame, $0) } } }
    set { (heldFrame, heldBy) = (newValue?.0, newValue?.1) }
  }
  private var heldFrame: Frame?
  private var heldBy: LimitChange?

  init(_ reference: PropertyReference, from start: PropertyState) {
    (self.reference, self.start, end) = (reference, start, start)
    (lowest, highest) = (start.value, start.value)
    peakVelocity = Lanes(abs(start.velocity.storage), count: start.value.count)
    peakAcceleration = Lanes(.zero, count: start.value.count)
  }

  /// By how much each lane passes its last value, seen from its first.
  public var overshoot: Lanes {
    var overshoot = Lanes(.zero, count: end.value.count)
    for lane in 0..<end.value.count where lane < start.value.count {
      let rises = end.value[lane] >= start.value[lane]
      overshoot.storage[lane] = rises ? highest[lane] - end.value[lane] : end.value[lane] - lowest[lane]
    }
    return overshoot
  }

  /// Takes the state after a frame in which the property changed.
  mutating func take(_ state: PropertyState, after frame: Frame) {
    if state.value.count != end.value.count {
      // It was forgotten meanwhile, and is another property since.
      (lowest, highest, end) = (state.value, state.value, state)
      (peakVelocity, peakAcceleration) = (
        Lanes(.zero, count: state.value.count), Lanes(.zero, count: state.value.count)
      )
    }
    lowest.storage = pointwiseMin(lowest.storage, state.value.storage)
    highest.storage = pointwiseMax(highest.storage, state.value.storage)
    peakVelocity.storage = pointwiseMax(peakVelocity.storage, abs(state.velocity.storage))
    if frame.dt > 0 {
      let change = abs(state.velocity.storage - end.velocity.storage) / frame.dt
      peakAcceleration.storage = pointwiseMax(peakAcceleration.storage, change)
    }
    end = state
    rest = state.velocity.storage == .zero ? frame : nil
  }
}

private func abs(_ lanes: SIMD4<Double>) -> SIMD4<Double> { pointwiseMax(lanes, -lanes) }

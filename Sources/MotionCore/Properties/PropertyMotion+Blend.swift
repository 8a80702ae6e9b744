import MotionModel
import MotionPhysics

extension PropertyMotion {
  /// A difference that is added to the mover's samples and fades.
  struct Blend {
    var fade: HandoverFade
    var startTime: Double
    /// The last sample to which it was added: the fade continues when no other sample follows.
    var said: PropertyState
    /// How many seconds of the mover's movement the difference is, if it is left over from samples that were missing. Until
    /// it has faded, the property is not where the mover's samples put it. 0 if the first one was late while another mover
    /// moved the property.
    var missed: Double?
    /// Whether the mover is done, and only this difference from its last sample is left.
    var comesToRest = false

    /// Adds the difference to another state from now on.
    mutating func follow(_ state: PropertyState) { (said, comesToRest) = (state, false) }

    var isRecovery: Bool { missed != nil }

    /// How many seconds of the mover's movement are still missing at `time`: as large a part of ``missed`` as remains of
    /// the difference, and no more than if the property had stood since then.
    func missing(at time: Double) -> Double {
      let elapsed = max(0, time - startTime)
      guard let missed, !fade.isOver(at: elapsed) else { return 0 }
      let (first, left) = (fade.offset(at: 0).value.largest, fade.offset(at: elapsed).value.largest)
      let most = missed + elapsed
      return left * missed < most * first ? left / first * missed : most
    }

    /// The remaining differences at `time`, and for how many seconds each lasts.
    func left(at time: Double) -> [(difference: PropertyState, remaining: Double)] {
      let count = said.value.count
      return fade.left(at: time - startTime).map { part in
        let (value, velocity) = (Lanes(part.value, count: count), Lanes(part.velocity, count: count))
        return (PropertyState(value, velocity: velocity), part.duration)
      }
    }
  }
}

extension SIMD4<Double> {
  /// The largest magnitude of its lanes.
  fileprivate var largest: Double { Swift.max(max(), -min()) }
}

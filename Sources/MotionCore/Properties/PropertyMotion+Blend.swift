import MotionModel
import MotionPhysics

extension PropertyMotion {
  /// A difference that is added to the mover's samples and fades.
  struct Blend {
    var fade: HandoverFade
    var startTime: Double
    /// The last sample to which it was added: the fade continues when no other sample follows.
    var lastSample: PropertyState
    /// Whether it is left over from a lack of a mover. Until it has faded, the property is not where the mover's
    /// samples put it.
    var isRecovery = false
    /// Whether the mover is done, and only this difference from its last sample is left.
    var comesToRest = false

    /// Adds the difference to another state from now on.
    mutating func follow(_ state: PropertyState) { (lastSample, comesToRest) = (state, false) }

    /// How many seconds the difference still lasts at `time`.
    func remaining(at time: Double) -> Double { startTime + fade.duration - time }

    /// The mover sends no samples from `time` on: splits the property's velocity into what it has of its mover's, which is
    /// to fade soon, and the rest, which remains with the difference. If the property is slower than its mover, all of its
    /// velocity is the mover's: a difference that went on holding back would take it backwards. So would one that has it
    /// ahead of its mover, less than the mover would have gone meanwhile: there it stays ahead.
    ///
    /// - Returns: the velocity that is to fade.
    mutating func beginSilence(at time: Double) -> SIMD4<Double> {
      let driven = lastSample.velocity.storage
      var (value, velocity) = fade.offset(at: time - startTime)
      let own = driven + velocity
      let kept = own.clamped(lowerBound: pointwiseMin(driven, .zero), upperBound: pointwiseMax(driven, .zero))
      let (duration, ways) = (max(0, remaining(at: time)), value * driven)
      let ahead = value.replacing(with: 0, where: ways .<= 0 .| ways .> driven * driven * duration)
      (lastSample.value.storage, value) = (lastSample.value.storage + ahead, value - ahead)
      let rest = VanishingOffset(value: value, velocity: own - kept, duration: duration)
      (fade, startTime) = (HandoverFade(rest), time)
      return kept
    }

    /// Whether the difference, fitted to a mover that was late, would take the property back from `present` by `time`,
    /// because the mover's sample slows down more than the property can: as at the end of an even fade.
    func takesBack(_ sample: PropertyState, from present: PropertyState, dt: Double, at time: Double) -> Bool {
      guard isRecovery else { return false }
      let (value, velocity) = fade.offset(at: time - startTime)
      let (before, now) = (lastSample.velocity.storage, sample.velocity.storage)
      let step = sample.value.storage - lastSample.value.storage
      let difference = lastSample.value.storage + value - present.value.storage
      let isSlower = (step + difference) * before .< 0 .& (before * dt + difference) * before .>= 0
      let turns = (now + velocity) * before .< 0 .& (before + velocity) * before .>= 0
      // A mover that turns around takes the property with it.
      return any((isSlower .| turns) .& (now * before .>= 0) .& (step * before .>= 0))
    }

    /// The remaining differences at `time`, and for how many seconds each lasts.
    func left(at time: Double) -> [(difference: PropertyState, remaining: Double)] {
      let count = lastSample.value.count
      return fade.left(at: time - startTime).map { part in
        let (value, velocity) = (Lanes(part.value, count: count), Lanes(part.velocity, count: count))
        return (PropertyState(value, velocity: velocity), part.duration)
      }
    }
  }
}

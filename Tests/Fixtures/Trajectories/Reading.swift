/// One way to read a course: the driver of the property in each frame, and the unexplained remainder.
struct Reading: Sendable {
  /// A tween under way.
  struct Tween: Sendable {
    var course: TweenCourse
    /// The frame at whose end it began.
    var start: Int
    /// The difference when its first sample arrived, the frame of that, and how long its value and its velocity take to
    /// fade.
    var difference: (motion: Motion, frame: Int, duration: Double, carry: Double)?
  }

  /// A possible cause of a frame.
  struct Explanation {
    /// The leg that it belongs to.
    var leg: Int
    var expected: Motion
    /// The permitted deviation: the distance by which rest snaps.
    var allowance = Motion()
    /// The base of the property's distance, for a hand.
    var base = 0.0
    var tween: Tween?
  }

  let legs: [Leg]
  let stage: Judge.Stage
  let dt: Double
  /// For each frame of the drama, when the cues before it were applied, in frames from the first.
  let frames: [Int]

  /// The leg under way; −1 before the first.
  private(set) var leg = -1
  private(set) var base = 0.0
  private(set) var tween: Tween?
  /// The number of frames without a driver's sample.
  private(set) var coasted = 0
  /// Every state so far, at the end of each frame.
  private(set) var states: [Motion] = []
  /// The destination of a spring that has arrived, and so is over.
  private(set) var arrived: Double?
  private var verdict = Verdict()
  /// The sum of unexplained differences so far, in multiples of the tolerance.
  private(set) var jumps = 0.0

  init(legs: [Leg], stage: Judge.Stage, dt: Double, frames: [Int]) {
    (self.legs, self.stage, self.dt, self.frames) = (legs, stage, dt, frames)
  }

  /// The frame under way, from 0.
  var frame: Int { states.count }
  /// The property's place before it.
  var last: Motion { states.last ?? Motion() }

  /// The readings that continue with the state at the end of the next frame.
  func followed(by now: Motion) -> [Reading] {
    explanations(of: now).map { explanation in
      var reading = self
      reading.note((now - explanation.expected).beyond(explanation.allowance), of: explanation, now)
      if explanation.allowance != Motion() {
        reading.verdict.snap = max(verdict.snap, abs(now.value - explanation.expected.value))
      }
      reading.accept(explanation, now)
      return reading
    }
  }

  /// Whether anything has jumped so far.
  var hasJumped: Bool { !verdict.places.isEmpty }

  /// The verdict if no further frame comes.
  var closed: Verdict {
    var verdict = verdict
    guard leg < legs.count - 1, legs[leg + 1].cue != nil else { return verdict }
    verdict.isComplete = false
    verdict.places.append("leg \(leg) of \(legs.count) is the last")
    return verdict
  }

  private mutating func note(_ excess: Motion, of explanation: Explanation, _ now: Motion) {
    var excess = excess
    let isHandOver = explanation.leg != leg
    if isHandOver {
      let keepsVelocity = legs[explanation.leg].keepsVelocity
      verdict.handOvers.append(HandOver(frame: frame, keepsVelocity: keepsVelocity, velocity: last.velocity))
    }
    let limit = Verdict.limit
    var rank = excess.value / limit.value
    var isJump = excess.value > limit.value
    if explanation.leg >= 0, case .hand = legs[explanation.leg].mover {
      verdict.hand = max(verdict.hand, excess.velocity)
      isJump = isJump || excess.velocity > Verdict.handLimit
      rank += excess.velocity > Verdict.handLimit ? excess.velocity / limit.velocity : 0
      excess.velocity = 0
    } else {
      isJump = isJump || excess.velocity > limit.velocity
      rank += excess.velocity / limit.velocity
    }
    jumps += rank
    if isJump {
      let legs = "leg \(leg), then \(explanation.leg)"
      verdict.places.append("frame \(frame): from \(last) to \(now), not \(explanation.expected); \(legs)")
    }
    if isHandOver {
      verdict.handOver = verdict.handOver.widened(by: excess)
    } else {
      verdict.elsewhere = verdict.elsewhere.widened(by: excess)
    }
  }

  private mutating func accept(_ explanation: Explanation, _ now: Motion) {
    coasted = explanation.leg == leg && isWithoutMover ? coasted + 1 : 0
    (leg, base, tween) = (explanation.leg, explanation.base, explanation.tween)
    noteExcursion(of: now)
    if leg >= 0, case .forces(let forces) = legs[leg].mover, now.velocity == 0, now.value == forces.equilibrium {
      arrived = forces.destination ?? arrived
    }
    states.append(now)
  }

  /// Records the distance of a tween that carries a velocity from its easing alone.
  private mutating func noteExcursion(of now: Motion) {
    guard leg >= 0, case .tween = legs[leg].mover, let tween, tween.course.carries else { return }
    let units = abs(now.value - tween.course.easing.at(Double(frame - tween.start) * dt).value)
    // Across processes, the difference that the old driver left fades in addition, as the specification states for
    // carry.
    let left = tween.difference.map { abs($0.motion.value) + 4.0 / 27 * $0.carry * abs($0.motion.velocity) } ?? 0
    verdict.noteExcursion(units, share: units / (tween.course.farthestExcursion + left))
  }
}

@testable import Trajectories

/// An independent account of where a property has to be after each frame. The property is pulled by a spring at 0 that
/// stays and now and then by a SpringTo, and moved by a worker's tweens, whose samples may be missing.
///
/// The account receives the inputs, not their results. Forces are integrated numerically. A difference that a hand-over
/// leaves is the cubic that vanishes in 150 ms, also while another plan of the same executor takes over, and without
/// samples. Without samples the velocity of the last one falls evenly to nothing in 4 frames, and the missed motion is
/// caught up in 1.5 times the gap if that is longer. If samples are missing again meanwhile, the property's own velocity
/// falls so, and the next gap counts what it still was behind, too; but not for the velocity.
struct TrajectoryAccount {
  /// The rule that a frame was judged by.
  enum Reason: Hashable, CaseIterable {
    case forces, rest, takeOver, word, newPlan, coast, recovery, lateAgain, givenBack
  }

  private let dt: Double
  private(set) var last = Motion()
  private var forces = Forces()
  /// Whether the samples of a worker move it, and not forces.
  private var followsWords = false
  /// The difference that remains of a hand-over, since when, and its duration; and how many seconds of
  /// the tween it is, if samples were missing. The velocity may take less.
  private var fade: (difference: Motion, since: Double, duration: Double, carry: Double, missed: Double?)?
  private var lastWord = Motion()
  /// Without samples: the velocity before, the number of frames, the state that this leads to, and since when.
  /// And how many seconds of the tween were missing before.
  private var late: (velocity: Double, frames: Int, said: Motion, since: Double, behind: Double)?
  private var expectsNewPlan = false
  /// When the tween began that is to take over, whether its first sample is missing, and for how many frames the property
  /// has stood.
  private var (begun, isFirstLate, still, now) = (0.0, false, 0, 0.0)
  /// The number of frames so far, by the rule that they were judged by.
  private(set) var reasons: [Reason: Int] = [:]
  /// Whether each rule has been applied more than five times.
  var hasSeenEverything: Bool { Reason.allCases.allSatisfy { reasons[$0] ?? 0 > 5 } }

  init(dt: Double) {
    self.dt = dt
    forces.anchors = [0]
  }

  /// A SpringTo is applied at the beginning of the frame: it drives at once.
  mutating func spring(to place: Double) {
    if followsWords { note(.givenBack) }
    forces.destination = place
    takeByForces()
  }

  private mutating func takeByForces() {
    (followsWords, fade, late, expectsNewPlan, isFirstLate) = (false, nil, nil, false, false)
  }

  /// The possible states of the property at the end of the frame at `time`: one, or two where it may come to rest.
  mutating func expect(at time: Double, word: Motion?) -> [Motion] {
    guard followsWords else {
      if word == nil, expectsNewPlan { isFirstLate = true }
      let state = forces.after(last, dt)
      let rest = Motion(forces.equilibrium ?? 0)
      return (state - rest).magnitude.isWithin(forces.snap) ? [state, rest] : [state]
    }
    guard let word else { return [coast(at: time)] }
    if late != nil {
      note(.recovery)
      return [goOver(to: word, from: coast(at: time), at: time)]
    }
    if expectsNewPlan {
      note(.newPlan)
      return [goOver(to: word, from: onward(at: time), at: time)]
    }
    note(.word)
    return [word + difference(at: time)]
  }

  /// The state that the property would have without another plan: its mover continues evenly, and the remaining
  /// difference of a hand-over vanishes.
  private func onward(at time: Double) -> Motion {
    guard fade != nil else { return Motion(last.value + last.velocity * dt, last.velocity) }
    return Motion(lastWord.value + lastWord.velocity * dt, lastWord.velocity) + difference(at: time)
  }

  private mutating func goOver(to word: Motion, from present: Motion, at time: Double) -> Motion {
    let since = late?.since ?? (isFirstLate && still > 1 ? begun : time)
    let gap = time - since + (late?.behind ?? 0)
    // Of an even movement, the time that is missing is the way by the velocity.
    let way = (word.value - present.value) / word.velocity
    let missed = gap == 0 ? nil : word.velocity == 0 ? gap : min(max(way, dt), gap)
    fade = (
      present - word, time, max(TweenCourse.fade, 1.5 * gap), max(TweenCourse.fade, 1.5 * (time - since)), missed
    )
    (late, expectsNewPlan, isFirstLate) = (nil, false, false)
    return present
  }

  private mutating func coast(at time: Double) -> Motion {
    note(.coast)
    var behind = 0.0
    if late == nil, let fade, let missed = fade.missed {
      note(.lateAgain)
      let since = time - dt - fade.since
      let left = difference(at: time - dt).value
      if since < fade.duration { behind = min(missed * abs(left / fade.difference.value), missed + since) }
      self.fade = nil
    }
    let said = fade == nil ? last : lastWord
    let before = late ?? (said.velocity, 0, said, time - dt, behind)
    let frames = min(before.frames + 1, 4)
    let velocity = before.velocity * (1 - Double(frames) / 4)
    let next = Motion(before.said.value + (before.said.velocity + velocity) / 2 * dt, velocity)
    late = (before.velocity, frames, next, before.since, before.behind)
    return next + difference(at: time)
  }

  /// What is left of the difference of a hand-over.
  private func difference(at time: Double) -> Motion {
    guard let fade else { return Motion() }
    let elapsed = time - fade.since
    return TweenCourse.vanishing(Motion(fade.difference.value), elapsed, of: fade.duration)
      + TweenCourse.vanishing(Motion(0, fade.difference.velocity), elapsed, of: fade.carry)
  }

  /// Receives the property's actual state.
  ///
  /// - Parameters:
  ///   - word: the worker's sample of the frame.
  ///   - isWorkers: whether the worker's samples move the property from now on.
  mutating func see(_ state: Motion, at time: Double, word: Motion?, isWorkers: Bool) {
    still = state == last ? still + 1 : 0
    (last, now) = (state, time)
    if let word { lastWord = word }
    // Except for rounding: sums are computed in another order here.
    if !followsWords, abs((forces.equilibrium ?? 0) - state.value) < 1e-9, state.velocity == 0 {
      note(.rest)
      forces.destination = nil
    } else if !followsWords {
      note(.forces)
    }
    if isWorkers, !followsWords, let word {
      note(.takeOver)
      (followsWords, forces.destination) = (true, nil)
      _ = goOver(to: word, from: state, at: time)
    } else if !isWorkers, followsWords {
      note(.givenBack)
      takeByForces()
    }
  }

  /// The worker was given another tween in the frame: its next sample belongs to that one.
  mutating func beginTween() { (expectsNewPlan, isFirstLate, begun) = (true, false, now) }

  private mutating func note(_ reason: Reason) { reasons[reason, default: 0] += 1 }
}

@testable import Trajectories

/// An independent account of where a property has to be after each frame. The property is pulled by a spring at 0 that
/// stays and now and then by a SpringTo, and moved by a worker's tweens, whose samples may be missing.
///
/// The account receives the inputs, not their results. Forces are integrated numerically. A difference that a hand-over
/// leaves is the cubic that vanishes in 150 ms, also while another plan of the same executor takes over, and without
/// samples. Without samples the velocity of the last one falls evenly to nothing in 4 frames, and the missed motion is
/// caught up in 1.5 times the gap if that is longer. If samples are missing while a difference fades, that velocity is at
/// most the property's own, the difference keeps what that has beyond it, and it has as long as it had. Catching
/// up never takes the property back: a tween that stops meanwhile is caught up from where the property is.
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
  /// The difference that remains of a hand-over, since when, and its duration.
  private var fade: (difference: Motion, since: Double, duration: Double)?
  /// Whether it is what was missed.
  private var catchesUp = false
  private var lastWord = Motion()
  /// Without samples: the velocity before, the number of frames, the state that this leads to, and since when.
  private var late: (velocity: Double, frames: Int, lastSample: Motion, since: Double)?
  private var expectsNewPlan = false
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
    (followsWords, fade, late, expectsNewPlan) = (false, nil, nil, false)
  }

  /// The possible states of the property at the end of the frame at `time`: one, or two where it may come to rest.
  mutating func expect(at time: Double, word: Motion?) -> [Motion] {
    guard followsWords else {
      let state = forces.after(last, dt)
      let rest = Motion(forces.equilibrium ?? 0)
      return (state - rest).magnitude.isWithin(forces.snap) ? [state, rest] : [state]
    }
    guard let word else { return [coast(at: time)] }
    if late != nil {
      note(.recovery)
      return [goOver(to: word, from: coast(at: time), at: time)]
    }
    let isTakenBack = isTakenBack(by: word, at: time)
    if expectsNewPlan {
      note(.newPlan)
      return [goOver(to: word, from: onward(at: time), isBehind: isTakenBack, at: time)]
    }
    note(.word)
    if isTakenBack { return [goOver(to: word, from: onward(at: time), isBehind: true, at: time)] }
    guard let fade else { return [word] }
    return [word + TweenCourse.vanishing(fade.difference, time - fade.since, of: fade.duration)]
  }

  /// Whether a tween that does not turn around, but slows down or stops, would take the property back while it catches up.
  private func isTakenBack(by word: Motion, at time: Double) -> Bool {
    guard catchesUp, let fade else { return false }
    let way = lastWord.velocity
    guard word.velocity * way >= 0, (word.value - lastWord.value) * way >= 0 else { return false }
    let next = word + TweenCourse.vanishing(fade.difference, time - fade.since, of: fade.duration)
    let even = onward(at: time)
    return (next.value - last.value) * way < 0 && (even.value - last.value) * way >= 0
      || next.velocity * way < 0 && even.velocity * way >= 0
  }

  /// The state that the property would have without another plan: its mover continues evenly, and the remaining
  /// difference of a hand-over vanishes.
  private func onward(at time: Double) -> Motion {
    guard let fade else { return Motion(last.value + last.velocity * dt, last.velocity) }
    return Motion(lastWord.value + lastWord.velocity * dt, lastWord.velocity)
      + TweenCourse.vanishing(fade.difference, time - fade.since, of: fade.duration)
  }

  private mutating func goOver(
    to word: Motion, from present: Motion, isBehind: Bool = false, at time: Double
  ) -> Motion {
    let (difference, gap) = (present - word, late.map { time - $0.since } ?? 0)
    var duration = max(TweenCourse.fade, 1.5 * gap)
    catchesUp = isBehind || late != nil
    if catchesUp {
      if let fade { duration = max(duration, fade.since + fade.duration - time) }
      // It waits for a tween that is behind, and arrives no later than it would pass it. What takes it farther ahead fades
      // the sooner, the larger it is.
      if difference.value * difference.velocity < 0 {
        let way = difference.value * word.velocity > 0 ? word.velocity : difference.velocity
        duration = min(duration, max(4 * dt, 3 * abs(difference.value / way)))
      } else if difference.value * word.velocity >= 0, difference.velocity * word.velocity >= 0 {
        let way = max(abs(word.velocity), abs(difference.velocity) / 3)
        if way > 0 { duration = min(duration, max(4 * dt, 3 * abs(difference.value / way))) }
      }
    }
    (fade, late, expectsNewPlan) = ((difference, time, duration), nil, false)
    return present
  }

  private mutating func coast(at time: Double) -> Motion {
    note(.coast)
    var lastSample = fade == nil ? last : lastWord
    if late == nil, let fade, time - dt - fade.since < fade.duration {
      note(.lateAgain)
      let difference = TweenCourse.vanishing(fade.difference, time - dt - fade.since, of: fade.duration)
      let (own, driven, left) = (
        lastSample.velocity + difference.velocity, lastSample.velocity, fade.since + fade.duration - (time - dt)
      )
      lastSample.velocity = own * driven <= 0 ? 0 : abs(own) < abs(driven) ? own : driven
      // Ahead by less than the tween would have gone meanwhile, it stays so.
      let ahead = difference.value * driven > 0 && abs(difference.value) <= abs(driven) * left ? difference.value : 0
      lastSample.value += ahead
      self.fade = (Motion(difference.value - ahead, own - lastSample.velocity), time - dt, left)
    }
    let before = late ?? (lastSample.velocity, 0, lastSample, time - dt)
    let frames = min(before.frames + 1, 4)
    let velocity = before.velocity * (1 - Double(frames) / 4)
    let next = Motion(before.lastSample.value + (before.lastSample.velocity + velocity) / 2 * dt, velocity)
    late = (before.velocity, frames, next, before.since)
    guard let fade else { return next }
    return next + TweenCourse.vanishing(fade.difference, time - fade.since, of: fade.duration)
  }

  /// Receives the property's actual state.
  ///
  /// - Parameters:
  ///   - word: the worker's sample of the frame.
  ///   - isWorkers: whether the worker's samples move the property from now on.
  ///   - isLate: whether the property is reported as late: also from a first sample that came late.
  mutating func see(_ state: Motion, at time: Double, word: Motion?, isWorkers: Bool, isLate: Bool) {
    last = state
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
      catchesUp = isLate
    } else if !isWorkers, followsWords {
      note(.givenBack)
      takeByForces()
    }
  }

  /// The worker was given another tween in the frame: its next sample belongs to that one.
  mutating func beginTween() { expectsNewPlan = true }

  private mutating func note(_ reason: Reason) { reasons[reason, default: 0] += 1 }
}

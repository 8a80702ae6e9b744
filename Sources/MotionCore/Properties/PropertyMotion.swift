import MotionModel
import MotionPhysics

/// What stands between the words of executors in workers and a property's state: hand-overs, fades and late drivers.
///
/// Only properties that a worker writes, or that nobody moves although they are in motion, need one; what rests, and
/// what this process moves, has none. Times are simulated seconds.
struct PropertyMotion {
  /// A value as an executor in a worker wrote it.
  struct Sample {
    var executor: ExecutorHandle
    var state: PropertyState
    var imposes: Imposed
    /// The seconds until the movement ends, if that is known.
    var remaining: Double?
    /// Whether it may be the first of another plan of the mover, which began where the property was.
    var isFromNewPlan = false
    /// How many frames before the one in which it counts it was said for: its worker does not keep pace.
    var framesBehind: UInt64 = 0
    /// Whether its mover was asked for a word for earlier frames and none was heard: it is not what one frame has changed.
    var cameLate = false
    /// For how many simulated seconds its mover has been asked for a word in vain, if it came late.
    var waited = 0.0
  }

  /// A plan that an executor in a worker was given.
  struct NewPlan {
    var executor: ExecutorHandle
    /// The number of the command that gave it.
    var command: UInt64
    /// Since when its values are due, in simulated seconds, if its time began before it was given.
    var overdueSince: Double?
  }

  /// A difference that is added to the mover's words and fades.
  struct Blend {
    var fade: HandoverFade
    var startTime: Double
    /// The last word it was added to: it goes on fading when no other follows.
    var said: PropertyState
    /// Whether it is what the lack of a mover has left: until it has faded, the property is not where its mover says.
    var isRecovery = false

    /// What is left of it at `time`, and for how many seconds; `nil` if nothing is.
    func left(at time: Double) -> (difference: PropertyState, remaining: Double)? {
      let elapsed = time - startTime
      guard !fade.isOver(at: elapsed) else { return nil }
      let (value, velocity) = fade.offset(at: elapsed)
      let count = said.value.count
      let difference = PropertyState(Lanes(value, count: count), velocity: Lanes(velocity, count: count))
      return (difference, fade.duration - elapsed)
    }
  }

  /// The word of the executor that moves the property, not yet followed.
  var word: Sample?
  /// The first word of the driver that is to take over, not yet followed.
  var firstSample: Sample?
  /// The newest plan for the property, until its executor sends a value with it applied: values before that are of an earlier plan.
  var newPlan: NewPlan?
  /// Where the mover has ended and another was just told: the frame with which that one's first word is due. It is not late
  /// before.
  var firstSampleDue: UInt64?
  private(set) var blend: Blend?
  /// How the property goes on without a mover; stays after the movement has faded, until somebody moves it again.
  private(set) var late: LateDriver?
  /// When the last value was applied before it went on so, in simulated seconds.
  private var lateSince = 0.0
  /// What a hand missed of the property's way before it took hold of it; added to its words as long as it holds.
  private(set) var grip: SIMD4<Double>?
  /// Whether the mover is done, and only a difference to what it said last is left.
  private(set) var comesToRest = false
  /// How many frames the mover's last word was behind.
  private(set) var framesBehind: UInt64 = 0

  /// Whether nobody says where the property goes.
  var isCoasting: Bool { late != nil }
  /// Whether the property is not where its mover says because the mover was late or dead: it coasts, is behind, or
  /// catches up.
  var isLate: Bool { isCoasting || framesBehind > 0 || blend?.isRecovery ?? false }
  /// Whether it holds nothing that a later frame needs to know.
  var isEmpty: Bool {
    word == nil && firstSample == nil && newPlan == nil && blend == nil && late == nil && grip == nil
      && framesBehind == 0 && firstSampleDue == nil
  }
  /// Whether the next frame changes the property even if nobody says anything.
  var isMoving: Bool { blend != nil || late.map { !$0.isDone } ?? false }

  /// Whether a word of this executor waits that came late.
  func hasLateSample(of executor: ExecutorHandle) -> Bool {
    if let word, word.cameLate, word.executor == executor { return true }
    return firstSample.map { $0.cameLate && $0.executor == executor } ?? false
  }

  /// The property's state at `time` as its mover says it, with what is left of the last hand-over.
  mutating func follow(_ word: Sample, at time: Double) -> PropertyState {
    (framesBehind, comesToRest) = (word.framesBehind, false)
    blend?.said = word.state
    return fade(at: time) ?? word.state
  }

  /// What the mover said last with what is left of the difference; `nil` without one.
  private mutating func fade(at time: Double) -> PropertyState? {
    guard let blend else { return nil }
    var state = blend.said
    guard let difference = blend.left(at: time)?.difference else {
      (self.blend, comesToRest) = (nil, false)
      return state
    }
    state.value.storage += difference.value.storage
    state.velocity.storage += difference.velocity.storage
    return state
  }

  /// Another mover takes over at `time`, or one that was late is back: what it does not impose goes on from `present`,
  /// where the property would be at that time without it, and the difference fades.
  ///
  /// - Parameter behind: for how many seconds the words so far were behind.
  mutating func takeOver(
    _ word: Sample, from present: PropertyState, behind: Double = 0, at time: Double
  ) -> PropertyState {
    let wasLate = isCoasting || framesBehind > 0 || word.cameLate
    let gap = max(isCoasting ? time - lateSince : 0, word.waited, behind)
    (late, firstSampleDue) = (nil, nil)
    var word = word
    // What came too late is made good even if it was the end.
    if wasLate { word.remaining = nil }
    blend = Self.blend(from: present, to: word, within: HandoverFade.longestDuration(afterGap: gap), at: time)
    blend?.isRecovery = wasLate
    return follow(word, at: time)
  }

  /// The mover has another plan, which began where the property was, what was left of the last hand-over included; or
  /// it is less behind than it was. The difference between where the property would be if its mover went on evenly, `dt` after
  /// `present`, and the first such word fades instead.
  mutating func goOver(to word: Sample, from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    let behind = Double(framesBehind) * dt
    let onward = goOn(to: Self.evenly(blend?.said ?? present, dt), at: time)
    return takeOver(word, from: onward, behind: behind, at: time)
  }

  private static func evenly(_ present: PropertyState, _ dt: Double) -> PropertyState {
    var state = present
    state.value.storage += present.velocity.storage * dt
    return state
  }

  /// A hand-over had left a difference that is part of `present`, at `time`, and goes on fading: what is left of a cubic that
  /// vanishes is one.
  mutating func resume(_ difference: PropertyState, for remaining: Double, from present: PropertyState, at time: Double)
  {
    let (value, velocity) = (difference.value.storage, difference.velocity.storage)
    let fade = HandoverFade(value: value, velocity: velocity, remaining: remaining, longest: .greatestFiniteMagnitude)
    var said = present
    said.value.storage -= value
    said.velocity.storage -= velocity
    guard fade.duration > 0, said.isWellFormed else { return }
    blend = Blend(fade: fade, startTime: time, said: said)
  }

  /// Goes on at `time` without a word from a mover that owes none.
  ///
  /// - Returns: the state, or `nil` if it stays as it is.
  mutating func goOn(at time: Double) -> PropertyState? {
    framesBehind = 0
    return fade(at: time)
  }

  /// The mover is done and nobody follows: what it said last is where the property comes to rest, once the difference that
  /// is left has faded.
  ///
  /// - Returns: whether there is such a difference.
  mutating func comeToRest() -> Bool {
    framesBehind = 0
    guard let said = blend?.said else { return false }
    blend?.said = PropertyState(said.value)
    // It was late with its last word, and no other is awaited.
    if isCoasting {
      late = nil
      blend?.isRecovery = true
    }
    comesToRest = true
    return true
  }

  /// A hand takes hold at `present`: it counts from `base`, where it saw the property last, and what it missed since is
  /// added to all its words.
  mutating func takeHold(at present: PropertyState, countingFrom base: Lanes) {
    grip = present.value.storage - base.storage
  }

  /// The hand is gone.
  mutating func letGo() { grip = nil }

  /// The word as it counts for the property.
  func placed(_ word: Sample) -> Sample {
    guard let grip else { return word }
    var word = word
    word.state.value.storage += grip
    return word
  }

  /// The mover owes no further word: what it said last is where it is.
  mutating func owesNothing() { framesBehind = 0 }

  /// Moves on by `dt` from `present` to `time`, evenly: the mover has ended, and what it left is not to be lost on the way to the
  /// next.
  mutating func goOnEvenly(from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    framesBehind = 0
    return goOn(to: Self.evenly(blend?.said ?? present, dt), at: time)
  }

  /// Moves on by `dt` from `present` to `time` without anybody who says where to: the velocity fades and the value follows it.
  ///
  mutating func coast(from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    (framesBehind, firstSampleDue) = (0, nil)
    let said = blend?.said ?? present
    if late == nil { lateSince = time - dt }
    var driver = late ?? LateDriver(value: said.value.storage, velocity: said.velocity.storage)
    let (value, velocity) = driver.advance(dt: dt)
    late = driver
    let count = present.value.count
    return goOn(to: PropertyState(Lanes(value, count: count), velocity: Lanes(velocity, count: count)), at: time)
  }

  /// Takes `state` for what was said last, and adds what is left of the difference, which fades as it would have: its own
  /// velocity, which is great for a moment, would carry the property far away.
  private mutating func goOn(to state: PropertyState, at time: Double) -> PropertyState {
    comesToRest = false
    blend?.said = state
    return fade(at: time) ?? state
  }

  /// The difference that a hand-over leaves, or `nil` if there is none, or no time to let it fade.
  private static func blend(
    from present: PropertyState, to word: Sample, within longest: Double, at time: Double
  ) -> Blend? {
    var value = present.value.storage - word.state.value.storage
    var velocity = present.velocity.storage - word.state.velocity.storage
    if word.imposes.contains(.value) { value = .zero }
    if word.imposes.contains(.velocity) { velocity = .zero }
    let fade = HandoverFade(
      value: value, velocity: velocity, remaining: word.remaining ?? .infinity, longest: longest)
    guard value != .zero || velocity != .zero, fade.duration > 0 else { return nil }
    return Blend(fade: fade, startTime: time, said: word.state)
  }
}

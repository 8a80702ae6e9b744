import MotionModel
import MotionPhysics

/// The state that connects samples of executors in workers with a property: hand-overs, fades and late drivers.
///
/// Only two kinds of properties need one: those that a worker writes, and those in motion without a mover. A property
/// at rest, or one that this process moves, has none. Times are simulated seconds.
struct PropertyMotion {
  /// A value as an executor in a worker sent it.
  struct Sample {
    var executor: ExecutorHandle
    var state: PropertyState
    var imposes: Imposed
    /// The seconds until the movement ends, if that is known.
    var remaining: Double?
    /// The seconds in which the difference in velocity is blended out, if sooner than that in value.
    var carry: Double?
    /// Whether it may be the first sample of another plan of the mover, which began where the property was.
    var isFromNewPlan = false
    /// How many frames the sample's frame lies before the frame that applies it: its worker does not keep pace.
    var framesBehind: UInt64 = 0
    /// Whether samples of its mover were due for earlier frames and none arrived: its difference is not the change of
    /// one frame.
    var cameLate = false
    /// For how many simulated seconds a sample of its mover has been overdue, if it came late.
    var waited = 0.0
  }

  /// A plan that an executor in a worker received.
  struct NewPlan {
    var executor: ExecutorHandle
    /// The number of the command that carried it.
    var command: UInt64
    /// Since when its samples are due, in simulated seconds, if its time began before it was sent.
    var overdueSince: Double?
  }

  /// How the property has been moved so far.
  enum Mover {
    /// By samples of the last frame, or by a mover that owes none.
    case onTime
    /// By samples of a worker that does not keep pace: the last was so many frames behind.
    case behind(frames: UInt64)
    /// By no driver since a simulated time, when the last sample was applied: the property continues by a law. It stays
    /// after the movement has faded, until a mover drives the property again.
    case coasting(Coasting, since: Double)
    /// By no driver since its worker was lost: the property goes to a place, and stays there until a mover drives it.
    case retreating
  }

  /// What is known of the driver that is to take over.
  enum Next {
    /// Nothing.
    case unknown
    /// Its first sample is due in this frame: the last mover has ended, and the next has just received its plan. It is
    /// not late before that frame.
    case due(frame: UInt64)
    /// Its first sample has arrived, and is not yet applied.
    case arrived(Sample, due: UInt64?)
  }

  private(set) var mover = Mover.onTime
  private(set) var next = Next.unknown
  private(set) var blend: Blend?
  /// By how much the property moved between a manipulation's base and its start. It is added to the manipulation's
  /// samples as long as the manipulation lasts.
  private(set) var grip: SIMD4<Double>?
  /// The latest sample of the executor that moves the property, not yet applied.
  var word: Sample?
  /// The newest plan for the property, until its executor sends a sample with the plan applied. Earlier samples belong
  /// to an earlier plan.
  var newPlan: NewPlan?

  init() {}

  /// Continues the motion of another runtime.
  init(mover: Mover, next: Next, blend: Blend?, grip: SIMD4<Double>?, word: Sample?, newPlan: NewPlan?) {
    (self.mover, self.next, self.blend, self.grip, self.word) = (mover, next, blend, grip, word)
    self.newPlan = newPlan
  }

  /// The first sample of the driver that is to take over, not yet applied.
  var firstSample: Sample? {
    get { if case .arrived(let sample, _) = next { sample } else { nil } }
    set {
      if let newValue {
        next = .arrived(newValue, due: firstSampleDue)
      } else {
        next = firstSampleDue.map { .due(frame: $0) } ?? .unknown
      }
    }
  }
  /// The frame in which the next mover's first sample is due, if that is known.
  var firstSampleDue: UInt64? {
    get {
      switch next {
      case .unknown: nil
      case .due(let frame): frame
      case .arrived(_, let due): due
      }
    }
    set {
      if let firstSample {
        next = .arrived(firstSample, due: newValue)
      } else {
        next = newValue.map { .due(frame: $0) } ?? .unknown
      }
    }
  }

  /// Whether the property moves without samples of a mover.
  var isCoasting: Bool { if case .coasting = mover { true } else { false } }
  /// How many frames the mover's last sample was behind.
  var framesBehind: UInt64 { if case .behind(let frames) = mover { frames } else { 0 } }
  /// Whether the property goes to a place because its worker was lost.
  var isRetreating: Bool { if case .retreating = mover { true } else { false } }
  /// Whether the mover is done, and only a difference from its last sample, or from a place, is left.
  var comesToRest: Bool { isRetreating || blend?.comesToRest ?? false }
  /// Whether the property is not where its mover's samples put it because the mover was late or dead: it coasts, is
  /// behind, or catches up.
  var isLate: Bool { isCoasting || isRetreating || framesBehind > 0 || blend?.isRecovery ?? false }
  /// Whether the next frame changes the property even without a sample.
  var isMoving: Bool {
    if case .coasting(let law, _) = mover, !law.isDone { return true }
    return blend != nil
  }

  /// Keeps a sample until the frame has moved everything else: as the mover's, or as the first sample of the driver
  /// that is to take over.
  ///
  /// - Parameters:
  ///   - commands: The last command that its worker had applied.
  ///   - now: The time of the frame.
  mutating func keep(_ sample: Sample, after commands: UInt64, isOfMover: Bool, now: Double) {
    var sample = sample
    // A sample that is resent before the frame has moved on is as late as it was.
    if hasLateSample(of: sample.executor) { sample.cameLate = true }
    if let plan = newPlan, plan.executor == sample.executor, plan.command <= commands {
      newPlan = nil
      if let since = plan.overdueSince {
        // A plan that began before it was sent catches up.
        (sample.cameLate, sample.waited) = (true, max(sample.waited, now - since))
      } else {
        sample.isFromNewPlan = isOfMover
      }
    }
    guard isOfMover else { return firstSample = sample }
    if word?.isFromNewPlan == true { sample.isFromNewPlan = true }
    if let grip { sample.state.value.storage += grip }
    word = sample
  }

  /// Whether a late sample of this executor waits to be applied.
  private func hasLateSample(of executor: ExecutorHandle) -> Bool {
    if let word, word.cameLate, word.executor == executor { return true }
    return firstSample.map { $0.cameLate && $0.executor == executor } ?? false
  }

  /// The property's state at `time`: the mover's sample plus the rest of the last hand-over.
  mutating func follow(_ word: Sample, at time: Double) -> PropertyState {
    mover = word.framesBehind > 0 ? .behind(frames: word.framesBehind) : .onTime
    blend?.follow(word.state)
    return fade(at: time) ?? word.state
  }

  /// The mover's last sample plus the rest of the difference; `nil` without a difference.
  private mutating func fade(at time: Double) -> PropertyState? {
    guard let blend else { return nil }
    var state = blend.lastSample
    guard !blend.fade.isOver(at: time - blend.startTime) else {
      self.blend = nil
      return state
    }
    let (value, velocity) = blend.fade.offset(at: time - blend.startTime)
    state.value.storage += value
    state.velocity.storage += velocity
    return state
  }

  /// Another mover takes over at `time`, or a late mover has returned. A value or velocity that the sample does not
  /// impose continues from `present`, the property's state at that time without the sample; the difference fades.
  ///
  /// - Parameter dt: The duration of a frame.
  mutating func takeOver(_ word: Sample, from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    let wasBehind = isCoasting || framesBehind > 0 || word.cameLate && blend?.isRecovery == true
    let wasLate = wasBehind || word.cameLate
    var gap = max(0, word.waited, Double(framesBehind) * dt)
    if case .coasting(_, let since) = mover { gap = max(time - since, word.waited) }
    firstSampleDue = nil
    var (word, longest) = (word, HandoverFade.longestDuration(afterGap: gap))
    // A late sample is blended even if it was the last one.
    if wasLate { word.remaining = nil }
    // What is left of an earlier gap keeps the time that it had.
    if wasBehind { longest = max(longest, blend?.remaining(at: time) ?? 0) }
    blend = Self.blend(
      from: present, to: word, within: longest, notPassing: wasBehind ? Coasting.seconds(dt) : nil, at: time)
    blend?.isRecovery = wasLate
    return follow(word, at: time)
  }

  /// Applies the first sample of another plan of the mover, or a sample that came late or is fewer frames behind than
  /// the last.
  ///
  /// The other plan began where the property was, including the rest of the last hand-over. The property is
  /// extrapolated evenly by `dt` from the mover's last sample, or from `present` without a hand-over. The difference
  /// between that and `word` fades.
  mutating func goOver(to word: Sample, from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    let onward = goOn(to: Self.evenly(blend?.lastSample ?? present, dt), at: time)
    return takeOver(word, from: onward, dt: dt, at: time)
  }

  private static func evenly(_ present: PropertyState, _ dt: Double) -> PropertyState {
    var state = present
    state.value.storage += present.velocity.storage * dt
    return state
  }

  /// Restores the fade of a hand-over whose difference is part of `present` at `time`, beside another that is restored
  /// already (``Blend/left(at:)``). No difference at all is a gap of its mover: so long would the fade after it last.
  mutating func resume(_ difference: PropertyState, for remaining: Double, from present: PropertyState, at time: Double)
  {
    let (value, velocity) = (difference.value.storage, difference.velocity.storage)
    var lastSample = blend?.lastSample ?? present
    lastSample.value.storage -= value
    lastSample.velocity.storage -= velocity
    guard remaining > 0, lastSample.isWellFormed else { return }
    var gap = if case .coasting(_, let since) = mover { time - since } else { 0.0 }
    if value == .zero, velocity == .zero {
      gap = min(remaining / HandoverFade.gapFactor, HandoverFade.longestGap)
    } else {
      let part = VanishingOffset(value: value, velocity: velocity, duration: remaining)
      blend = Blend(fade: HandoverFade(part, blend?.fade.difference), startTime: time, lastSample: lastSample)
    }
    guard gap > 0 else { return }
    mover = .coasting(
      Coasting(value: lastSample.value.storage, velocity: lastSample.velocity.storage), since: time - gap)
  }

  /// Continues at `time` without a sample from a mover that owes none.
  ///
  /// - Returns: the state, or `nil` if it stays as it is.
  mutating func goOn(at time: Double) -> PropertyState? {
    catchUp()
    return fade(at: time)
  }

  /// The mover is done and no driver follows: the property comes to rest at the last sample, once the remaining
  /// difference has faded.
  ///
  /// - Returns: whether such a difference remains.
  mutating func comeToRest() -> Bool {
    catchUp()
    guard let lastSample = blend?.lastSample else { return false }
    blend?.lastSample = PropertyState(lastSample.value)
    // The last sample was late, and no other is awaited.
    if isCoasting {
      mover = .onTime
      blend?.isRecovery = true
    }
    blend?.comesToRest = true
    return true
  }

  /// No driver moves the property, and it goes from `present` at `time` to a value, where it comes to rest.
  mutating func retreat(to value: Lanes, within seconds: Double, from present: PropertyState, at time: Double) {
    let difference = VanishingOffset(
      value: present.value.storage - value.storage, velocity: present.velocity.storage, duration: seconds)
    mover = .retreating
    blend = Blend(fade: HandoverFade(difference), startTime: time, lastSample: PropertyState(value))
  }

  /// A manipulation starts at `present`. Its samples count from `base`, the property's value that its executor saw
  /// last; the movement since then is added to all its samples.
  mutating func takeHold(at present: PropertyState, countingFrom base: Lanes) {
    grip = present.value.storage - base.storage
  }

  /// Nothing is known any more.
  mutating func empty() { (mover, next, blend, grip, word, newPlan) = (.onTime, .unknown, nil, nil, nil, nil) }

  /// The manipulation has ended.
  mutating func letGo() { grip = nil }

  /// The sample with the offset of the manipulation added.
  func placed(_ word: Sample) -> Sample {
    guard let grip else { return word }
    var word = word
    word.state.value.storage += grip
    return word
  }

  /// The mover owes no further sample: its last sample is its present state.
  ///
  /// - Returns: whether it was behind.
  mutating func owesNothing() -> Bool {
    defer { catchUp() }
    return framesBehind > 0
  }

  /// From now on no frame is missing; a property that coasts goes on doing so.
  private mutating func catchUp() { if case .behind = mover { mover = .onTime } }

  /// Extrapolates evenly by `dt` from `present` to `time`. The mover has ended, and its velocity must not be lost
  /// before the next mover's first sample.
  mutating func goOnEvenly(from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    catchUp()
    return goOn(to: Self.evenly(blend?.lastSample ?? present, dt), at: time)
  }

  /// Moves on by `dt` from `present` to `time` without a mover: the velocity fades and the value follows it.
  mutating func coast(from present: PropertyState, dt: Double, at time: Double) -> PropertyState {
    firstSampleDue = nil
    var (law, since): (Coasting, Double)
    if case .coasting(let known, let start) = mover {
      (law, since) = (known, start)
    } else {
      since = time - dt
      let velocity = blend?.beginSilence(at: since)
      let lastSample = blend?.lastSample ?? present
      law = Coasting(value: lastSample.value.storage, velocity: velocity ?? lastSample.velocity.storage)
    }
    let (value, velocity) = law.advance(dt: dt)
    mover = .coasting(law, since: since)
    let count = present.value.count
    return goOn(to: PropertyState(Lanes(value, count: count), velocity: Lanes(velocity, count: count)), at: time)
  }

  /// Takes `state` as the last sample and adds the rest of the difference, which keeps fading on its own curve. The
  /// difference's own velocity is not extrapolated: it is large for a moment and would carry the property far away.
  private mutating func goOn(to state: PropertyState, at time: Double) -> PropertyState {
    blend?.follow(state)
    return fade(at: time) ?? state
  }

  /// The difference that a hand-over leaves; `nil` if there is none, or no time to let it fade.
  ///
  /// - Parameter least: if the property must not pass its mover by its velocity, at least how many seconds the difference
  ///   takes in spite of that.
  private static func blend(
    from present: PropertyState, to word: Sample, within longest: Double, notPassing least: Double?, at time: Double
  ) -> Blend? {
    var value = present.value.storage - word.state.value.storage
    var velocity = present.velocity.storage - word.state.velocity.storage
    if word.imposes.contains(.value) { value = .zero }
    if word.imposes.contains(.velocity) { velocity = .zero }
    // A property that stands by now has no velocity to blend out: the new driver's is blended in with the value.
    let carry = present.velocity.storage == .zero ? nil : word.carry
    var longest = longest
    if let least {
      let useful = VanishingOffset.longestUseful(
        value: value, velocity: velocity, ofMotionWith: word.state.velocity.storage)
      longest = min(longest, max(least, useful))
    }
    let fade = HandoverFade(
      value: value, velocity: velocity, remaining: word.remaining ?? .infinity, longest: longest,
      carry: carry ?? .infinity)
    guard value != .zero || velocity != .zero, fade.duration > 0 else { return nil }
    return Blend(fade: fade, startTime: time, lastSample: word.state)
  }
}

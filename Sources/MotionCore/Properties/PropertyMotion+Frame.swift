import MotionModel
import MotionPhysics

extension PropertyMotion {
  /// What a frame asks of a motion.
  struct Marks {
    /// Whether it holds nothing that a later frame needs.
    var isEmpty = true
    /// The executor whose sample waits to be applied.
    var word: ExecutorHandle?
    /// Whether that sample came in time, and nothing else is known.
    var hasWordOnly = false
    /// Whether the first sample of the driver that is to take over has arrived.
    var hasFirstSample = false
    /// See ``PropertyMotion/isLate``.
    var isLate = false
    /// See ``PropertyMotion/isCoasting``.
    var isCoasting = false
    /// See ``PropertyMotion/isMoving``.
    var isMoving = false
    /// See ``PropertyMotion/comesToRest``.
    var comesToRest = false
  }

  /// What a frame asks of it. It does not change: as a change, it is read where it lies.
  var marks: Marks {
    mutating get {
      var marks = Marks()
      if case .unknown = next {} else { marks.isEmpty = false }
      if case .arrived = next { marks.hasFirstSample = true }
      switch mover {
      case .onTime: break
      case .behind: (marks.isEmpty, marks.isLate) = (false, true)
      case .coasting(let law, _):
        (marks.isEmpty, marks.isLate, marks.isCoasting, marks.isMoving) = (false, true, true, !law.isDone)
      case .retreating: (marks.isEmpty, marks.isLate, marks.comesToRest) = (false, true, true)
      }
      if grip != nil || newPlan != nil { marks.isEmpty = false }
      if blend != nil {
        (marks.isEmpty, marks.isMoving) = (false, true)
        if blend?.isRecovery == true { marks.isLate = true }
        if blend?.comesToRest == true { marks.comesToRest = true }
      }
      marks.word = word?.executor
      guard marks.word != nil else { return marks }
      marks.hasWordOnly =
        marks.isEmpty && word?.cameLate == false && word?.isFromNewPlan == false && word?.framesBehind == 0
      marks.isEmpty = false
      return marks
    }
  }

  /// Takes out the state of the mover's sample if it is one of this executor.
  mutating func takeWord(of executor: ExecutorHandle) -> PropertyState? {
    guard word?.executor == executor, let state = word?.state else { return nil }
    word = nil
    return state
  }

  /// What is known when a frame moves a property on.
  struct Situation {
    /// The executor that moves it.
    var actor: ExecutorHandle?
    var present: PropertyState
    /// Where its mover wants it, under limits.
    var demand: PropertyState
    var frame: Frame
    /// Whether limits of motion hold for it under which its velocity cannot fade as without a sample.
    var mustBrake: Bool
    /// Whether it lacks a sample for the frame, if none has arrived.
    var lacksSample: Bool
  }

  /// What a frame makes of a property.
  struct Step {
    var state: PropertyState
    /// Whether it brakes under its limits instead.
    var brakes = false
    /// Whether the motion begins where the property was.
    var beginsHere = true
    /// Whether its mover is late since this frame.
    var isLateNow = false
    /// Whether it became late, or is no longer.
    var hasChangedLateness = false
  }

  /// Moves the property on by a frame: by its mover's sample, or by extrapolation without one.
  mutating func step(_ now: Situation) -> Step {
    let (dt, time, wasLate) = (now.frame.dt, now.frame.time, isLate)
    var step = Step(state: now.present)
    var sample = word?.executor == now.actor ? word : nil
    word = nil
    // A sample of a frame of which there was one stands still, while the last one's velocity goes on.
    if let word = sample,
      word.framesBehind > framesBehind
        || blend?.takesBack(word.state, from: now.present, dt: dt, at: time) ?? false
    {
      sample?.cameLate = true
    }
    // A late return is no reason to jump: the plan set its imposed values when it took over.
    let isBack = isCoasting || (sample?.framesBehind ?? 0) < framesBehind || (sample?.cameLate ?? false)
    if isBack, sample?.isFromNewPlan == false { sample?.imposes = [] }
    if let sample, !isCoasting {
      step.beginsHere = isBack || sample.isFromNewPlan
      step.state =
        step.beginsHere ? goOver(to: sample, from: now.present, dt: dt, at: time) : follow(sample, at: time)
    } else if !isCoasting, now.actor == nil, let due = firstSampleDue, now.frame.number <= due {
      step.state = goOnEvenly(from: now.present, dt: dt, at: time)
    } else if isCoasting || now.lacksSample {
      step.isLateNow = !isCoasting && now.actor != nil
      step.state = coast(from: now.present, dt: dt, at: time)
      step.brakes = now.mustBrake
      if let sample { (step.state, step.brakes) = (takeOver(sample, from: step.state, dt: dt, at: time), false) }
    } else {
      step.state = goOn(at: time) ?? now.demand
      step.beginsHere = false
    }
    step.hasChangedLateness = isLate != wasLate
    return step
  }
}

import MotionModel
import MotionPhysics

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionLink

/// Checks a coordinator after each moment and reports violations.
struct Observer {
  /// The greatest speed in units per second over frames that were not observed: springs over 200 units, and the plans
  /// that take over from them.
  private static let fastest = 4000.0
  /// The greatest age of a checkpoint when the coordinator is killed, if no fault delays it: a second (design §9).
  private static let oldestCheckpoint = Duration.seconds(1)

  private var lastFrame: UInt64 = 0
  private var lastTime = 0.0
  /// The course of each property, by its handle. A target that was forgotten and added again has a new handle.
  private var courses: [PropertyHandle: Course] = [:]
  private var places = Places()
  private var limits = LimitCheck()
  private(set) var lifts = LiftCheck()
  private(set) var waves = WaveCheck()
  private(set) var fades = FadeCheck()
  private var ramps = RampCheck()
  private var holds = HoldCheck()
  private(set) var cues = CueCheck()
  /// Whether there was a frame since the last check.
  private(set) var sawFrame = false
  /// The number of checked frames.
  private(set) var frames: UInt64 = 0
  /// When the coordinator was killed, and since when no fault had delayed it.
  private var kill: (time: Duration, unhinderedSince: Duration)?

  /// The coordinator is killed.
  mutating func killed(at now: Duration, unhinderedSince: Duration) { kill = (now, unhinderedSince) }

  /// A coordinator was started, and nothing has moved yet. Every property has the state that it had after the frame of
  /// the checkpoint, or is new.
  ///
  /// - Parameters:
  ///   - frame: that frame; 0 if there is no checkpoint, and `nil` if it continues from the last frame, which
  ///     ``LastFrame`` checks.
  ///   - forgotten: the targets that were forgotten after it.
  ///   - isUnchanged: whether the journal has no row after it.
  /// - Returns: the violations.
  mutating func started(
    _ runtime: Runtime, goingOnFrom frame: UInt64?, forgotten: Set<TargetName>, limited: [Places.Limited],
    isUnchanged: Bool
  ) -> [String] {
    (lastFrame, lastTime, sawFrame) = (runtime.frame.number, runtime.frame.time, false)
    courses = Self.courses(in: runtime)
    limits.started(runtime)
    lifts.started(runtime)
    waves.started()
    fades.started()
    ramps.started(runtime)
    holds = HoldCheck()
    guard let frame else {
      places.goOn(from: runtime.frame.number)
      return []
    }
    var problems = places.problems(
      of: runtime, goingOnFrom: frame, forgotten: forgotten, limited: limited, isUnchanged: isUnchanged)
    if let kill, let after = places.firstTime(after: frame), kill.unhinderedSince < after,
      kill.time - after > Self.oldestCheckpoint
    {
      problems.append("frame \(frame), from which it goes on, is \(kill.time - after) older than its end")
    }
    places.goOn(from: frame)
    return problems
  }

  /// Records the state of every property after a turn, in which a checkpoint may have been taken.
  mutating func note(_ runtime: Runtime, at now: Duration) { places.note(runtime, at: now) }

  /// The problems of a runtime and its workers.
  mutating func look(at coordinator: isolated Coordinator, at now: Duration) -> [String] {
    let runtime = coordinator.runtime
    var problems =
      Self.problems(ofTokensIn: coordinator) + holds.problems(in: coordinator) + ramps.problems(in: coordinator)
      + cues.problems(in: coordinator, at: now)
    sawFrame = runtime.frame.number != lastFrame
    guard sawFrame else { return problems }
    frames += 1
    problems += Self.problems(ofStacksIn: runtime) + problemsOfMotion(in: runtime)
    return problems
  }

  /// Each token belongs to a live worker: the tokens of dead workers have ended.
  private static func problems(ofTokensIn coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    var count = 0
    for executor in runtime.plans.executors.values {
      count += executor.tokens.count
      guard let worker = executor.worker, !executor.tokens.isEmpty else { continue }
      if coordinator.workers.table[worker]?.link == nil {
        problems.append("\(executor.key) holds tokens of \(worker), which is dead")
      }
    }
    if count != runtime.activity.tokens { problems.append("\(count) tokens are counted as \(runtime.activity.tokens)") }
    var activity = ActivityCount()
    for executor in runtime.plans.executors.values {
      activity.change(from: ExecutorActivity(), to: runtime.activity.needs(of: executor))
    }
    if activity != runtime.activity.executors {
      problems.append("\(activity) is counted as \(runtime.activity.executors)")
    }
    return problems + Self.problems(ofUnknownTokensIn: coordinator) + Self.problems(ofFramesIn: coordinator)
  }

  /// The frame timer runs exactly while the runtime wants frames, a step is under way, a transaction is due, or an event
  /// has taken effect since the last frame.
  private static func problems(ofFramesIn coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    if runtime.wantsFrames, !coordinator.clock.isActive { problems.append("no frame follows, though one is wanted") }
    let isDue = runtime.nextDueTime.map { coordinator.clock.time(at: coordinator.machine.now) >= $0 } ?? false
    let cues = runtime.cues.stored.compactMap(\.position.due)
    let awaited = ([runtime.queue.waiting.earliest, runtime.plans.delayed.earliest].compactMap(\.self) + cues).min()
    if let awaited, !coordinator.clock.isActive, let time = coordinator.clock.bootTime(of: awaited) {
      let wake = coordinator.frames.deadline(forWaiting: runtime.nextDueTime, writingBy: nil)
      if wake.map({ $0 > time }) ?? true {
        problems.append("the loop wakes at \(wake.map { "\($0)" } ?? "no time"), though something is due at \(awaited)")
      }
    }
    if coordinator.clock.isActive, !runtime.wantsFrames, !isDue, coordinator.frames.stepping == nil,
      !coordinator.frames.hasEvents
    {
      problems.append("frame \(runtime.frame.number + 1) follows, though nobody wants it")
    }
    return problems
  }

  /// The runtime has the tokens that the link has received, unless it has yet to apply a received event.
  private static func problems(ofUnknownTokensIn coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    guard runtime.queue.pending.isEmpty, runtime.workers.endings.isEmpty else { return [] }
    return runtime.plans.executors.values.compactMap { executor in
      guard let worker = executor.worker, runtime.workers.records[worker]?.isProvisioned == true,
        let link = coordinator.workers.table[worker]?.link
      else { return nil }
      let (known, heard) = (Set(executor.tokens.keys), link.tokens[executor.handle])
      return known == heard
        ? nil : "\(executor.key) has the tokens \(known.sorted()), and its worker has said \(heard.sorted())"
    }
  }

  /// Drivers and claims belong to live intentions, and every intention has its claims.
  private static func problems(ofStacksIn runtime: Runtime) -> [String] {
    var problems: [String] = []
    for slot in runtime.movement.properties.occupied {
      let entry = runtime.movement.properties[slot]
      for claim in entry.stack.claims {
        guard let record = runtime.plans.intentions[claim.identity], record.executor == claim.executor else {
          problems.append("\(entry.reference) is claimed for \(claim.identity), which is not there")
          continue
        }
      }
      if let driver = entry.stack.driver, runtime.plans.executors[driver] == nil {
        problems.append("\(entry.reference) is driven by an executor that is not there")
      }
    }
    for (identity, record) in runtime.plans.intentions {
      guard runtime.plans.executors[record.executor]?.intentions.contains(identity) == true else {
        problems.append("\(identity) belongs to an executor that does not know it")
        continue
      }
      for slot in record.slots
      where !runtime.movement.properties[slot].stack.claims.contains(where: { $0.identity == identity }) {
        problems.append("\(identity) writes \(runtime.movement.properties[slot].reference) without a claim")
      }
    }
    return problems
  }

  /// Whether a property belongs to explorers.
  static func isExplored(_ reference: PropertyReference) -> Bool { reference.target.text.hasPrefix(Explorer.prefix) }

  private static func courses(in runtime: Runtime) -> [PropertyHandle: Course] {
    let courses = runtime.movement.properties.occupied.map {
      (runtime.movement.properties.handle(at: $0), Course(of: $0, in: runtime))
    }
    return Dictionary(uniqueKeysWithValues: courses)
  }

  /// Frames are consecutive, values are finite, and each value follows from the value before.
  private mutating func problemsOfMotion(in runtime: Runtime) -> [String] {
    var problems: [String] = []
    let frame = runtime.frame
    if lastFrame > 0, frame.number < lastFrame { problems.append("frame \(frame.number) follows \(lastFrame)") }
    problems += limits.problems(of: runtime, follows: frame.number == lastFrame + 1)
    problems += lifts.problems(of: runtime, follows: frame.number == lastFrame + 1)
    problems += waves.problems(of: runtime, follows: frame.number == lastFrame + 1)
    problems += fades.problems(of: runtime, follows: frame.number == lastFrame + 1)
    problems += ExplanationCheck.problems(of: runtime)
    let courses = Self.courses(in: runtime)
    for slot in runtime.movement.properties.occupied {
      let (reference, handle) = (
        runtime.movement.properties[slot].reference, runtime.movement.properties.handle(at: slot)
      )
      let state = runtime.movement.properties.state(at: slot)
      let (value, velocity) = (state.value.storage, state.velocity.storage)
      for lane in 0..<4 where !value[lane].isFinite || !velocity[lane].isFinite {
        problems.append("\(reference) is \(state)")
      }
      guard let course = courses[handle] else { continue }
      guard let last = self.courses[handle] else { continue }
      if frame.number == lastFrame + 1 {
        if let problem = course.problemOfMove(since: last, in: frame, of: reference) { problems.append(problem) }
      }
      // Forces, hands and tweens of all kinds alternate on these; the tests of one trajectory check them.
      if Self.isExplored(reference) { continue }
      if frame.number == lastFrame + 1 {
        if let problem = course.problem(since: last, in: frame, of: reference) { problems.append(problem) }
      }
      let elapsed = frame.time - lastTime
      for lane in 0..<4 where abs(value[lane] - last.state.value[lane]) > Self.fastest * elapsed {
        problems.append("\(reference) jumped from \(last.state) to \(course.state) within \(elapsed) s")
      }
    }
    (lastFrame, lastTime, self.courses) = (frame.number, frame.time, courses)
    return problems
  }
}

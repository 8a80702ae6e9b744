import MotionModel
import MotionPhysics

@testable import MotionCoordinator
@testable import MotionCore

/// Looks at a coordinator after each moment, and says what must not be.
struct Observer {
  /// How fast anything may move here, in units per second: springs over 200 units, and what takes over from them.
  private static let fastest = 4000.0

  private var lastFrame: UInt64 = 0
  private var lastTime = 0.0
  /// Where each was, by its handle: one that was forgotten and comes again is another.
  private var lastValues: [PropertyHandle: SIMD4<Double>] = [:]
  /// Where each has been, unless frames were run one behind the other, between which nobody looked.
  private var missedFrames = false
  private var places: [PropertyReference: Set<SIMD4<Double>>] = [:]
  /// Whether there was a frame since it looked before.
  private(set) var sawFrame = false
  /// How many frames were looked at.
  private(set) var frames: UInt64 = 0

  /// A coordinator was started, and nothing has moved yet: everything is where it was at some time, or new.
  ///
  /// - Returns: what is not.
  mutating func started(_ runtime: Runtime) -> [String] {
    (lastFrame, lastValues, sawFrame) = (0, [:], false)
    guard !missedFrames else { return [] }
    return runtime.properties.occupied.compactMap { slot in
      let (reference, value) = (runtime.properties[slot].reference, runtime.properties.value(at: slot))
      guard value != .zero, let places = places[reference], !places.contains(value) else { return nil }
      return "\(reference) begins again at \(value), where it never was"
    }
  }

  /// What is wrong with a runtime and its workers.
  mutating func look(at coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    var problems = Self.problems(ofTokensIn: coordinator)
    sawFrame = runtime.frame.number != lastFrame
    guard sawFrame else { return problems }
    frames += 1
    if runtime.frame.number > lastFrame + 1, lastFrame > 0 { missedFrames = true }
    problems += Self.problems(ofStacksIn: runtime) + problemsOfMotion(in: runtime)
    return problems
  }

  /// A token belongs to a worker that lives: those of the dead have ended.
  private static func problems(ofTokensIn coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    var count = 0
    for executor in runtime.executors.values {
      count += executor.tokens.count
      guard let worker = executor.worker, !executor.tokens.isEmpty else { continue }
      if coordinator.seats[worker]?.link == nil {
        problems.append("\(executor.key) holds tokens of \(worker), which is dead")
      }
    }
    if count != runtime.tokenCount { problems.append("\(count) tokens are counted as \(runtime.tokenCount)") }
    let active = runtime.executors.values.count { $0.isCounted }
    if active != runtime.activeExecutors {
      problems.append("\(active) active executors are counted as \(runtime.activeExecutors)")
    }
    return problems
  }

  /// Drivers and claims are those of intentions that live, and every intention has its claims.
  private static func problems(ofStacksIn runtime: Runtime) -> [String] {
    var problems: [String] = []
    for slot in runtime.properties.occupied {
      let entry = runtime.properties[slot]
      for claim in entry.stack.claims {
        guard let record = runtime.intentions[claim.identity], record.executor == claim.executor else {
          problems.append("\(entry.reference) is claimed for \(claim.identity), which is not there")
          continue
        }
      }
      if let driver = entry.stack.driver, runtime.executors[driver] == nil {
        problems.append("\(entry.reference) is driven by an executor that is not there")
      }
    }
    for (identity, record) in runtime.intentions {
      guard runtime.executors[record.executor]?.intentions.contains(identity) == true else {
        problems.append("\(identity) belongs to an executor that does not know it")
        continue
      }
      for slot in record.slots where !runtime.properties[slot].stack.claims.contains(where: { $0.identity == identity })
      {
        problems.append("\(identity) writes \(runtime.properties[slot].reference) without a claim")
      }
    }
    return problems
  }

  /// Frames follow each other, values are finite, and nothing is anywhere without having gone there.
  private mutating func problemsOfMotion(in runtime: Runtime) -> [String] {
    var problems: [String] = []
    let frame = runtime.frame
    if lastFrame > 0, frame.number < lastFrame { problems.append("frame \(frame.number) follows \(lastFrame)") }
    let elapsed = lastFrame > 0 ? frame.time - lastTime : 0
    var values: [PropertyHandle: SIMD4<Double>] = [:]
    for slot in runtime.properties.occupied {
      let (reference, state) = (runtime.properties[slot].reference, runtime.properties.state(at: slot))
      let (value, velocity) = (state.value.storage, state.velocity.storage)
      for lane in 0..<4 where !value[lane].isFinite || !velocity[lane].isFinite {
        problems.append("\(reference) is \(state)")
      }
      let handle = runtime.properties.handle(at: slot)
      values[handle] = value
      places[reference, default: []].insert(value)
      guard let last = lastValues[handle] else { continue }
      for lane in 0..<4 where abs(value[lane] - last[lane]) > Self.fastest * elapsed {
        problems.append("\(reference) jumped from \(last) to \(value) within \(elapsed) s")
      }
    }
    (lastFrame, lastTime, lastValues) = (frame.number, frame.time, values)
    return problems
  }
}

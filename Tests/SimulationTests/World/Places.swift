import MotionModel

@testable import MotionCore

/// Where everything was after each frame and how fast, as far back as a checkpoint may hold it.
///
/// Between frames things change as well, where a worker is lost: of a frame there are as many records as differ.
struct Places {
  private typealias Record = [PropertyReference: Course.State]

  private var frames: [UInt64: [Record]] = [:]
  /// When a frame was seen first.
  private var times: [UInt64: Duration] = [:]

  /// Takes note of where everything is.
  mutating func note(_ runtime: Runtime, at now: Duration) {
    let (number, record) = (runtime.frame.number, Self.record(of: runtime))
    if times[number] == nil { times[number] = now }
    if frames[number]?.last != record { frames[number, default: []].append(record) }
  }

  private static func record(of runtime: Runtime) -> Record {
    let states = runtime.properties.occupied.map { slot in
      let state = Course.State(
        value: runtime.properties.value(at: slot), velocity: runtime.properties.velocity(at: slot))
      return (runtime.properties[slot].reference, state)
    }
    return Dictionary(uniqueKeysWithValues: states)
  }

  /// What of a runtime that was started is not where it was after the frame of its checkpoint, or goes on at another velocity;
  /// what was not there yet is where all things begin.
  ///
  /// Of frames that were run one behind the other only the last was seen, and nothing is said of the others.
  ///
  /// - Parameters:
  ///   - frame: that frame; 0 if there is no checkpoint.
  ///   - forgotten: the targets that were forgotten since, of which nothing is said.
  func problems(of runtime: Runtime, goingOnFrom frame: UInt64, forgotten: Set<TargetName>) -> [String] {
    // Before the first frame there is nothing.
    guard let records = frame == 0 ? [[:]] : frames[frame] else {
      return frames.keys.contains { $0 > frame } ? [] : ["it goes on from frame \(frame), which never was"]
    }
    return records.map { Self.problems(of: runtime, comparedWith: $0, forgotten) }.min { $0.count < $1.count } ?? []
  }

  private static func problems(
    of runtime: Runtime, comparedWith before: Record, _ forgotten: Set<TargetName>
  ) -> [String] {
    let now = record(of: runtime).filter { !forgotten.contains($0.key.target) }
    let lost = before.keys.filter { now[$0] == nil && !forgotten.contains($0.target) }
    return lost.map { "\($0) is lost, and was there in the frame of the checkpoint" }.sorted()
      + now.compactMap { reference, state in
        guard let last = before[reference] else {
          return isNew(state, reference, in: runtime) ? nil : "\(reference) is new, and begins at \(state)"
        }
        if state == last { return nil }
        // What fell to nobody stands, and what was stopped before another plan came.
        if state.value == last.value, state.velocity == .zero,
          Observer.isExplored(reference) || isLeft(reference, in: runtime)
        {
          return nil
        }
        return "\(reference) begins again at \(state), and was at \(last) in the frame of the checkpoint"
      }.sorted()
  }

  private static func isNew(_ state: Course.State, _ reference: PropertyReference, in runtime: Runtime) -> Bool {
    guard let slot = runtime.find(reference) else { return false }
    let first = KnownProperty.named(reference.property).initialLane
    let lanes = Lanes(SIMD4(repeating: first), count: runtime.properties.lanes(at: slot))
    return state == Course.State(value: lanes.storage, velocity: .zero)
  }

  /// Whether nobody moves a property.
  private static func isLeft(_ reference: PropertyReference, in runtime: Runtime) -> Bool {
    runtime.find(reference).map { runtime.properties[$0].stack.driver == nil } ?? true
  }

  /// When something happened of which a checkpoint of `frame` does not know.
  func firstTime(after frame: UInt64) -> Duration? { times.lazy.filter { $0.key > frame }.map(\.value).min() }

  /// A coordinator goes on from the checkpoint of `frame`: what was later never was, and what was earlier comes back no more.
  mutating func goOn(from frame: UInt64) {
    frames = frames.filter { $0.key == frame }
    times = times.filter { $0.key == frame }
  }
}

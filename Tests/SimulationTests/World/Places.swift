import MotionModel

@testable import MotionCore

/// The value and velocity of every property after each frame, as far back as a checkpoint may reach.
///
/// States also change between frames, when a worker is lost. So a frame has one record for each distinct state.
struct Places {
  typealias Limited = RuntimeCheckpoint.Limit

  private typealias Record = [PropertyReference: Place]

  private struct Place: Equatable {
    var state: Course.State
    /// Whether it moves without a driver.
    var isBraking = false
  }

  private var frames: [UInt64: [Record]] = [:]
  /// When a frame was seen first.
  private var times: [UInt64: Duration] = [:]

  /// Records the state of every property.
  mutating func note(_ runtime: Runtime, at now: Duration) {
    let (number, record) = (runtime.frame.number, Self.record(of: runtime))
    if times[number] == nil { times[number] = now }
    if frames[number]?.last != record { frames[number, default: []].append(record) }
  }

  private static func record(of runtime: Runtime) -> Record {
    let states = runtime.movement.properties.occupied.map { slot in
      let state = Course.State(
        value: runtime.movement.properties.value(at: slot), velocity: runtime.movement.properties.velocity(at: slot))
      return (
        runtime.movement.properties[slot].reference,
        Place(state: state, isBraking: RampCheck.isBraking(slot, in: runtime))
      )
    }
    return Dictionary(uniqueKeysWithValues: states)
  }

  /// The properties of a started runtime whose value or velocity differs from their state after the frame of its
  /// checkpoint. A property that did not exist then must have its initial value.
  ///
  /// If several frames were run at once, only the last was recorded, and the others are not checked.
  ///
  /// - Parameters:
  ///   - frame: that frame; 0 if there is no checkpoint.
  ///   - forgotten: the targets that were forgotten since, which are not checked.
  ///   - limited: the limits that were set since: a range takes its property at once.
  ///   - isUnchanged: whether nothing else was requested since.
  func problems(
    of runtime: Runtime, goingOnFrom frame: UInt64, forgotten: Set<TargetName>, limited: [Limited], isUnchanged: Bool
  ) -> [String] {
    // Before the first frame there are no properties.
    guard let records = frame == 0 ? [[:]] : frames[frame] else {
      return frames.keys.contains { $0 > frame } ? [] : ["it goes on from frame \(frame), which never was"]
    }
    return records.map { Self.problems(of: runtime, comparedWith: $0, forgotten, limited, isUnchanged) }
      .min { $0.count < $1.count } ?? []
  }

  private static func problems(
    of runtime: Runtime, comparedWith before: Record, _ forgotten: Set<TargetName>, _ limited: [Limited],
    _ isUnchanged: Bool
  ) -> [String] {
    let now = record(of: runtime).filter { !forgotten.contains($0.key.target) }
    let lost = before.keys.filter { now[$0] == nil && !forgotten.contains($0.target) }
    return lost.map { "\($0) is lost, and was there in the frame of the checkpoint" }.sorted()
      + now.compactMap { reference, place in
        let state = place.state
        guard let (last, wasBraking) = before[reference].map({ ($0.state, $0.isBraking) }) else {
          return isNew(state, reference, in: runtime) ? nil : "\(reference) is new, and begins at \(state)"
        }
        if state == last { return nil }
        // A property without a driver rests, and so does one that was stopped before another plan was added.
        if state.value == last.value, state.velocity == .zero, !(wasBraking && isUnchanged),
          Observer.isExplored(reference) || isLeft(reference, in: runtime)
        {
          return nil
        }
        let settings = limited.filter { $0.property == reference }.map(\.setting)
        let lanes = runtime.plans.find(reference).map { runtime.movement.properties.lanes(at: $0) } ?? 0
        if isAtBound(state, of: settings, lanes: lanes, from: last) { return nil }
        return "\(reference) begins again at \(state), and was at \(last) in the frame of the checkpoint"
      }.sorted()
  }

  /// Whether a state is the one before, held in the ranges that were set since.
  private static func isAtBound(
    _ state: Course.State, of settings: [LimitSetting], lanes: Int, from last: Course.State
  ) -> Bool {
    var value = last.value
    return settings.contains { setting in
      guard case .limits(let limits) = setting else { return false }
      for lane in 0..<lanes {
        guard let range = limits.range(lane: lane) else { continue }
        value[lane] = min(max(value[lane], range.lowerBound), range.upperBound)
      }
      return state.value == value
    }
  }

  private static func isNew(_ state: Course.State, _ reference: PropertyReference, in runtime: Runtime) -> Bool {
    guard let slot = runtime.plans.find(reference) else { return false }
    var first = KnownProperty.named(reference.property).initialLane
    // With a range that was set, and possibly lifted again since, it begins within that. Explorers set one for all lanes.
    if Observer.isExplored(reference) { first = state.value[0] }
    let lanes = Lanes(SIMD4(repeating: first), count: runtime.movement.properties.lanes(at: slot))
    return state == Course.State(value: lanes.storage, velocity: .zero)
  }

  /// Whether no plan moves a property.
  private static func isLeft(_ reference: PropertyReference, in runtime: Runtime) -> Bool {
    runtime.plans.find(reference).map { runtime.movement.properties[$0].stack.driver == nil } ?? true
  }

  /// When the first event happened that a checkpoint of `frame` does not contain.
  func firstTime(after frame: UInt64) -> Duration? { times.lazy.filter { $0.key > frame }.map(\.value).min() }

  /// A coordinator continues from the checkpoint of `frame`: later frames are void, and earlier frames cannot return.
  mutating func goOn(from frame: UInt64) {
    frames = frames.filter { $0.key == frame }
    times = times.filter { $0.key == frame }
  }
}

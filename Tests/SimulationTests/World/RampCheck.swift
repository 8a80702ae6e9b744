import MotionModel

@testable import MotionCoordinator
@testable import MotionCore

/// Checks after each turn what a stop with a ramp promises: between two frames it changes no value and no velocity, and
/// properties that it lets brake get no faster.
///
/// It finds the stops in the journal's queue, in which each is from its effect until it is on disk, and the properties
/// that brake by their states: only these move without a driver, under governors.
struct RampCheck {
  private struct Record {
    let reference: PropertyReference
    let state: PropertyState
    let limits: LimitSetting?
    let isBraking: Bool
  }

  private var frame: UInt64 = 0
  /// The last transaction that was applied, and whether others waited for the next frame: a stop applies these first.
  private var applied: (last: UInt64, isAll: Bool) = (0, true)
  private var records: [PropertyHandle: Record] = [:]

  /// The violations in the last turn.
  mutating func problems(in coordinator: isolated Coordinator) -> [String] {
    let runtime = coordinator.runtime
    let (last, lastFrame, before) = (records, frame, applied)
    started(runtime)
    if lastFrame == runtime.frame.number {
      guard before.isAll, before.last == applied.last else { return [] }
      return problemsOfStops(coordinator.commits.journal?.queue.stops ?? [], last)
    }
    guard lastFrame + 1 == runtime.frame.number else { return [] }
    return records.compactMap { handle, now in
      guard let before = last[handle], before.isBraking, now.isBraking, !Self.hasJerk(now), !Self.hasJerk(before)
      else { return nil }
      for lane in 0..<now.state.value.count {
        let (first, second) = (before.state.velocity[lane], now.state.velocity[lane])
        guard abs(second) <= abs(first), first * second >= 0 else {
          return "\(now.reference) brakes from \(before.state) to \(now.state)"
        }
      }
      return nil
    }
  }

  private func problemsOfStops(_ stops: [StopRequest], _ last: [PropertyHandle: Record]) -> [String] {
    func isStopped(_ target: TargetName, ramp: Bool) -> Bool {
      stops.contains { $0.ramp == ramp && ($0.targets.isEmpty || $0.targets.contains(target)) }
    }
    return records.compactMap { handle, now in
      guard isStopped(now.reference.target, ramp: true), !isStopped(now.reference.target, ramp: false),
        let before = last[handle], before.limits == now.limits, before.state != now.state
      else { return nil }
      return "\(now.reference) is at \(now.state) after a stop with a ramp, and was at \(before.state)"
    }
  }

  /// A runtime was started, or a turn has ended.
  mutating func started(_ runtime: Runtime) {
    frame = runtime.frame.number
    applied = (runtime.queue.lastApplied, runtime.queue.pending.isEmpty)
    let properties = runtime.movement.properties
    let records = properties.occupied.map { slot in
      (
        properties.handle(at: slot),
        Record(
          reference: properties[slot].reference, state: properties.state(at: slot),
          limits: properties.limits[properties[slot].reference], isBraking: Self.isBraking(slot, in: runtime))
      )
    }
    self.records = Dictionary(uniqueKeysWithValues: records)
  }

  /// Whether a property moves without a driver.
  static func isBraking(_ slot: PropertyTable.Slot, in runtime: Runtime) -> Bool {
    let properties = runtime.movement.properties
    return properties.governors.contains(slot) && properties.velocity(at: slot) != .zero
      && properties[slot].stack.driver == nil
      && properties.motions[slot] == nil
  }

  private static func hasJerk(_ record: Record) -> Bool {
    if case .limits(let limits)? = record.limits { limits.jerk != nil } else { false }
  }
}

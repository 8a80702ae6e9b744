import Glibc
import MotionModel

@testable import MotionCore

/// Checks after each frame that a property which a sine wave moves is in step with simulated time, once the difference at
/// the wave's beginning has faded: whatever has interrupted it, and over restarts. Limits, bounds and hands may keep a
/// property from its wave.
struct WaveCheck {
  /// A wave that moves a property, since this time without a break.
  private struct Lead {
    let identity: IntentionIdentity
    let since: Double
  }

  /// How long the difference fades at most when a wave returns, in seconds.
  private static let fade = 0.15

  private var leads: [PropertyHandle: Lead] = [:]
  /// The rare paths of the last frame.
  private(set) var paths: [Census.Path] = []

  /// A runtime was started.
  mutating func started() { (leads, paths) = ([:], []) }

  /// The violations of a frame.
  ///
  /// - Parameter follows: whether it follows the frame that was checked last.
  mutating func problems(of runtime: Runtime, follows: Bool) -> [String] {
    let before = follows ? leads : [:]
    (leads, paths) = ([:], [])
    let (properties, time) = (runtime.movement.properties, runtime.frame.time)
    var problems: [String] = []
    for slot in properties.occupied {
      let (entry, handle) = (properties[slot], properties.handle(at: slot))
      guard let identity = entry.leading, let record = runtime.plans.intentions[identity],
        record.intention.type == "Wave", entry.actor == record.executor, properties.motions[slot] == nil,
        !entry.stack.isHeld, properties.limits[entry.reference] == nil, !properties.governors.contains(slot),
        !properties.isAtBound(slot), let start = record.start?.time,
        let wave = try? WaveIntention(record.intention), wave.shape == .sine
      else { continue }
      let known = before[handle].flatMap { $0.identity == identity ? $0 : nil }
      let lead = known ?? Lead(identity: identity, since: time)
      leads[handle] = lead
      // The beginning is some frames before the first at which it is seen.
      guard time > max(lead.since + Self.fade, start + max(wave.fade.inSeconds, Self.fade) + 0.1) else { continue }
      paths.append(.waveInStep)
      let state = properties.state(at: slot)
      for lane in 0..<wave.offset.count {
        let (course, precision) = Self.course(of: wave, lane, at: time)
        guard abs(state.value[lane] - course) > precision else { continue }
        problems.append("\(entry.reference) is \(state.value[lane]) in lane \(lane), and its wave \(course)")
      }
    }
    return problems
  }

  /// Where a wave is, and to what precision that can be computed.
  private static func course(of wave: WaveIntention, _ lane: Int, at time: Double) -> (value: Double, precision: Double)
  {
    func part(_ lanes: Lanes) -> Double { lanes.count == 1 ? lanes[0] : lanes[lane] }
    let (rate, amplitude) = (part(wave.rate), part(wave.amplitude))
    let cycles = rate * time + part(wave.phase)
    let value = wave.offset[lane] + amplitude * sin(2 * .pi * (cycles - cycles.rounded(.down)))
    return (value, 1e-9 * (1 + abs(amplitude) * (1 + abs(cycles)) + abs(wave.offset[lane])))
  }
}

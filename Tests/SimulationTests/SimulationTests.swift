import Glibc
import MotionTestKit
import Testing

/// Scenarios of the whole, each from a seed: whatever happens, what is promised holds after each moment, and once the trouble is
/// over everything is as if there had been none.
///
/// `MOTION_TEST_SEED` repeats the scenarios of a run; `MOTION_SCENARIO` runs one scenario alone, with what happened in it;
/// `MOTION_SCENARIOS` says how many there are, or `forever`.
@Suite(.serialized) struct SimulationTests {
  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  @Test func promisesHoldInEveryScenario() throws {
    let plugins = try PluginFolder()
    if let one = Self.variable("MOTION_SCENARIO").flatMap({ UInt64($0) }) { return try tell(one, plugins) }
    let seed = SeededRandom.seed(of: "SimulationTests")
    var random = SeededRandom(seed: seed)
    let count = Self.variable("MOTION_SCENARIOS").map { Int($0) ?? .max } ?? 1000
    var tally = Tally()
    for number in 0..<count {
      let scenario = random.next()
      let (world, difference) = try run(scenario, plugins)
      tally.add(world)
      if number % 1000 == 999, number + 1 < count { print(tally.line) }
      guard world.failures.isEmpty, difference == nil else {
        let failure = world.failures.first ?? difference ?? ""
        Issue.record("MOTION_SCENARIO=\(scenario) (number \(number)): \(failure)")
        return
      }
    }
    print(tally.line)
  }

  @Test func theSameSeedIsTheSameScenario() throws {
    let plugins = try PluginFolder()
    var random = SeededRandom(seed: SeededRandom.seed(of: "SimulationTests.same"))
    for _ in 0..<10 {
      let scenario = random.next()
      let (first, second) = (try run(scenario, plugins).0, try run(scenario, plugins).0)
      #expect(first.digest == second.digest, "MOTION_SCENARIO=\(scenario)")
      #expect(first.turns == second.turns, "MOTION_SCENARIO=\(scenario)")
      #expect(first.machine.now == second.machine.now, "MOTION_SCENARIO=\(scenario)")
    }
  }

  /// One scenario: some seconds of trouble, then up to a minute without.
  private func run(_ scenario: UInt64, _ plugins: PluginFolder, keepsLog: Bool = false) throws -> (World, String?) {
    let world = try World(seed: scenario, plugins: plugins.path, keepsLog: keepsLog)
    let end = world.machine.now + .milliseconds(Int.random(in: 500...4000, using: &world.random))
    while world.machine.now < end, world.failures.isEmpty {
      try world.run(until: world.machine.now + .milliseconds(Int.random(in: 20...500, using: &world.random)))
      try world.happen()
    }
    try world.calm()
    let limit = world.machine.now + .seconds(60)
    while world.machine.now < limit, world.failures.isEmpty, world.difference() != nil {
      try world.run(until: world.machine.now + .milliseconds(200))
    }
    return (world, world.difference())
  }

  /// Runs one scenario and says what happened.
  private func tell(_ scenario: UInt64, _ plugins: PluginFolder) throws {
    let (world, difference) = try run(scenario, plugins, keepsLog: true)
    print(world.diary.lines.joined(separator: "\n"))
    print("starts \(world.starts), turns \(world.turns), until \(world.machine.now), digest \(world.digest)")
    #expect(world.failures == [])
    #expect(difference == nil)
  }
}

/// What was simulated, and how fast.
private struct Tally {
  private let start = ContinuousClock.now
  private var scenarios = 0
  private var turns = 0
  private var frames: UInt64 = 0
  private var starts = 0

  mutating func add(_ world: World) {
    scenarios += 1
    turns += world.turns
    frames += world.observer.frames
    starts += world.starts
  }

  var line: String {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return """
      simulation: scenarios \(scenarios), starts of the coordinator \(starts), turns \(turns), frames \(frames), \
      scenarios a minute \(Int(Double(scenarios) / seconds * 60))
      """
  }
}

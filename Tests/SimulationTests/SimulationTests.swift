import Foundation
import Glibc
import MotionTestKit
import Testing

/// Scenarios of the whole system, each from a seed. Under any faults, the invariants hold after each moment, and once
/// the faults end the system recovers completely.
///
/// `MOTION_TEST_SEED` repeats the scenarios of a run; `MOTION_SCENARIO` runs one scenario alone and prints its events;
/// `MOTION_SCENARIOS` is the number of scenarios, or `forever`.
@Suite(.serialized) struct SimulationTests {
  /// The number of scenarios that mostly produce every item: messages, operations, types of plans, and rare paths; and the
  /// number of those that always do.
  private static let (usual, census) = (500, 1000)

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  @Test func promisesHoldInEveryScenario() async throws {
    let folder = try PluginFolder()
    defer { withExtendedLifetime(folder) {} }
    let plugins = folder.path
    if let one = Self.variable("MOTION_SCENARIO").flatMap({ UInt64($0) }) { return try tell(one, plugins) }
    let stated = Self.variable("MOTION_SCENARIOS").map { Int($0) ?? .max }
    let (count, most) = (stated ?? Self.usual, stated ?? Self.census)
    let series = ScenarioSeries(seed: SeededRandom.seed(of: "SimulationTests"), count: count, most: most)
    try await withThrowingTaskGroup { threads in
      for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
        threads.addTask {
          while let (number, scenario) = series.next() {
            series.finished(number, scenario, try Self.play(scenario, plugins))
          }
        }
      }
      try await threads.waitForAll()
    }
    series.sayAll()
    guard let failure = series.failure else {
      // Fewer scenarios may miss rare items by chance.
      if most >= Self.census { #expect(series.missing == [], "in \(most) scenarios this was never produced") }
      return
    }
    Issue.record("MOTION_SCENARIO=\(failure.scenario) (number \(failure.number)): \(failure.text)")
  }

  /// The messages in the census are those of the protocol, by their names there.
  @Test func `the census contains every message of the protocol`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Sources/MotionWire/motion.proto").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let envelope = try #require(text.components(separatedBy: "oneof body {").dropFirst().first?.prefix { $0 != "}" })
    let names = envelope.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count >= 4, words[2] == "=" else { return nil }
      let parts = words[1].split(separator: "_")
      return parts[0] + parts.dropFirst().map(\.capitalized).joined()
    }
    // Inputs of pointers and of values are one message there.
    #expect(Set(names).union(["inputValues"]) == Set(Census.Message.allCases.map(\.rawValue)))
  }

  /// Also for two scenarios that run at the same time, on two threads.
  @Test func `the same seed gives the same scenario`() async throws {
    let folder = try PluginFolder()
    defer { withExtendedLifetime(folder) {} }
    let plugins = folder.path
    var random = SeededRandom(seed: SeededRandom.seed(of: "SimulationTests.same"))
    for _ in 0..<10 {
      let scenario = random.next()
      async let other = Self.play(scenario, plugins)
      #expect(try await Self.play(scenario, plugins) == other, "MOTION_SCENARIO=\(scenario)")
    }
  }

  /// A leak would make `make simulate` run out of descriptors after some thousands of scenarios.
  @Test func `a scenario releases its machine`() throws {
    let folder = try PluginFolder()
    defer { withExtendedLifetime(folder) {} }
    weak var machine: SimulatedMachine?
    for scenario in 1...3 as ClosedRange<UInt64> {
      let world = try World(seed: scenario, plugins: folder.path)
      machine = world.machine
      _ = world.play()
    }
    #expect(machine == nil)
  }

  private static func play(_ scenario: UInt64, _ plugins: String) throws -> Outcome {
    try World(seed: scenario, plugins: plugins).play()
  }

  /// Runs one scenario and prints its events.
  private func tell(_ scenario: UInt64, _ plugins: String) throws {
    let world = try World(seed: scenario, plugins: plugins, keepsLog: true)
    let outcome = world.play()
    print(world.diary.lines.joined(separator: "\n"))
    print("starts \(outcome.starts), turns \(outcome.turns), until \(outcome.end), digest \(outcome.digest)")
    #expect(outcome.failures == [])
  }
}

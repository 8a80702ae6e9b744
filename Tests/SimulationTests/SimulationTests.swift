import Foundation
import Glibc
import MotionTestKit
import Testing

/// Scenarios of the whole, each from a seed: whatever happens, what is promised holds after each moment, and once the trouble is
/// over everything is as if there had been none.
///
/// `MOTION_TEST_SEED` repeats the scenarios of a run; `MOTION_SCENARIO` runs one scenario alone, with what happened in it;
/// `MOTION_SCENARIOS` says how many there are, or `forever`.
@Suite(.serialized) struct SimulationTests {
  /// How many scenarios produce everything that there is: messages, operations, types of plans, and rare paths.
  private static let census = 1000

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  @Test func promisesHoldInEveryScenario() async throws {
    let folder = try PluginFolder()
    defer { withExtendedLifetime(folder) {} }
    let plugins = folder.path
    if let one = Self.variable("MOTION_SCENARIO").flatMap({ UInt64($0) }) { return try tell(one, plugins) }
    let count = Self.variable("MOTION_SCENARIOS").map { Int($0) ?? .max } ?? 1000
    let series = ScenarioSeries(seed: SeededRandom.seed(of: "SimulationTests"), count: count)
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
      // Fewer may miss what is seldom by chance.
      if count >= Self.census { #expect(series.missing == [], "in \(count) scenarios this was never produced") }
      return
    }
    Issue.record("MOTION_SCENARIO=\(failure.scenario) (number \(failure.number)): \(failure.text)")
  }

  /// The requests that the census looks for are those of the protocol, by their names there.
  @Test func theCensusKnowsEveryMessageOfTheProtocol() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Sources/MotionWire/motion.proto").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let envelope = try #require(text.components(separatedBy: "oneof body {").dropFirst().first?.prefix { $0 != "}" })
    let names = envelope.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count >= 4, words[2] == "=" else { return nil }
      let parts = words[1].split(separator: "_")
      return parts[0] + parts.dropFirst().map(\.capitalized).joined()
    }
    #expect(Set(names) == Set(Census.Message.allCases.map(\.rawValue)))
  }

  /// Also of two that run at the same time, on two threads.
  @Test func theSameSeedIsTheSameScenario() async throws {
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

  /// Or `make simulate` would run out of descriptors after some thousands.
  @Test func aScenarioLetsGoOfEverything() throws {
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

  /// Runs one scenario and says what happened.
  private func tell(_ scenario: UInt64, _ plugins: String) throws {
    let world = try World(seed: scenario, plugins: plugins, keepsLog: true)
    let outcome = world.play()
    print(world.diary.lines.joined(separator: "\n"))
    print("starts \(outcome.starts), turns \(outcome.turns), until \(outcome.end), digest \(outcome.digest)")
    #expect(outcome.failures == [])
  }
}

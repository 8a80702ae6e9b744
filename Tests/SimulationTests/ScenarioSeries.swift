import Glibc
import MotionTestKit
import Synchronization

/// A series of scenarios that several threads run until one fails. The number of each scenario follows from the seed
/// alone, and each scenario runs on one thread. So the number of threads changes only the speed.
final class ScenarioSeries: Sendable {
  /// How often the progress is printed: often enough for a waiting developer, and seldom enough for a log that is read
  /// the next morning.
  private static let sayingEvery = Duration.seconds(10)

  /// A scenario in which an invariant did not hold.
  struct Failure {
    let number: Int
    let scenario: UInt64
    let text: String
  }

  private struct State {
    var random: SeededRandom
    var taken = 0
    var failure: Failure?
    var tally = Tally()
    var nextLine = ContinuousClock.now + sayingEvery
  }

  private let count: Int
  /// Up to how many there are while the census lacks something.
  private let most: Int
  private let state: Mutex<State>

  init(seed: UInt64, count: Int, most: Int) {
    (self.count, self.most) = (count, most)
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  /// The next scenario, with its number from 0; `nil` when all have been taken, or one has failed.
  func next() -> (number: Int, scenario: UInt64)? {
    state.withLock { state in
      guard state.failure == nil,
        state.taken < count || state.taken < most && state.tally.rarest.contains(where: { $0.count == 0 })
      else { return nil }
      defer { state.taken += 1 }
      return (state.taken, state.random.next())
    }
  }

  /// Records the outcome of a scenario, and prints the progress when it is due.
  func finished(_ number: Int, _ scenario: UInt64, _ outcome: Outcome) {
    let line = state.withLock { state -> String? in
      state.tally.add(outcome)
      // Only the failure with the lowest number is kept. All scenarios before it have been taken, so the result is the
      // same for any number of threads.
      if let failure = outcome.failures.first, state.failure.map({ number < $0.number }) ?? true {
        state.failure = Failure(number: number, scenario: scenario, text: failure)
      }
      guard ContinuousClock.now >= state.nextLine else { return nil }
      state.nextLine = ContinuousClock.now + Self.sayingEvery
      return state.tally.line
    }
    if let line { Self.say(line) }
  }

  /// The failed scenario with the lowest number, once every thread has ended.
  var failure: Failure? { state.withLock(\.failure) }

  /// The items of the census that no scenario has produced.
  var missing: [String] { state.withLock(\.tally.rarest).filter { $0.count == 0 }.map(\.name) }

  /// Prints the totals, and the items that were never produced.
  func sayAll() {
    Self.say(state.withLock(\.tally.line))
    let rarest = state.withLock(\.tally.rarest).prefix(12).map { "\($0.name) \($0.count)" }
    Self.say("simulation: produced by the fewest scenarios: \(rarest.joined(separator: ", "))")
    if !missing.isEmpty { Self.say("simulation: never produced: \(missing.joined(separator: ", "))") }
  }

  /// Prints the line at once, without buffering.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}

/// The number of simulated events, and their rate.
private struct Tally {
  private let start = ContinuousClock.now
  private var scenarios = 0
  private var turns = 0
  private var frames: UInt64 = 0
  private var starts = 0
  /// For each item that the census requires, the number of scenarios that produced it.
  private var counts: [String: Int] = [:]

  mutating func add(_ outcome: Outcome) {
    scenarios += 1
    turns += outcome.turns
    frames += outcome.frames
    starts += outcome.starts
    for (name, isProduced) in outcome.census.required { counts[name, default: 0] += isProduced ? 1 : 0 }
  }

  /// The items that the census requires, with the number of scenarios that produced each, the fewest first.
  var rarest: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted { ($0.count, $0.name) < ($1.count, $1.name) }
  }

  var line: String {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return """
      simulation: scenarios \(scenarios), starts of the coordinator \(starts), turns \(turns), frames \(frames), \
      scenarios a minute \(Int(Double(scenarios) / seconds * 60))
      """
  }
}

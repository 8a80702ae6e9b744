import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing

extension DistributedTests {
  /// Random sequences of public commands against the built programs, with restarts between, on few targets: no start
  /// fails, and each start restores all previous state.
  ///
  /// `MOTION_SEQUENCES` sets the number of sequences; `MOTION_SEQUENCE` repeats one, and prints its commands.
  @Suite struct RandomCommandsTests {
    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The number of sequences: fifty take less than half a minute.
    private static let sequences = variable("MOTION_SEQUENCES").flatMap { Int($0) } ?? 50
    /// The number of sequences in one case of the test: each case has a minute.
    private static let casesOf = 10
    private static let seed = SeededRandom.seed(of: "RandomCommandsTests")

    @Test(
      .fault(
        .processes, "motiond, between random commands of clients",
        by:
          "KILL and TERM in 50 random sequences of commands on one to three targets, some of which forget the last target",
        promise: "each start succeeds, with the plans, names and properties from before"),
      arguments: 0..<(variable("MOTION_SEQUENCE") == nil ? (sequences + casesOf - 1) / casesOf : 1))
    func `each restart between random commands restores plans, names and properties`(part: Int) throws {
      if let one = Self.variable("MOTION_SEQUENCE").flatMap({ UInt64($0) }) { return try play(one, tells: true) }
      var random = SeededRandom(seed: Self.seed &+ UInt64(part))
      for number in part * Self.casesOf..<min(Self.sequences, (part + 1) * Self.casesOf) {
        let seed = random.next()
        do {
          try play(seed, tells: false)
        } catch {
          Issue.record("MOTION_SEQUENCE=\(seed) (number \(number)): \(error)")
          return
        }
      }
    }

    private func play(_ seed: UInt64, tells: Bool) throws {
      var sequence = try CommandSequence(seed: seed, tells: tells)
      try sequence.play()
    }
  }
}

/// One sequence: a motiond in a directory of its own, the commands sent to it, and its restarts.
private struct CommandSequence {
  /// The part of the state that stays until a command changes it.
  private struct Holdings: Equatable, CustomStringConvertible {
    var plans: [String] = []
    var properties: [String] = []
    var targets: [TargetName] = []
    /// The values of the properties, where time stands until the restart is over.
    var values: [String] = []
    /// The sequences of the transactions that wait, also for the next frame.
    var waiting: [UInt64] = []
    /// The lists of cues, and how far they have come.
    var cues: [CueListRow] = []
    var isPaused = false
    /// Whether motion is held and, if it is, whether transactions are refused.
    var holdRefuses: Bool?
    var speed = 1.0

    var description: String {
      let clock = (isPaused ? "paused" : "running at \(speed)") + (holdRefuses.map { ", held (refusing: \($0))" } ?? "")
      let content = "targets \(targets), plans \(plans), properties \(properties), values \(values), cues \(cues)"
      return "\(content), waiting \(waiting), \(clock)"
    }
  }

  /// How often the plugin for tweens is installed.
  private static let chanceOfPlugin = 0.3
  /// How often a start records.
  private static let chanceOfRecording = 0.5
  /// The number of restarts, and the maximum number of commands before each.
  private static let restarts = 2
  private static let commands = 6

  private var random: SeededRandom
  private let plans: RandomPlans
  private let plugins: [PluginFolder]
  private let tells: Bool
  private var daemon: Daemon
  private var client: MotionClient
  /// The frame that contains everything that was committed so far.
  private var frame: UInt64 = 0
  /// Whether this motiond ran a step: a kill may take back a stepped frame.
  private var hasStepped = false
  /// The recording that this motiond makes.
  private var recording: String?
  private var said: [String] = []

  init(seed: UInt64, tells: Bool) throws {
    self.tells = tells
    random = SeededRandom(seed: seed)
    plugins = random.chance(Self.chanceOfPlugin) ? [try .tween()] : []
    let types =
      BuiltInIntentions.inProcess + (plugins.isEmpty ? [] : [TweenIntention.description, FadeInIntention.description])
    plans = RandomPlans(
      on: try (1...Int.random(in: 1...3, using: &random)).map { try TargetName("t\($0)") }, types: types,
      ranking: true, selecting: true, picturing: true, cueing: .commanded, delaying: true)
    daemon = try Daemon(plugins)
    client = try daemon.connect()
  }

  mutating func play() throws {
    for _ in 0..<Self.restarts {
      for _ in 0..<Int.random(in: 1...Self.commands, using: &random) { try command() }
      try restart()
    }
    try daemon.terminate()
    try replay()
  }

  // MARK: Commands

  private mutating func command() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      let ramp = Bool.random(using: &random)
      say(ramp ? "stop everything with a ramp" : "stop everything")
      _ = try client.stop(ramp: ramp)
      // motiond has applied all pending commits, and may have nothing left that needs a frame.
      frame = 0
    case 1:
      let target = try pick(plans.targets)
      say("stop \(target)")
      _ = try client.stop([target])
      frame = 0
    case 2, 11:
      say("pause")
      _ = try client.clock(.pause)
    case 3:
      say("resume")
      _ = try client.clock(.resume)
    case 4:
      say("speed 2")
      _ = try client.clock(.speed(2))
    case 5:
      say("status")
      _ = try client.status()
    case 6: try changeByHand(try pick(plans.targets))
    case 7: try wait()
    case 8: try commit(at: 1000)
    case 9: try step()
    case 10: try removeWaiting()
    case 12: try hold()
    case 13, 14:
      say("release")
      _ = try client.clock(.release)
    default: try commit(at: nil)
    }
  }

  private mutating func commit(at delay: Double?) throws {
    let transaction = plans.transaction(&random)
    say("commit \(transaction.log)\(delay.map { " \($0) s later" } ?? "")")
    var at: Double?
    if let delay { at = try client.status().clock.time + delay }
    do throws(MotionClientError) {
      let receipt = try client.commit(transaction, at: at)
      frame = receipt.frame ?? frame
    } catch {
      // A refused command changes nothing.
      guard error.refusal != nil else { throw error }
      say("  refused: \(error)")
    }
  }

  /// Holds all motion until time stands. What begins while time slows down may wait again after a kill, so what was
  /// committed before takes effect first.
  private mutating func hold() throws {
    let refuses = random.chance(0.3)
    let clock = try client.status().clock
    if !clock.isPaused, clock.hold == nil {
      try awaitTruth("frame \(frame)") { [client, frame] in try client.status().frame.number >= frame }
    }
    say(refuses ? "hold --refuse" : "hold")
    _ = try client.clock(.hold(ClockHold(refuses: refuses)))
    let client = client
    var last = -1.0
    try awaitTruth("time stands") {
      defer { last = (try? client.status().clock.time) ?? -1 }
      return try client.status().clock.time == last
    }
    // What waits, because time stood already, takes effect with its frame after the release.
  }

  /// Runs some frames while time is paused.
  private mutating func step() throws {
    let clock = try client.status().clock
    guard clock.isPaused, clock.hold == nil else { return }
    let frames = UInt64.random(in: 1...200, using: &random)
    say("step \(frames)")
    hasStepped = true
    _ = try client.clock(.step(frames))
  }

  /// Removes a transaction that waits for its time, or for the next frame.
  private mutating func removeWaiting() throws {
    guard let sequence = try client.waiting().map(\.sequence).randomElement(using: &random) else { return }
    say("motionctl remove --waiting \(sequence)")
    let run = try daemon.ctl("remove", "--waiting", "\(sequence)")
    let isRunning = try !client.status().clock.isPaused
    // Where time runs, it may have been applied meanwhile.
    guard run.end == .exited(0) || isRunning else { throw Problem("it cannot be removed: \(run.errors)") }
    guard try !client.waiting().contains(where: { $0.sequence == sequence }) else {
      throw Problem("transaction \(sequence) was removed and still waits")
    }
    // The frame that was to apply it may need none, unless another one waits for that frame.
    let time = try client.status().clock.time
    if try client.waiting().allSatisfy({ $0.at > time }) { frame = 0 }
  }

  /// Uses motionctl as a person does, with targets in any spelling.
  private mutating func changeByHand(_ target: TargetName) throws {
    let option = [try pick(["--target", "--to", "--from"]), target.text]
    let commands = [
      ["forget", target.text], ["forget"] + option, ["stop"] + option, ["stop", "--ramp"] + option,
      ["remove", "nothing"] + option,
      ["add", "AnchoredSpring", "--named", "nothing", "property=byHand", "destination=1"] + option,
    ]
    let arguments = try pick(commands)
    say("motionctl \(arguments.joined(separator: " "))")
    let run = try daemon.ctl.start(arguments + ["--json"]).finish()
    guard run.end == .exited(0) else {
      // A hold may refuse transactions; a stop is none.
      guard try client.status().clock.hold?.refuses == true, arguments[0] != "stop", run.errors.contains("held by")
      else { throw Problem("motionctl \(arguments): \(run.errors)") }
      return say("  refused: motion is held")
    }
    // A stop may leave nothing that needs a frame.
    frame = arguments[0] == "stop" ? 0 : try run.json()["frame"].count
  }

  /// Waits for a checkpoint of the present state.
  private mutating func wait() throws {
    say("wait for a checkpoint")
    let client = client
    // While time is paused there may be none, and none is taken where nothing has changed.
    guard try !client.status().clock.isPaused else { return }
    _ = try? awaitTruth("a checkpoint", within: .seconds(1)) { try client.status().journal?.rowsSinceCheckpoint == 0 }
  }

  private mutating func say(_ words: String) {
    said.append(words)
    if tells { print(words) }
  }

  private mutating func pick<Element>(_ elements: [Element]) throws -> Element {
    guard let element = elements.randomElement(using: &random) else { throw Problem("there is nothing to pick") }
    return element
  }

  // MARK: Restarts

  private mutating func restart() throws {
    // While time is paused, what was committed waits for a step, also after the restart.
    let isKilled = random.chance(0.5)
    let steps = isKilled && hasStepped || random.chance(0.3)
    let before = try settled(steps: steps, exactly: !isKilled)
    if isKilled {
      say("KILL")
      daemon.process.send(SIGKILL)
      try daemon.process.awaitEnd()
    } else {
      say("TERM")
      try daemon.terminate()
    }
    do {
      try replay()
      recording = random.chance(Self.chanceOfRecording) ? daemon.directory["\(said.count).motion"] : nil
      say(recording == nil ? "start" : "start --record")
      daemon = try Daemon(
        plugins, in: daemon.directory, arguments: recording.map { ["--record", $0] } ?? [])
      client = try daemon.connect()
      (frame, hasStepped) = (0, false)
      let after = try settled(steps: steps, exactly: !isKilled)
      guard after == before else { throw Problem("after the restart there is \(after); before it, \(before)") }
    } catch {
      throw Problem("\(error)\n  it was asked:\n  \(said.joined(separator: "\n  "))")
    }
  }

  /// Replays the recording of the motiond that has ended, as far as it was written.
  private mutating func replay() throws {
    guard let path = recording else { return }
    recording = nil
    let run = try daemon.ctl("replay", path, "--json")
    guard try run.json()["identical"].flag else { throw Problem("the replay differs: \(run.output)\(run.errors)") }
  }

  /// The state once all commits have been applied or, while time is paused and no step is made, wait for the next frame.
  ///
  /// - Parameter exactly: whether it contains the values, if time stands. A kill may take back a step.
  private mutating func settled(steps: Bool, exactly: Bool) throws -> Holdings {
    let clock = try client.status().clock
    let (isHeld, isPaused) = (clock.hold != nil, clock.isPaused)
    let steps = steps && !isHeld
    if isPaused, steps {
      hasStepped = true
      _ = try client.clock(.step(1))
    }
    if !isHeld, !isPaused || steps {
      try awaitTruth("frame \(frame), and nothing waits for the next frame") { [client, frame] in
        // What waited while motion was held takes effect with the first frame after the release. It is listed at the time
        // of the question, which is before that of the status.
        let waiting = try client.waiting()
        let status = try client.status()
        return status.frame.number >= frame && waiting.allSatisfy { $0.at > status.clock.time }
      }
    }
    let status = try client.status()
    var holdings = Holdings()
    // One-shots end by themselves, before the end or after it.
    holdings.plans = try client.intentions().filter { $0.kind != .oneShot && $0.state != .failed }
      .map { "\($0.identity) \($0.name.map { "\($0) " } ?? "")\($0.intention) on \($0.target)" }.sorted()
    let properties = try client.properties()
    holdings.properties = properties.map { "\($0.reference)" }.sorted()
    if isPaused || isHeld, !steps, exactly {
      holdings.values = properties.map { "\($0.reference) \($0.state)" }.sorted()
    }
    holdings.targets = try client.targets().map(\.target).sorted()
    if case .cues(let rows) = try client.query(.cues(nil)) { holdings.cues = rows }
    holdings.waiting = try client.waiting().map(\.sequence)
    (holdings.isPaused, holdings.speed) = (status.clock.isPaused, status.clock.speed)
    holdings.holdRefuses = status.clock.hold?.refuses
    return holdings
  }
}

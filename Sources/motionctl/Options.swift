import ArgumentParser
import MotionClient
import MotionModel
import MotionWire

/// How a command finds its daemon, and how long it waits for it.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The directory of the daemon's sockets; otherwise MOTIOND_RUNTIME_DIR, $XDG_RUNTIME_DIR/motiond, /run/motiond.
      """, valueName: "dir"), completion: .directory)
  var runtimeDir: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for an answer; otherwise 5s.", valueName: "duration"),
    transform: parsedTimeout)
  var timeout: Duration = .seconds(5)

  /// Connects to the daemon.
  func connect() throws(Failure) -> MotionClient {
    let places = RuntimePaths.candidates(flag: runtimeDir, environment: Console.environment)
    return try failing { () throws(MotionClientError) in
      try MotionClient(connectingTo: places, name: "motionctl", timeout: timeout)
    }
  }
}

/// Whether a command writes for people or for programs.
struct ReadingOptions: ParsableArguments {
  @Flag(help: "Write JSON; its keys and their order do not change.")
  var json = false
}

/// Does something with a client, and turns its error into a failure of the command.
func failing<Value>(_ body: () throws(MotionClientError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error)
  }
}

/// The longest time a command waits: an hour, so that a mistyped unit does not wait for ever.
let longestTimeout = Duration.seconds(3600)

/// Reads `--timeout`.
func parsedTimeout(_ text: String) throws -> Duration {
  guard let duration = DurationText.duration(of: text), duration > .zero, duration <= longestTimeout else {
    throw ValidationError("\(DurationText.rule), above 0 and at most 1h")
  }
  return duration
}

/// Reads a name; its rule is in the message when it is broken.
func parsedName<Rule>(_ text: String) throws -> Name<Rule> {
  do {
    return try Name<Rule>(text)
  } catch {
    throw ValidationError(error.description)
  }
}

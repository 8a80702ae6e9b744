import ArgumentParser
import MotionClient
import MotionModel
import MotionWire

/// How a command finds its daemon, and the timeout of its requests.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The directory of the daemon's sockets (default: MOTIOND_RUNTIME_DIR, $XDG_RUNTIME_DIR/motiond or /run/motiond).
      """, valueName: "dir"), completion: .directory)
  var runtimeDir: String?

  @Option(
    help: ArgumentHelp(
      "The address of a daemon on another machine, as in its --listen. Needs --key and --server-key.",
      valueName: "tcp://host:port"))
  var connect: String?

  @Option(
    help: ArgumentHelp("Your own pair of keys, which motionctl key new makes.", valueName: "file"),
    completion: .file())
  var key: String?

  // A key may begin with a hyphen.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The public key of that daemon, or its file.", valueName: "key|file"), completion: .file())
  var serverKey: String?

  @Option(
    name: .customLong("timeout"), parsing: .unconditional,
    help: ArgumentHelp("How long to wait for an answer (default: 5s).", valueName: "duration"),
    transform: parsedTimeout)
  var givenTimeout: Duration?

  /// How long to wait for an answer.
  var timeout: Duration { timeout(unlessGiven: .seconds(5)) }
  /// How long to wait for the state of a daemon: that of a hundred thousand properties takes seconds, more where others
  /// need the processors, too.
  var timeoutOfState: Duration { timeout(unlessGiven: .seconds(20)) }

  private func timeout(unlessGiven usual: Duration) -> Duration {
    givenTimeout ?? ShellSession.current?.connection.givenTimeout ?? usual
  }

  /// Refuses two daemons at once, and an incomplete set of options for another machine.
  func validate() throws {
    guard connect != nil else {
      guard key == nil, serverKey == nil else { throw ValidationError("--key and --server-key are for --connect") }
      return
    }
    guard runtimeDir == nil else { throw ValidationError("give either --runtime-dir or --connect") }
    guard key != nil, serverKey != nil else {
      throw ValidationError("--connect needs --key FILE and --server-key KEY; motionctl key new makes the first")
    }
  }

  /// Connects to the daemon: in a shell, without options of the command, to that of the shell.
  func client() throws(Failure) -> MotionClient {
    let session = ShellSession.current
    let options = connect == nil && runtimeDir == nil ? session?.connection ?? self : self
    return try failing { () throws(MotionClientError) in
      try options.client(named: "motionctl", timeout: timeout, interruptedBy: session?.descriptor)
    }
  }

  /// Connects to the daemon of these options.
  func client(
    named name: String, timeout: Duration, interruptedBy interruption: Int32? = nil
  ) throws(MotionClientError) -> MotionClient {
    if let connect, let key, let serverKey {
      let daemon = try RemoteDaemon(connect, keyFile: key, serverKey: serverKey)
      return try MotionClient(connectingTo: daemon, name: name, timeout: timeout, interruptedBy: interruption)
    }
    let places = RuntimePaths.candidates(flag: runtimeDir, environment: Console.environment)
    return try MotionClient(connectingTo: places, name: name, timeout: timeout, interruptedBy: interruption)
  }
}

/// Whether a command's output is for people or for programs.
struct ReadingOptions: ParsableArguments {
  @Flag(help: "Write JSON; its keys and their order do not change.")
  var json = false
}

/// Runs an operation of a client, and converts its error into a failure of the command.
func failing<Value>(_ body: () throws(MotionClientError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error)
  }
}

/// The longest timeout of a command: an hour, so that a mistyped unit does not wait for ever.
let longestTimeout = Duration.seconds(3600)

/// Reads `--timeout`.
func parsedTimeout(_ text: String) throws -> Duration {
  guard let duration = DurationText.duration(of: text), duration > .zero, duration <= longestTimeout else {
    throw ValidationError("\(DurationText.rule), above 0 and at most 1h")
  }
  return duration
}

/// Reads a name. If its rule is broken, the message contains the rule.
func parsedName<Rule>(_ text: String) throws -> Name<Rule> {
  do {
    return try Name<Rule>(text)
  } catch {
    throw ValidationError(error.description)
  }
}

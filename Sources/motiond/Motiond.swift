import ArgumentParser
import Foundation
import Glibc
import Logging
import MotionArguments
import MotionCoordinator
import MotionLog
import MotionModel
import ServiceLifecycle
import UnixSignals

/// The daemon: parses the command line, reads the configuration, and runs.
@main
struct Motiond: AsyncParsableCommand {
  /// Runs the command on an executor with a thread of its own. Nothing runs in the pool of Swift's concurrency, which
  /// would wake an idle motiond once a second.
  ///
  /// It is on the main actor, because the way from elsewhere to the executor would lead through that pool.
  @MainActor static func main() async {
    do {
      try ProcessRoom.check()
      let executor = try ThreadExecutor()
      await withTaskExecutorPreference(executor) { await runCommand() }
    } catch {
      complain("motiond: \(error)")
      Foundation.exit(1)
    }
  }

  /// Exits with code 2 for wrong usage, as every command of motiond does.
  nonisolated private static func runCommand() async {
    do {
      var command = try parseOnce()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch let code as ExitCode {
      Foundation.exit(code.rawValue)
    } catch {
      guard exitCode(for: error) == .success else {
        complain(fullMessage(for: error))
        Foundation.exit(2)
      }
      print(fullMessage(for: error))
    }
  }

  /// Writes to standard error why the program ends. The text may contain data of other programs, so control characters
  /// are escaped.
  nonisolated private static func complain(_ text: String) {
    let bytes = Array((ShownText.escaping(text) + "\n").utf8)
    // If standard error cannot be written, there is no other place to report that.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  static let configuration = CommandConfiguration(
    commandName: "motiond",
    abstract: "A motion server: applications commit transactions of intentions and receive a stream of values.",
    discussion: """
      motiond runs in the foreground and logs to standard error. Applications connect to the sockets in \
      RUNTIME-DIR/client; plugins run as separate processes. Try it:

        motiond --rate 120 &
        motionctl add SpringTo --to ball property=position destination=100,50
        motionctl watch ball

      Each setting is taken from its flag, else from the environment (MOTIOND_RATE, MOTIOND_RUNTIME_DIR, …), else from \
      the configuration file (rate: 120), else its default applies.

      Signals: TERM and INT drain and stop, a second INT stops now, HUP searches for plugins again and reads the \
      authorized keys and the rig.
      Exit codes: 0 stopped as asked, 1 failure, 2 wrong usage.
      """,
    version: Release.version)

  @Option(name: .long, help: ArgumentHelp("The configuration file, in YAML.", valueName: "file"))
  var config: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Frames per second while anything moves, 1 to 1000 (default: 120).", valueName: "hz"),
    transform: { text in
      guard let rate = Double(text) else { throw ValidationError("write a number, such as 120") }
      return rate
    })
  var rate: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory of the journal of acknowledged changes, or none (default: journal in the state directory).",
      valueName: "path|none"))
  var journal: String?

  @Flag(
    name: .long,
    help: "Start with a damaged journal: log the losses, and keep the old journal beside the new one.")
  var acceptLoss = false

  @Option(
    name: .long,
    help: ArgumentHelp("A folder that holds plugins; may be given several times, the first wins.", valueName: "dir"))
  var pluginPath: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory of the sockets (default: $XDG_RUNTIME_DIR/motiond or /run/motiond).", valueName: "dir"))
  var runtimeDir: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The directory of epoch and journal (default: $XDG_STATE_HOME/motiond, /var/lib/motiond for root, \
      ~/.local/state/motiond).
      """,
      valueName: "dir"))
  var stateDir: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The numbers of users that may connect, besides motiond's own user and root, separated by commas.",
      valueName: "uids"))
  var allowUid: String?

  @Option(
    name: .long,
    help: ArgumentHelp("A group whose members may connect, by name or number.", valueName: "group"))
  var allowGid: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The highest priority of plans that clients may state, such as user:1000=10,key:desk=50,users=0,keys=0 (default: "
        + "every priority for motiond's own user and root, none above 0 for others).",
      valueName: "list"))
  var allowPriority: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Listen to clients on other machines, over tcp with CURVE: control at this port, values at the next.",
      valueName: "tcp://host:port"))
  var listen: String?

  @Option(
    name: .customLong("listen-workers"),
    help: ArgumentHelp(
      "Accept workers on other machines at this port and the next three, if the authorized keys name them.",
      valueName: "tcp://host:port"))
  var listenWorkers: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "motiond's own keys for other machines (default: motiond.key in the state directory, made when needed).",
      valueName: "file"))
  var key: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The keys that may connect from other machines (default: authorized-keys in the state directory).",
      valueName: "file"))
  var authorizedKeys: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How much of the last minutes is kept at most, in the state directory: 10min, 256MiB, both, or none (default: "
        + "\"10min, 256MiB\").", valueName: "limits|none"))
  var history: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Record every frame into this file, for motionctl replay; an existing recording is kept as file.1, file.2, ….",
      valueName: "file"))
  var record: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of limits, committed at the start and, if it has changed, at HUP (default: none).", valueName: "file"))
  var rig: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The processors for the loop and for libzmq's threads, such as 2 or 2,3 (default: any).",
      valueName: "loop[,io]"))
  var affinity: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest level to log: trace, debug, info, notice, warning, error, critical (default: info).",
      valueName: "level"))
  var logLevel: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Serve metrics to Prometheus at unix:/path, 127.0.0.1:port or [::1]:port (default: off).",
      valueName: "place"))
  var metrics: String?

  @Flag(
    name: .long,
    help: "Check configuration, directories (making them), journal and plugins, report the result, and exit.")
  var check = false

  func run() async throws {
    // Writing to a pipe without a reader, or to a file beyond its limit (ulimit -f), has to return an error, not kill
    // the process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let settings: Settings
    do {
      settings = try await Settings(self, environment: ProcessInfo.processInfo.environment)
    } catch let error as StartError where error.isNotFound {
      Self.complain("motiond: \(error)")
      throw ExitCode(1)
    } catch {
      Self.complain("motiond: \(error)")
      throw ExitCode(2)
    }
    do {
      if check { return try Check.run(settings) }
      try await serve(settings)
    } catch let code as ExitCode {
      throw code
    } catch {
      Self.complain("motiond: \(error)")
      throw ExitCode(1)
    }
  }

  /// Serves with a log whose last lines are written before any other output.
  private func serve(_ settings: Settings) async throws {
    let label = "motiond"
    let lines = try LineWriter { lost in
      LineLogHandler.note("\(lost) lines before this one could not be written in time, and are lost", label: label)
    }
    defer { lines.finish() }
    var logger = Logger(label: label) { label in
      let text = LineLogHandler(label: label, writer: lines)
      return JournaldLogHandler(label: label, environment: settings.coordinator.environment.variables, otherwise: text)
        ?? text
    }
    logger.logLevel = settings.logLevel
    try await serve(settings, logger)
  }

  private func serve(_ settings: Settings, _ logger: Logger) async throws {
    // HUP is ignored until its handler is installed; the default action would end the process.
    signal(SIGHUP, SIG_IGN)
    var coordinatorSettings = settings.coordinator
    coordinatorSettings.takesControlGroup = true
    LargeBlocks.returnAtOnce()
    if let limit = DescriptorLimit.raise() {
      logger.debug("at most \(limit.now) files and connections at a time; workers: \(limit.before)")
      coordinatorSettings.workerDescriptorLimit = limit.before
    }
    let notifier = ServiceNotifier(environment: settings.coordinator.environment.variables)
    let coordinator = try Self.coordinator(coordinatorSettings, notifier, logger)
    let (hearing, signalled) = AsyncStream<Void>.makeStream()
    let service = CoordinatorService(
      coordinator: coordinator, settings: settings, notifier: notifier, logger: logger, hearing: hearing)
    let group = ServiceGroup(
      configuration: .init(
        // The group stops its services from the last to the first, each when the one after it has ended.
        services: [
          .init(
            service: SignalService(
              coordinator: coordinator, notifier: notifier, logger: logger, hearing: signalled),
            successTerminationBehavior: .ignore),
          .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }

  /// The interval in seconds between attempts to start on a disk that could not be written.
  private static let diskTimeout: UInt32 = 2

  /// Makes a coordinator, and retries as long as the disk has no room for one. A full disk is no reason to exit,
  /// because an operator who frees space does not start motiond as well. Until then no client is served; TERM and
  /// INT end the process, and HUP is ignored.
  private static func coordinator(
    _ settings: CoordinatorSettings, _ notifier: ServiceNotifier, _ logger: Logger
  ) throws -> Coordinator {
    var told = ""
    while true {
      do {
        return try Coordinator(settings, logger: logger)
      } catch let error as StartError where error.mayPass {
        if told != error.description { logger.error("\(error); motiond retries every \(diskTimeout) seconds") }
        told = error.description
        // Starting may take longer than the service manager waits: extend its timeout to twice the time until the next
        // notification.
        notifier.notify("STATUS=Waits: \(error.problem)\nEXTEND_TIMEOUT_USEC=\(2 * diskTimeout * 1_000_000)")
        sleep(diskTimeout)
      }
    }
  }
}

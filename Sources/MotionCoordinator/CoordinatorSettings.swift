import Glibc
import MotionJournal
public import MotionModel

/// What a coordinator is started with: all of it checked before anything begins.
public struct CoordinatorSettings: Sendable {
  /// Frames per second while anything moves.
  public var ratePerSecond = 120.0
  /// Where the sockets are: `client/` and `worker/` below it.
  public var runtimeDirectory: String
  /// Where the epoch is kept, and the journal unless another place is given.
  public var stateDirectory: String
  /// The directory in which everything acknowledged is kept; `nil` keeps nothing.
  public var journalDirectory: String?
  /// Whether a journal of which something is lost is taken as it is, with what was lost in the log.
  public var acceptsLoss = false
  /// What it runs on, and where its sockets are there: for simulations.
  var machine: any Machine = LinuxMachine()
  var socketKind = RuntimeDirectory.SocketKind.files
  /// Whether each checkpoint is compared with the runtime, as a whole: for tests.
  var comparesCheckpoints = false
  /// How the journal is opened, if not as ``journalDirectory`` says: for tests.
  var journalOpener: (@Sendable () throws(JournalError) -> any Journal)?
  /// Where plugins are looked for, in order: folders that hold one folder for each plugin.
  public var pluginPaths: [String]
  /// Those of them that somebody named, and that should therefore be there.
  public var namedPluginPaths: Set<String> = []
  /// Which plugin is to fulfil a type of intention that several claim.
  public var preferences: [IntentionType: PluginName] = [:]
  /// Where everything that happens is recorded, if anywhere.
  public var recordPath: String?
  /// How long a worker without an executor is kept: 60 s spare a show the start at each cue.
  public var workerLinger = Duration.seconds(60)
  /// The users that may be clients.
  public var clients = AllowedClients(own: geteuid())
  /// Where clients on other machines are listened to, if at all.
  public var clientListener: RemoteListener?
  /// Where workers on other machines are listened to, if at all.
  public var workerListener: RemoteListener?
  /// The file of motiond's own pair of keys; `nil` for one in the state directory, made at the first start.
  public var key: String?
  /// The file of the keys that may connect from other machines; `nil` for `authorized-keys` in the state directory.
  public var authorizedKeys: String?
  /// How many files and connections a worker may have open: the soft limit; `nil` leaves it what the caller's own is.
  public var workerDescriptorLimit: UInt64?
  /// What workers may take of the machine at most, by plugin; without a name, those of all others.
  package var workerLimits: [PluginName?: PluginLimits] = [:]
  /// Whether the control group that this process is alone in is taken for the shares of workers: for a program that is
  /// motiond and nothing else.
  public var takesControlGroup = false
  /// Which processors the loop and libzmq's threads keep to, if any.
  public var affinity: Affinity?
  /// Where metrics are given to Prometheus, if anywhere.
  public var metrics: MetricsAddress?
  /// The environment from which plugins may get what their manifests list.
  public var environment: ProcessEnvironment = [:]
  /// The version to report.
  public var version = Release.version

  /// What workers of a plugin may take at most.
  func limits(of plugin: PluginName) -> PluginLimits { workerLimits[plugin] ?? workerLimits[nil] ?? PluginLimits() }

  /// Settings with these directories.
  public init(runtimeDirectory: String, stateDirectory: String, pluginPaths: [String]) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.pluginPaths = pluginPaths
  }
}

/// Why a coordinator cannot start: what is wrong, and what to do.
public struct StartError: Error, Sendable, CustomStringConvertible {
  /// What was being done.
  public let step: String
  /// What is wrong.
  public let problem: String
  /// What to do about it.
  public let remedy: String

  /// Whether what was asked for could be there and is not on this machine, as a group or a processor: the words are right.
  public let isNotFound: Bool

  /// Whether it may pass by itself, as a disk that is full: the same start may succeed later.
  public let mayPass: Bool

  /// Whether another motiond has it.
  let isTaken: Bool

  /// All three as sentences.
  public var description: String { "\(step): \(problem). \(remedy)" }

  init(
    _ step: String, _ problem: String, remedy: String, isNotFound: Bool = false, mayPass: Bool = false,
    isTaken: Bool = false
  ) {
    self.step = step
    self.problem = problem
    self.remedy = remedy
    self.isNotFound = isNotFound
    self.mayPass = mayPass
    self.isTaken = isTaken
  }

  /// A call of the system failed while a file was being written or made.
  init(writing step: String, _ code: Int32 = errno, remedy: String) {
    self.init(
      step, String(cString: strerror(code)), remedy: remedy, mayPass: [ENOSPC, EDQUOT, EROFS].contains(code))
  }
}

import Glibc
import MotionJournal
public import MotionModel

/// The settings of a coordinator, all checked before it starts.
public struct CoordinatorSettings: Sendable {
  /// Frames per second while anything moves.
  public var ratePerSecond = 120.0
  /// The directory of the sockets: `client/` and `worker/` below it.
  public var runtimeDirectory: String
  /// The directory of the epoch, and of the journal unless another place is given.
  public var stateDirectory: String
  /// The directory of the journal, which keeps everything acknowledged; with `nil` nothing is kept.
  public var journalDirectory: String?
  /// Whether a journal with losses is accepted; the log lists the losses.
  public var acceptsLoss = false
  /// The machine that it runs on, and the kind of its sockets: for simulations.
  var machine: any Machine = LinuxMachine()
  var socketKind = RuntimeDirectory.SocketKind.files
  /// Whether each checkpoint is compared with the runtime, as a whole: for tests.
  var comparesCheckpoints = false
  /// How the journal is opened, if not from ``journalDirectory``: for tests.
  var journalOpener: (@Sendable () throws(JournalError) -> any Journal)?
  /// The folders that are searched for plugins, in order; each holds one folder for each plugin.
  public var pluginPaths: [String]
  /// Those of them that were configured, and should therefore exist.
  public var namedPluginPaths: Set<String> = []
  /// The preferred plugin for a type of intention that several offer.
  public var preferences: [IntentionType: PluginName] = [:]
  /// The file with the limits of a rig, which are committed at the start and at each reload; `nil` for none.
  public var rig: String?
  /// How much of the last minutes is kept, in the state directory; with `nil` nothing is.
  public var history: HistoryLimits? = HistoryLimits()
  /// The file into which all events are recorded, if any.
  public var recordPath: String?
  /// How long a worker without an executor is kept: with 60 s a show need not start it again at each cue.
  public var workerLinger = Duration.seconds(60)
  /// The users that may be clients.
  public var clients = AllowedClients(own: geteuid())
  /// The highest priorities of plans that they may state.
  public var priorities = PriorityGrants(own: geteuid())
  /// The listener for clients on other machines, if any.
  public var clientListener: RemoteListener?
  /// The listener for workers on other machines, if any.
  public var workerListener: RemoteListener?
  /// The file of motiond's own pair of keys; `nil` for one in the state directory, made at the first start.
  public var key: String?
  /// The file of the keys that may connect from other machines; `nil` for `authorized-keys` in the state directory.
  public var authorizedKeys: String?
  /// The soft limit of the files and connections that a worker may have open; `nil` for the caller's own limit.
  public var workerDescriptorLimit: UInt64?
  /// The limits of workers on the machine's resources, by plugin; without a name, those of all others.
  package var workerLimits: [PluginName?: PluginLimits] = [:]
  /// Whether motiond takes the control group for the shares of workers, if it is alone in it: for a program that is
  /// motiond and nothing else.
  public var takesControlGroup = false
  /// The processors to which the loop and libzmq's threads are pinned, if any.
  public var affinity: Affinity?
  /// The address at which Prometheus gets metrics, if any.
  public var metrics: MetricsAddress?
  /// The environment from which plugins may get the variables that their manifests list.
  public var environment: ProcessEnvironment = [:]
  /// The version to report.
  public var version = Release.version

  /// The limits for workers of a plugin.
  func limits(of plugin: PluginName) -> PluginLimits { workerLimits[plugin] ?? workerLimits[nil] ?? PluginLimits() }

  /// Whether a start after a kill continues from the last frame: that takes a history and a journal.
  var keepsRing: Bool { history != nil && (journalDirectory != nil || journalOpener != nil) }

  /// Settings with these directories.
  public init(runtimeDirectory: String, stateDirectory: String, pluginPaths: [String]) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.pluginPaths = pluginPaths
  }
}

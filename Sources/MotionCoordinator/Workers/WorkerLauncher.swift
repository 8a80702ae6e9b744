import Glibc
import LinuxSystem
import MotionModel
import ZeroMQ

/// Starts the processes of workers, each with its environment, its limits and its share of the processors.
struct WorkerLauncher {
  /// An event of a worker's process in one of its lives.
  struct Event: Sendable {
    let address: WorkerAddress
    let incarnation: UInt64
    let event: WorkerProcess.Event
  }

  private let settings: CoordinatorSettings
  private let epoch: UInt64
  private let directory: RuntimeDirectory
  let processes: any ProcessTable
  /// The control group in which workers have their shares of the processors, or why they have none.
  private let controlGroup: Result<ControlGroup, ControlGroupError>
  /// The events of all processes.
  let events: Mailbox<Event>

  init(
    _ settings: CoordinatorSettings, epoch: UInt64, _ directory: RuntimeDirectory, admission: AdmissionThread?
  ) throws {
    (self.settings, self.epoch, self.directory) = (settings, epoch, directory)
    controlGroup = Self.controlGroup(settings)
    processes = try settings.machine.processes(admission: admission)
    events = try Mailbox()
  }

  private static func controlGroup(_ settings: CoordinatorSettings) -> Result<ControlGroup, ControlGroupError> {
    guard settings.takesControlGroup else { return .failure(ControlGroupError("motiond is part of another program")) }
    return Result { () throws(ControlGroupError) in try ControlGroup.take() }
  }

  /// The program of a plugin's workers, as its files are now; `nil` for a plugin that cannot be run.
  func program(of plugin: PluginLibrary.Plugin) -> WorkerProgram? {
    guard let manifest = plugin.manifest, let executable = plugin.executable else { return nil }
    let launch = WorkerProcess.Launch(
      executable: executable, arguments: manifest.arguments, environment: [:], directory: plugin.path,
      program: manifest.executable, libraries: manifest.libraries,
      parentDeathSignal: manifest.onLost == .rest ? SIGTERM : SIGKILL,
      limits: ProcessLimits(
        asked: manifest.limits.restricted(by: settings.limits(of: plugin.name)),
        softDescriptors: settings.workerDescriptorLimit))
    return WorkerProgram(manifest: manifest, launch: launch)
  }

  /// Starts the process of a life.
  func start(_ slot: WorkerSlot, incarnation: UInt64) -> WorkerProcess {
    var launch = slot.program.launch
    launch.environment = environment(of: slot, incarnation)
    launch.share = share(of: slot, incarnation)
    let address = slot.address
    return WorkerProcess(launch, on: processes) { [events] event in
      events.post(Event(address: address, incarnation: incarnation, event: event))
    }
  }

  /// The environment of a worker, built from empty: the variables of the protocol, and those that its manifest lists.
  private func environment(of slot: WorkerSlot, _ incarnation: UInt64) -> [String: String] {
    // A crash is reported in a line or two, so that a worker's own last log lines stay visible. A plugin that needs
    // backtraces lists the variable in its manifest, and the operator sets it for motiond.
    var environment = ["SWIFT_BACKTRACE": "enable=no"]
    let manifest = slot.program.manifest
    for name in manifest.environment {
      if let value = settings.environment[name] { environment[name] = value }
    }
    environment["MOTION_PLUGIN"] = slot.address.plugin.text
    environment["MOTION_INSTANCE"] = "\(slot.address.instance)"
    environment["MOTION_INCARNATION"] = "\(incarnation)"
    environment["MOTION_EPOCH"] = "\(epoch)"
    environment["MOTION_LINK"] = directory.link.address
    environment["MOTION_COMMANDS"] = directory.commands.address
    environment["MOTION_TICKS"] = directory.ticks.address
    environment["MOTION_EVENTS"] = directory.events.address
    environment["MOTION_ON_LOST"] = manifest.onLost.rawValue
    return environment
  }

  /// The share of the processors for a life of a worker, if one was requested and there is a control group.
  private func share(of slot: WorkerSlot, _ incarnation: UInt64) -> ControlGroup.Share? {
    guard let weight = slot.program.launch.limits.asked.cpuWeight, case .success(let group) = controlGroup else {
      return nil
    }
    return group.share(weight, of: "\(slot.address)", incarnation: incarnation)
  }

  /// The consequence and the reason, if a worker lacks the share that it should have; `nil` if nothing is missing.
  func missingShare(of slot: WorkerSlot) -> String? {
    let limits = slot.program.launch.limits
    guard slot.remote == nil, let weight = limits.asked.cpuWeight, case .failure(let reason) = controlGroup else {
      return nil
    }
    let instead = weight < 100 ? "becomes niceness \(limits.niceness(hasShare: false))" : "is ignored"
    return "cpuWeight \(instead), because motiond has no control group of its own: \(reason)"
  }

  /// Signals a worker's whole process group, if its process, or the zombie of it, exists.
  func kill(_ slot: WorkerSlot, _ signal: Int32) {
    guard let running = slot.running else { return }
    kill(running.id, signal) { running.handle }
  }

  /// Signals the group of a process whose handle may not be open yet.
  func kill(_ processID: Int32, _ signal: Int32, handle: () -> (any WatchedProcess)? = { nil }) {
    // The group has the ID of its leader, and the kernel does not reuse that ID before the leader is released. A leader
    // that has left its group is signalled through the descriptor.
    if !processes.signal(groupOf: processID, signal) { handle()?.send(signal: signal) }
  }
}

import Glibc
import LinuxSystem
import MotionModel
import Synchronization
import ZeroMQ

@testable import MotionCoordinator

/// Processes that are none: it records what is started and signalled, and the test says what happens to them.
final class RecordedProcesses: ProcessTable {
  /// A process whose end nothing reports.
  final class Handle: WatchedProcess {
    private let counter = try? EventCounter()
    var descriptor: Int32 { counter?.descriptor ?? -1 }
    func send(signal: Int32) -> Bool { true }
  }

  private struct State {
    var started: [@Sendable (WorkerProcess.Event) -> Void] = []
    var signals: [String] = []
  }

  private let state = Mutex(State())

  /// How many were started.
  var count: Int { state.withLock { $0.started.count } }
  /// The signals that were sent, such as `100 KILL`.
  var signals: [String] { state.withLock { $0.signals } }

  /// Something happens to the process of this number.
  func happen(_ event: WorkerProcess.Event, to number: Int) { state.withLock { $0.started[number - 1] }(event) }

  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64 {
    state.withLock {
      $0.started.append(hear)
      return UInt64($0.started.count)
    }
  }

  func heard(_ number: UInt64) {}
  func release(_ number: UInt64) {}
  func end() {}
  func watch(_ processID: Int32) throws(SystemError) -> (any WatchedProcess)? { Handle() }

  func signal(groupOf processID: Int32, _ signal: Int32) -> Bool {
    state.withLock { $0.signals.append("\(processID) \(signal == SIGKILL ? "KILL" : "\(signal)")") }
    return true
  }

  /// A slot of a plugin that nobody installed.
  static func slot(_ address: WorkerAddress) -> WorkerSlot {
    let manifest = PluginManifest(name: address.plugin, executable: "run", intentions: [])
    let launch = WorkerProcess.Launch(executable: "run", arguments: [], environment: [:], directory: "/")
    return WorkerSlot(address: address, program: WorkerProgram(manifest: manifest, launch: launch))
  }
}

/// The machine of the test with these processes, and a clock that stands.
struct RecordedMachine: Machine {
  let processes: RecordedProcesses
  private let machine = LinuxMachine()

  init(_ processes: RecordedProcesses) { self.processes = processes }

  var now: Duration { .zero }
  var boot: String { "" }
  var wallTime: Int64 { 0 }
  var waits: Bool { false }
  func alarm() throws(SystemError) -> any Alarm { try machine.alarm() }
  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread {
    machine.start(name, make)
  }
  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable { processes }
  func sender(of message: Message) -> PeerName? { nil }
  func connection(of message: Message) -> Int32? { nil }
  func isConnected(_ descriptor: Int32) -> Bool { true }
  func endLeftovers(of directory: RuntimeDirectory) -> Int { 0 }
}

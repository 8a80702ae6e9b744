import Glibc
import LinuxSystem
import ZeroMQ

@testable import MotionCoordinator

/// The processes of one start of a coordinator, which the simulation starts and ends.
final class SimulatedTable: ProcessTable, @unchecked Sendable {
  /// A requested process.
  final class Entry {
    let number: UInt64
    let launch: WorkerProcess.Launch
    fileprivate let hear: @Sendable (WorkerProcess.Event) -> Void
    /// Its process ID, once it runs.
    fileprivate(set) var processID: Int32?
    fileprivate(set) var end: ProcessEnd?
    /// Signals its death. The number of descriptors is not limited here.
    fileprivate let death: EventCounter?
    /// The last signal that was sent to it, until the simulation handles it.
    var signal: Int32?

    init(_ number: UInt64, _ launch: WorkerProcess.Launch, _ hear: @escaping @Sendable (WorkerProcess.Event) -> Void) {
      (self.number, self.launch, self.hear) = (number, launch, hear)
      death = try? EventCounter()
    }
  }

  private var lastNumber: UInt64 = 0
  private(set) var entries: [Entry] = []
  /// Whether all processes are to end.
  private(set) var isEnding = false

  // MARK: Coordinator side

  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64 {
    lastNumber += 1
    entries.append(Entry(lastNumber, launch, hear))
    return lastNumber
  }

  func heard(_ number: UInt64) {}

  func release(_ number: UInt64) {
    guard let index = entries.firstIndex(where: { $0.number == number }), let end = entries[index].end else { return }
    entries.remove(at: index).hear(.ended(end))
  }

  func end() {
    isEnding = true
    for entry in entries { entry.signal = SIGKILL }
  }

  func watch(_ processID: Int32) throws(SystemError) -> (any WatchedProcess)? {
    entry(processID).map(Watch.init)
  }

  func signal(groupOf processID: Int32, _ signal: Int32) -> Bool {
    guard let entry = entry(processID) else { return false }
    // No later signal replaces a KILL.
    if entry.signal != SIGKILL { entry.signal = signal }
    return true
  }

  private func entry(_ processID: Int32) -> Entry? { entries.first { $0.processID == processID } }

  private final class Watch: WatchedProcess {
    private let entry: Entry
    init(_ entry: Entry) { self.entry = entry }
    var descriptor: Int32 { entry.death?.descriptor ?? -1 }
    func send(signal: Int32) -> Bool {
      guard entry.end == nil else { return false }
      entry.signal = signal
      return true
    }
  }

  // MARK: Simulation side

  /// The process runs, with this process ID.
  func spawned(_ entry: Entry, as processID: Int32) {
    entry.processID = processID
    entry.hear(.spawned(processID))
  }

  /// The process was not started.
  func refused(_ entry: Entry, because reason: String) {
    entries.removeAll { $0 === entry }
    entry.hear(.ended(.noRoom(reason)))
  }

  /// The process has ended; its zombie stays until it is released.
  func ended(_ entry: Entry, _ end: ProcessEnd) {
    guard entry.end == nil else { return }
    entry.end = end
    entry.death?.signal()
  }
}

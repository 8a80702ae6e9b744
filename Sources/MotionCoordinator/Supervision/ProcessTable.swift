import Glibc
import LinuxSystem
import ZeroMQ

/// Starts processes for a coordinator, signals them and reports their ends.
protocol ProcessTable: Sendable {
  /// Starts a process; any thread may call it. `hear` is called for each event, in order, on any thread.
  ///
  /// - Returns: the number of the process in this table.
  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64

  /// The last output was handled: more may be read.
  func heard(_ number: UInt64)

  /// The owner has handled the end of the process, and sends it no more signals.
  func release(_ number: UInt64)

  /// Events are no longer handled: kills all running processes, also those that are only being spawned.
  func end()

  /// Opens a descriptor for a process, or its zombie; `nil` if there is none with this number.
  func watch(_ processID: Int32) throws(SystemError) -> (any WatchedProcess)?

  /// Signals all processes of the group that a process leads; `false` if there is none.
  func signal(groupOf processID: Int32, _ signal: Int32) -> Bool
}

/// A process with an open descriptor, so that a signal never reaches another one with its number.
protocol WatchedProcess: AnyObject {
  /// The descriptor to poll; readable when the process has ended.
  var descriptor: Int32 { get }
  /// Sends a signal to the process; `false` if it has ended.
  @discardableResult
  func send(signal: Int32) -> Bool
}

extension ProcessHandle: WatchedProcess {}

extension WorkerProcesses: ProcessTable {
  func heard(_ number: UInt64) { post(.heard(number)) }

  func release(_ number: UInt64) { post(.release(number)) }

  func watch(_ processID: Int32) throws(SystemError) -> (any WatchedProcess)? {
    try ProcessHandle(processID: processID)
  }

  func signal(groupOf processID: Int32, _ signal: Int32) -> Bool { Glibc.kill(-processID, signal) == 0 }
}

import Glibc
import LinuxSystem
import ZeroMQ

/// Where a coordinator starts processes, signals them and hears of their ends.
protocol ProcessTable: Sendable {
  /// Starts a process; any thread may. `hear` is called for each event, in order, on any thread.
  ///
  /// - Returns: its number here.
  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64

  /// What it printed was taken note of: the next may be read.
  func heard(_ number: UInt64)

  /// Its owner knows that it has ended, and signals it no more.
  func release(_ number: UInt64)

  /// Nobody acts any more on what is heard: kills what runs, also what is only being spawned.
  func end()

  /// Holds on to a process, or its zombie; `nil` if there is none with this number.
  func watch(_ processID: Int32) throws(SystemError) -> (any WatchedProcess)?

  /// Signals all processes of the group that a process leads; `false` if there is none.
  func signal(groupOf processID: Int32, _ signal: Int32) -> Bool
}

/// A process that is held on to, so that a signal never meets another one with its number.
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

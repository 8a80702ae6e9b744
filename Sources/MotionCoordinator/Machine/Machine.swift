import LinuxSystem
import MotionModel
import ZeroMQ

/// The services that a coordinator uses from its machine, besides its sockets and files: time, alarms, threads,
/// processes, and the peers of connections.
///
/// Nothing here decides. A simulation replaces it with a clock that it advances itself, and with threads and processes
/// whose turns it takes itself.
protocol Machine: Sendable {
  /// The time since boot.
  var now: Duration { get }
  /// The name of the machine's present boot.
  var boot: String { get }
  /// Nanoseconds since 1970; people may set this clock at will.
  var wallTime: Int64 { get }
  /// Whether a turn waits for the next event; otherwise it handles the present events, and the caller of the turns
  /// waits.
  var waits: Bool { get }

  /// A new alarm, which is not armed.
  func alarm() throws(SystemError) -> any Alarm

  /// Runs the object that `make` makes, on a thread of its own.
  ///
  /// - Parameter name: the name of the thread in the system.
  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread

  /// The processes that a new coordinator may start.
  ///
  /// - Parameter admission: is notified which of them are workers.
  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable

  /// The sender of a message; `nil` if no authenticator has admitted its connection.
  func sender(of message: Message) -> PeerName?

  /// The descriptor of the connection by which a message came, if it is still open.
  func connection(of message: Message) -> Int32?

  /// Whether the peer of a connection is still connected, as far as can be determined.
  func isConnected(_ descriptor: Int32) -> Bool

  /// Ends the processes that an earlier coordinator with this directory has left behind.
  ///
  /// - Returns: how many there were.
  func endLeftovers(of directory: RuntimeDirectory) -> Int
}

extension Machine {
  /// Both clocks.
  var clocks: MachineClocks { MachineClocks(wallTime: wallTime, bootTime: now.wholeNanoseconds) }
}

/// Makes a descriptor readable at a time.
protocol Alarm: AnyObject {
  /// The descriptor to poll; readable when the time has come.
  var descriptor: Int32 { get }
  /// The time it is armed at.
  var deadline: Duration? { get }
  /// Arms it at a time, or, with `nil`, disarms it.
  func arm(at time: Duration?)
  /// Acknowledges that the time has come: it is not armed any more.
  func acknowledge()
}

/// The work of a thread, in turns.
protocol TurnTaking {
  /// Does the present work.
  ///
  /// - Parameter waits: whether it waits until there is work.
  /// - Returns: whether there will be another turn.
  mutating func turn(waits: Bool) -> Bool
}

/// A thread that was started.
protocol RunningThread: Sendable {
  /// The end of the thread was requested, and the caller is about to wait for that: a machine without real threads
  /// takes the remaining turns now.
  func finish()
}

import LinuxSystem
import ZeroMQ

/// What a coordinator takes from the machine that it runs on, besides its sockets and files: time, alarms, threads,
/// processes, and who is at the other end of a connection.
///
/// Nothing here decides. A simulation stands in for it with a clock that goes on when it says so, and with threads and
/// processes of which it takes the turns itself.
protocol Machine: Sendable {
  /// The time since boot.
  var now: Duration { get }
  /// Nanoseconds since 1970, which people may set as they like.
  var wallTime: Int64 { get }
  /// Whether a turn waits for what comes next; otherwise it does what is there, and whoever takes the turns waits.
  var waits: Bool { get }

  /// A new alarm, which is not armed.
  func alarm() throws(SystemError) -> any Alarm

  /// Runs on a thread of its own whatever `make` makes there.
  ///
  /// - Parameter name: what the system calls the thread.
  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread

  /// The processes that a new coordinator may start.
  ///
  /// - Parameter admission: who is to know which of them are workers.
  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable

  /// Who has sent a message; `nil` if no authenticator has admitted its connection.
  func sender(of message: Message) -> PeerName?

  /// The descriptor of the connection by which a message came, if it is still there.
  func connection(of message: Message) -> Int32?

  /// Whether the peer of a connection is still there, as far as can be told.
  func isConnected(_ descriptor: Int32) -> Bool

  /// Ends the processes that an earlier coordinator with this directory has left behind.
  ///
  /// - Returns: how many there were.
  func endLeftovers(of directory: RuntimeDirectory) -> Int
}

/// Makes a descriptor readable at a time.
protocol Alarm: AnyObject {
  /// The descriptor to poll; readable when the time has come.
  var descriptor: Int32 { get }
  /// The time it is armed at.
  var deadline: Duration? { get }
  /// Arms it at a time, or, with `nil`, disarms it.
  func arm(at time: Duration?)
  /// Takes note that the time has come: it is not armed any more.
  func acknowledge()
}

/// What a thread does, in turns.
protocol TurnTaking {
  /// Does what there is to do.
  ///
  /// - Parameter waits: whether it waits until there is something.
  /// - Returns: whether there will be another turn.
  mutating func turn(waits: Bool) -> Bool
}

/// A thread that was started.
protocol RunningThread: Sendable {
  /// It was told to end, and somebody is going to wait for that: who takes its turns otherwise takes them now.
  func finish()
}

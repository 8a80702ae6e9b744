import LinuxSystem
import ZeroMQ

@testable import MotionCoordinator

/// A machine whose clock stands until it is told to go on, and whose threads and processes run when somebody says so.
///
/// All of it belongs to the one thread of the simulation, hence unchecked.
final class SimulatedMachine: Machine, @unchecked Sendable {
  private(set) var now = Duration.seconds(1000)
  /// How far the clock that people set is ahead of 2026.
  var wallOffset: Int64 = 0
  /// Who is at the other end of every connection that says something now.
  var sender: PeerName?
  /// The threads of the coordinator that runs.
  private(set) var threads: [SimulatedThread] = []
  /// Its processes.
  private(set) var table = SimulatedTable()
  private var alarms: [WeakAlarm] = []

  private struct WeakAlarm {
    weak var alarm: SimulatedAlarm?
  }

  var wallTime: Int64 { 1_767_225_600_000_000_000 + now.wholeNanoseconds + wallOffset }
  let waits = false

  func alarm() throws(SystemError) -> any Alarm {
    let alarm = try SimulatedAlarm()
    alarms.append(WeakAlarm(alarm: alarm))
    return alarm
  }

  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread {
    let thread = SimulatedThread("\(name)", make())
    threads.append(thread)
    // Whoever starts it may wait for its first words.
    thread.turn()
    return thread
  }

  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable { table }

  func sender(of message: Message) -> PeerName? { sender }

  func connection(of message: Message) -> Int32? { -1 }

  func isConnected(_ descriptor: Int32) -> Bool { true }

  func endLeftovers(of directory: RuntimeDirectory) -> Int { 0 }

  // MARK: What the simulation does with it

  /// When the next alarm is due.
  var nextAlarm: Duration? { alarms.lazy.compactMap { $0.alarm?.pending }.min() }

  /// Lets the clock go on, and alarms go off.
  ///
  /// - Returns: whether any did.
  func pass(to time: Duration) -> Bool {
    now = max(now, time)
    var isAny = false
    for entry in alarms where entry.alarm?.ring(at: now) == true { isAny = true }
    return isAny
  }

  /// The process that all this belonged to is gone, at whatever it was doing.
  func crash() {
    threads = []
    alarms = []
    table = SimulatedTable()
  }
}

/// An alarm of a ``SimulatedMachine``.
final class SimulatedAlarm: Alarm {
  private let counter: EventCounter
  private(set) var deadline: Duration?
  private var hasRung = false

  init() throws(SystemError) { counter = try EventCounter() }

  var descriptor: Int32 { counter.descriptor }

  /// When it goes off, if it has not yet.
  var pending: Duration? { hasRung ? nil : deadline }

  func arm(at time: Duration?) {
    guard time != deadline else { return }
    (deadline, hasRung) = (time, false)
    counter.drain()
  }

  func acknowledge() {
    guard hasRung else { return }
    (deadline, hasRung) = (nil, false)
    counter.drain()
  }

  /// - Returns: whether it goes off now.
  func ring(at now: Duration) -> Bool {
    guard let pending, now >= pending else { return false }
    hasRung = true
    counter.signal()
    return true
  }
}

/// A thread of a ``SimulatedMachine``: whoever has it takes its turns.
final class SimulatedThread: RunningThread, @unchecked Sendable {
  let name: String
  private var body: any TurnTaking
  private var hasEnded = false
  /// When the disk that it works with answers again.
  var stalledUntil = Duration.zero

  init(_ name: String, _ body: any TurnTaking) { (self.name, self.body) = (name, body) }

  func turn() {
    guard !hasEnded else { return }
    hasEnded = !body.turn(waits: false)
  }

  func finish() { while !hasEnded { turn() } }
}

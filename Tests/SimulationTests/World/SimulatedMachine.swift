import LinuxSystem
import ZeroMQ

@testable import MotionCoordinator

/// A machine whose clock advances only on request, and whose threads and processes run only on request.
///
/// It belongs to the one thread of the simulation, hence unchecked.
final class SimulatedMachine: Machine, @unchecked Sendable {
  private(set) var now = Duration.seconds(1000)
  /// The offset of the wall clock from 2026, in nanoseconds.
  var wallOffset: Int64 = 0
  /// The peer of every connection that receives a message now.
  var sender: PeerName?
  /// The threads of the current coordinator.
  private(set) var threads: [SimulatedThread] = []
  /// Its processes.
  private(set) var table = SimulatedTable()
  private var alarms: [WeakAlarm] = []

  private struct WeakAlarm {
    weak var alarm: SimulatedAlarm?
  }

  var wallTime: Int64 { 1_767_225_600_000_000_000 + now.wholeNanoseconds + wallOffset }
  let waits = false
  /// Changes when the power is lost.
  private(set) var boot = "1"

  func alarm() throws(SystemError) -> any Alarm {
    let alarm = try SimulatedAlarm()
    alarms.append(WeakAlarm(alarm: alarm))
    return alarm
  }

  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread {
    let thread = SimulatedThread("\(name)", make())
    threads.append(thread)
    // The caller may wait for its first output.
    thread.turn()
    return thread
  }

  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable { table }

  func sender(of message: Message) -> PeerName? { sender }

  func connection(of message: Message) -> Int32? { -1 }

  func isConnected(_ descriptor: Int32) -> Bool { true }

  func endLeftovers(of directory: RuntimeDirectory) -> Int { 0 }

  // MARK: Simulation side

  /// When the next alarm is due.
  var nextAlarm: Duration? { alarms.lazy.compactMap { $0.alarm?.pending }.min() }

  /// Advances the clock and fires the alarms that are due.
  ///
  /// - Returns: whether any fired.
  func pass(to time: Duration) -> Bool {
    now = max(now, time)
    var isAny = false
    for entry in alarms where entry.alarm?.ring(at: now) == true { isAny = true }
    return isAny
  }

  /// The process that owned all this has ended, at an arbitrary point.
  func crash(losesPower: Bool = false) {
    if losesPower { boot += "1" }
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

  /// When it fires; `nil` if it has fired.
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

  /// - Returns: whether it fires now.
  func ring(at now: Duration) -> Bool {
    guard let pending, now >= pending else { return false }
    hasRung = true
    counter.signal()
    return true
  }
}

/// A thread of a ``SimulatedMachine``: its owner runs its turns.
final class SimulatedThread: RunningThread, @unchecked Sendable {
  let name: String
  private var body: any TurnTaking
  private var hasEnded = false
  /// When its disk answers again.
  var stalledUntil = Duration.zero

  init(_ name: String, _ body: any TurnTaking) { (self.name, self.body) = (name, body) }

  func turn() {
    guard !hasEnded else { return }
    hasEnded = !body.turn(waits: false)
  }

  func finish() { while !hasEnded { turn() } }
}

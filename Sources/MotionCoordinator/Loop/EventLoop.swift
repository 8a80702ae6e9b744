import Glibc
import LinuxSystem
import Logging
import ZeroMQ

/// Waits for descriptors and deadlines, and lists the handlers of a turn, in a fixed order: workers, clients, files,
/// maintenance, frames. It has no reference to an owner; the coordinator calls the handlers.
final class EventLoop {
  /// What is handled in a turn, in this order. Each has a descriptor, or a deadline, or is handled in every turn.
  enum Handler: Int, CaseIterable {
    // Workers
    case processEvents
    case decodedEvents
    case events
    case link
    case commandSubscriptions
    case tickSubscriptions
    case exits
    // Clients
    case largeRequests
    case requests
    case valueSubscriptions
    // Files
    case journal
    case recording
    case history
    case directoryNotices
    // Maintenance
    case workers
    case repeatedValues
    case inspections
    case presence
    case checkpoints
    case refusedConnections
    case directory
    case listeners
    case stop
    case cues
    // Frames, and what gives way to them
    case frames
    case answers
    case metrics
    /// Last, and nowhere else: a hang anywhere in a turn then stops the heartbeat to systemd.
    case watchdog

    /// All of them, in order.
    static let order = allCases

    /// Whether it is handled in every turn, because something that another handler did may concern it.
    var isHandledEveryTurn: Bool {
      switch self {
      case .exits, .largeRequests, .workers, .repeatedValues, .inspections, .checkpoints, .refusedConnections, .frames:
        true
      default: false
      }
    }
  }

  /// How a turn begins.
  enum Wake {
    /// Handle what is ready or due.
    ///
    /// - Parameter wasStalled: the coordinator was suspended, or too busy to receive any message.
    case turn(at: Duration, wasStalled: Bool)
    /// A signal came: wait again.
    case interrupted
    case failed(String)
  }

  /// The counters of turns.
  struct Counters {
    /// Turns of the loop: it was woken, or did not wait.
    var turns: UInt64 = 0
    var stalls: UInt64 = 0
    var frameWakeUps: UInt64 = 0
    var maintenanceWakeUps: UInt64 = 0
    /// Messages of too many parts.
    var malformedMessages: UInt64 = 0
  }

  /// Messages taken from one socket in one turn, so that a flood on one cannot starve the others or the frames.
  static let messagesPerTurn = 512
  /// Of those, the number taken although a frame is due meanwhile. It takes half a millisecond of commits, by which a
  /// flood of clients can delay a frame, and is enough to serve clients when a frame is always due.
  static let messagesBeforeFrame = 32
  /// The time limit for the same. A large message may take as long as thirty small ones, so fewer are received, and at
  /// least one.
  static let timeBeforeFrame = Duration.milliseconds(2)
  /// A turn that lasts longer, or begins so long after a timer was due, means that the coordinator was suspended, or
  /// too busy to receive any message.
  static let stallLimit = Duration.milliseconds(250)

  /// Polls the descriptors, also those of workers' processes.
  let poller = Poller()
  private(set) var counters = Counters()
  /// How long messages of clients are taken while a frame is due; tests that count them set more.
  var timeBeforeFrame = EventLoop.timeBeforeFrame
  /// The watchdog of systemd, if it supervises the loop.
  private var watchdog: Watchdog?
  private let notifier: ServiceNotifier
  private let machine: any Machine
  private let logger: Logger
  /// The descriptors, by handler.
  private var registrations = [Poller.Registration?](repeating: nil, count: Handler.order.count)
  private let frameTimer: (alarm: any Alarm, registration: Poller.Registration)
  private let maintenanceTimer: (alarm: any Alarm, registration: Poller.Registration)
  /// When the last turn polled.
  private var lastLook: Duration?

  /// - Parameters:
  ///   - jobs: the descriptor of the calls that wait for the thread.
  ///   - environment: the variables by which systemd requests heartbeats.
  init(on machine: any Machine, jobs: Int32, environment: [String: String], logger: Logger) throws {
    (self.machine, self.logger) = (machine, logger)
    let (frames, maintenance) = (try machine.alarm(), try machine.alarm())
    _ = poller.add(descriptor: jobs)
    frameTimer = (frames, poller.add(descriptor: frames.descriptor))
    maintenanceTimer = (maintenance, poller.add(descriptor: maintenance.descriptor))
    notifier = ServiceNotifier(environment: environment)
    watchdog = Watchdog(environment: environment, processID: getpid(), at: machine.now)
  }

  // MARK: The table

  /// Handles a descriptor when it is readable.
  func add(_ descriptor: Int32, for handler: Handler) {
    precondition(registrations[handler.rawValue] == nil, "\(handler) has a descriptor already")
    registrations[handler.rawValue] = poller.add(descriptor: descriptor)
  }

  /// Handles a socket when messages have come.
  func add<Kind>(_ socket: Socket<Kind>, for handler: Handler) {
    precondition(registrations[handler.rawValue] == nil, "\(handler) has a descriptor already")
    registrations[handler.rawValue] = poller.add(socket)
  }

  /// Polls the descriptor of a handler no longer.
  func remove(_ handler: Handler) {
    guard let registration = registrations[handler.rawValue] else { return }
    poller.remove(registration)
    registrations[handler.rawValue] = nil
  }

  /// Whether the descriptor of a handler was readable when this turn began.
  func isReady(_ handler: Handler) -> Bool {
    registrations[handler.rawValue].map { poller.isReadable($0) } ?? false
  }

  // MARK: Turns

  /// Arms the timers that wake the loop.
  ///
  /// - Parameters:
  ///   - frame: when a frame is due.
  ///   - deadline: when anything else is.
  func arm(forFrame frame: Duration?, deadline: Duration?) {
    frameTimer.alarm.arm(at: frame)
    maintenanceTimer.alarm.arm(at: deadline)
  }

  /// Waits for the next event.
  ///
  /// - Parameter isHurried: whether the turn comes at once, because work is left.
  func wait(isHurried: Bool) -> Wake {
    let (frame, other) = (frameTimer.alarm.deadline, maintenanceTimer.alarm.deadline)
    let expected = frame.map { min($0, other ?? $0) } ?? other
    // A machine that does not wait lets time pass between turns.
    let wasLong = machine.waits && lastLook.map { machine.now > $0 + Self.stallLimit } == true
    do {
      switch try poller.poll(timeout: isHurried || !machine.waits ? .zero : nil) {
      case .ready, .timedOut: break
      case .interrupted: return .interrupted
      case .terminated: return .failed("the context of the sockets was terminated")
      }
    } catch {
      return .failed("polling failed: \(error)")
    }
    counters.turns += 1
    let now = machine.now
    lastLook = now
    acknowledgeTimers()
    let wasStalled = wasLong || expected.map { now > $0 + Self.stallLimit } == true
    if wasStalled { counters.stalls += 1 }
    return .turn(at: now, wasStalled: wasStalled)
  }

  private func acknowledgeTimers() {
    if poller.isReadable(maintenanceTimer.registration) {
      maintenanceTimer.alarm.acknowledge()
      counters.maintenanceWakeUps += 1
    }
    if poller.isReadable(frameTimer.registration) {
      frameTimer.alarm.acknowledge()
      counters.frameWakeUps += 1
    }
  }

  /// Takes messages from a socket until it is empty, at most ``messagesPerTurn``, if the poll has found any: reading an
  /// empty socket is a system call.
  ///
  /// - Parameter due: when the next frame is due, if frames go before what remains after ``messagesBeforeFrame`` or
  ///   ``timeBeforeFrame``; otherwise `nil`.
  func drain<Received>(
    _ handler: Handler, yieldingAt due: () -> Duration? = { nil }, _ receive: () throws -> ReceiveOutcome<Received>,
    _ handle: (Received) -> Void
  ) {
    guard isReady(handler) else { return }
    let begin = machine.now
    for count in 0..<Self.messagesPerTurn {
      if count > 0, let due = due() {
        let now = machine.now
        if now >= due, count >= Self.messagesBeforeFrame || now >= begin + timeBeforeFrame { return }
      }
      do {
        guard case .message(let message) = try receive() else { return }
        handle(message)
      } catch is TooManyParts {
        counters.malformedMessages += 1
      } catch {
        logger.error("receiving failed: \(error)")
        return
      }
    }
  }

  // MARK: The watchdog

  /// When systemd has to be notified next; `nil` if it does not request that.
  var watchdogDeadline: Duration? { watchdog?.nextDeadline }

  /// Notifies systemd that the loop still turns, if that is due.
  func notifyWatchdog(at now: Duration) {
    if watchdog?.deadline(at: now) == true { notifier.notifyAtOnce("WATCHDOG=1") }
  }
}

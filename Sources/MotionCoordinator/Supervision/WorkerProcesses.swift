import CLinux
import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Spawns the processes of workers, reads their output and reaps them, on one thread that sleeps in between.
///
/// swift-subprocess would do this too, but wakes up three times a second for each running process: a task of each
/// sleeps for a second, again and again, on threads of libdispatch.
final class WorkerProcesses: Sendable {
  /// A command to the thread.
  enum Command: Sendable {
    case start(UInt64, WorkerProcess.Launch, hear: @Sendable (WorkerProcess.Event) -> Void)
    case heard(UInt64)
    case release(UInt64)
    case end
  }

  private let mailbox: Mailbox<Command>
  private let lastNumber = Atomic<UInt64>(0)

  /// Starts the thread. Processes run on the caller's processors, not on the one to which the loop may be pinned later.
  ///
  /// - Parameter admission: is notified which processes are workers.
  init(admission: AdmissionThread? = nil) throws(SystemError) {
    mailbox = try Mailbox()
    OwnThread.start("processes") { [mailbox] in
      var keeper = ProcessKeeper(mailbox, admission)
      keeper.run()
    }
  }

  deinit { end() }

  /// Starts a process; any thread may call it.
  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64 {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    mailbox.post(.start(number, launch, hear: hear))
    return number
  }

  /// Sends the thread a command about a process.
  func post(_ command: Command) { mailbox.post(command) }

  /// Events are no longer handled: kills all running processes, also those that are only being spawned, and ends the
  /// thread.
  func end() { mailbox.post(.end) }
}

/// The thread's own state: the processes by number, and the descriptors to wait for.
private struct ProcessKeeper {
  /// The polling interval, in milliseconds, for an end that no descriptor reports: short enough for a caller that waits
  /// for the reason.
  private static let askedAgain: Int32 = 50

  private let mailbox: Mailbox<WorkerProcesses.Command>
  private let admission: AdmissionThread?
  private var children: [UInt64: ChildProcess] = [:]
  private var isEnding = false

  init(_ mailbox: Mailbox<WorkerProcesses.Command>, _ admission: AdmissionThread?) {
    self.mailbox = mailbox
    self.admission = admission
  }

  /// Runs until its end was requested, and every process has ended.
  mutating func run() {
    while !(isEnding && children.isEmpty) {
      wait()
      for command in mailbox.take() { obey(command) }
      for (number, child) in children.sorted(by: { $0.key < $1.key }) where child.lookAfter() {
        children[number] = nil
      }
    }
  }

  private mutating func obey(_ command: WorkerProcesses.Command) {
    switch command {
    case .start(let number, let launch, let hear):
      guard !isEnding else { return hear(.ended(.notStarted("motiond is stopping"))) }
      // Before there is a process that could connect, and whatever the outcome.
      admission?.post(.willStart(number))
      do {
        let child = try ChildProcess(launch, hear: hear)
        children[number] = child
        hear(.spawned(child.processID))
        // After its owner was notified: no process may connect that the owner does not know.
        admission?.post(.hasStarted(number, as: child.processID))
      } catch {
        admission?.post(.hasStarted(number, as: nil))
        let lacksRoom = (error as? SpawnError)?.isShortage ?? false
        hear(.ended(lacksRoom ? .noRoom("\(error)") : .notStarted("\(error)")))
      }
    case .heard(let number): children[number]?.mayRead = true
    case .release(let number):
      guard let child = children[number] else { return }
      admission?.post(.hasEnded(child.processID))
      child.release()
    case .end:
      isEnding = true
      for child in children.values { child.kill() }
    }
  }

  /// Sleeps until there is a command, output, or the end of a released process.
  private func wait() {
    var entries = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    for child in children.values {
      for descriptor in child.awaited { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    }
    // The end of a process without a descriptor is not reported: it is polled for.
    poll(&entries, nfds_t(entries.count), children.values.contains { $0.endsUnseen } ? Self.askedAgain : -1)
  }
}

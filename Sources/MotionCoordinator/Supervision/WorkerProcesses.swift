import CLinux
import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Spawns the processes of workers, reads what they print and buries them, on one thread that sleeps in between.
///
/// swift-subprocess would do so too, and wakes up three times a second for each process that runs: a task of each sleeps
/// for a second, again and again, on threads that libdispatch looks after.
final class WorkerProcesses: Sendable {
  /// What the thread is told.
  enum Command: Sendable {
    case start(UInt64, WorkerProcess.Launch, hear: @Sendable (WorkerProcess.Event) -> Void)
    case heard(UInt64)
    case release(UInt64)
    case end
  }

  private let mailbox: Mailbox<Command>
  private let lastNumber = Atomic<UInt64>(0)

  /// Starts the thread. Processes run where the caller may run, not on the processor to which the loop may keep later.
  ///
  /// - Parameter admission: who is to know which processes are workers.
  init(admission: AdmissionThread? = nil) throws(SystemError) {
    mailbox = try Mailbox()
    OwnThread.start("processes") { [mailbox] in
      var keeper = ProcessKeeper(mailbox, admission)
      keeper.run()
    }
  }

  deinit { end() }

  /// Starts a process; any thread may.
  func start(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) -> UInt64 {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    mailbox.post(.start(number, launch, hear: hear))
    return number
  }

  /// Tells the thread something about a process.
  func post(_ command: Command) { mailbox.post(command) }

  /// Nobody acts any more on what is heard: kills what runs, also what is only being spawned, and ends the thread.
  func end() { mailbox.post(.end) }
}

/// The thread's own side: processes by number, and what is waited for.
private struct ProcessKeeper {
  /// Milliseconds until it is asked again for an end that nothing tells of: soon enough for whoever waits for the reason.
  private static let askedAgain: Int32 = 50

  private let mailbox: Mailbox<WorkerProcesses.Command>
  private let admission: AdmissionThread?
  private var children: [UInt64: ChildProcess] = [:]
  private var isEnding = false

  init(_ mailbox: Mailbox<WorkerProcesses.Command>, _ admission: AdmissionThread?) {
    self.mailbox = mailbox
    self.admission = admission
  }

  /// Runs until it was told to end, and every process has.
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
      guard !isEnding else { return hear(.ended(.notStarted("motiond was ending"))) }
      // Before there is a process that could connect, and whatever comes of it.
      admission?.post(.willStart(number))
      do {
        let child = try ChildProcess(launch, hear: hear)
        children[number] = child
        hear(.spawned(child.processID))
        // After its owner: nobody is heard whom the owner does not know.
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

  /// Sleeps until there is a command, something was printed, or a process that was released has ended.
  private func wait() {
    var entries = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    for child in children.values {
      for descriptor in child.awaited { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    }
    // Nothing tells of the end of one that could not be held: it is asked for.
    poll(&entries, nfds_t(entries.count), children.values.contains { $0.endsUnseen } ? Self.askedAgain : -1)
  }
}

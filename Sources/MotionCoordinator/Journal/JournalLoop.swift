import Glibc
import LinuxSystem
import MotionCore
import Synchronization
import ZeroMQ

/// The work of the journal's thread, turn by turn.
struct JournalLoop {
  /// The work that waits between groups, in order.
  private enum Work {
    case target(CheckpointChanges.TargetChange)
    case plan(CheckpointChanges.PlanChange)
    case snapshot(JournalSnapshot)
    case anew
  }

  /// Changes that are processed before rows are taken again: about a millisecond, less than a sync takes on most disks.
  private static let changesPerTurn = 256

  private let writer: JournalWriter
  private let mailbox: Mailbox<JournalThread.Command>
  private let events: Mailbox<JournalThread.Event>
  private let last: JournalThread.LastCheckpoint
  private let machine: any Machine
  private var work: [Work] = []
  private var done = 0
  /// Whether the journal has no deferred work left.
  private var isTidy = true
  /// Whether the journal was healed and has no checkpoint since.
  private var isHealing = false
  private var isEnding = false
  /// When writing to the disk is retried next; `nil` while it works.
  private var retryDue: Duration?

  init(
    _ writer: JournalWriter, _ mailbox: Mailbox<JournalThread.Command>, _ events: Mailbox<JournalThread.Event>,
    _ last: JournalThread.LastCheckpoint, on machine: any Machine
  ) {
    (self.writer, self.mailbox, self.events, self.last, self.machine) = (writer, mailbox, events, last, machine)
  }

  /// Waits for the next command, if `waits` is set, and processes it.
  ///
  /// - Returns: whether there is a next turn.
  mutating func turn(waits: Bool) -> Bool {
    let isIdle = work.isEmpty && (isTidy || writer.problem != nil) && !isEnding
    let isThere = waits && isIdle ? mailbox.wait(upTo: retryDue.map { $0 - machine.now }) : true
    let group = isThere ? take() : []
    // After a failure is healed, the full checkpoint has to be on disk before any later row.
    if isHealing, !group.isEmpty { doWork(atMost: .max) }
    if !group.isEmpty { write(group) }
    doWork(atMost: Self.changesPerTurn)
    if isEnding, work.isEmpty { return false }
    // Regardless of new commands: a disk that works again must not wait for a pause.
    if let retryDue, machine.now >= retryDue, work.isEmpty { heal() }
    if group.isEmpty, work.isEmpty, writer.problem == nil, !isTidy { tidy() }
    retryDue = writer.retryDelay.map { delay in retryDue ?? machine.now + delay }
    return true
  }

  /// Takes the commands that have arrived; the result is the group to write at once.
  private mutating func take() -> [JournalSubmission] {
    var group: [JournalSubmission] = []
    for command in mailbox.take() {
      switch command {
      case .submission(let submission): group.append(submission)
      case .changes(let changes):
        work += changes.targets.map(Work.target)
        work += changes.plans.map(Work.plan)
      case .snapshot(let snapshot): work.append(.snapshot(snapshot))
      case .anew: work.append(.anew)
      case .end: isEnding = true
      }
    }
    return group
  }

  private mutating func write(_ group: [JournalSubmission]) {
    isTidy = false
    let hadProblem = writer.problem != nil
    let start = machine.now
    switch writer.write(group, wallTime: machine.wallTime) {
    case .durable(let lastRow):
      events.post(.durable(count: group.count, lastRow: lastRow, nanoseconds: (machine.now - start).wholeNanoseconds))
    case .refused(let problem): events.post(.refused(count: group.count, problem))
    }
    tell(hadProblem)
  }

  private mutating func doWork(atMost limit: Int) {
    var left = limit
    while done < work.count, left > 0 {
      left -= 1
      let next = work[done]
      done += 1
      switch next {
      case .target(let change): writer.take(change)
      case .plan(let change): writer.take(change)
      case .anew: writer.beginAnew()
      case .snapshot(let snapshot): write(snapshot)
      }
    }
    if done == work.count, done > 0 { (work, done) = ([], 0) }
  }

  private mutating func write(_ snapshot: JournalSnapshot) {
    isHealing = false
    isTidy = false
    let (hadProblem, hadCheckpoints) = (writer.problem != nil, writer.checkpointProblem == nil)
    var written: Int?
    switch writer.write(snapshot) {
    case .written(let bytes): written = bytes
    case .failed: break
    case .refused(let problem, let bytes):
      written = bytes
      events.post(.checkpointRefused(problem))
    }
    if let written { last.value.withLock { $0 = (snapshot.row, written, $0.count + 1) } }
    tell(hadProblem)
    if hadCheckpoints, let problem = writer.checkpointProblem { events.post(.withoutCheckpoint(problem)) }
  }

  private mutating func heal() {
    retryDue = nil
    let before = writer.problem
    guard writer.heal(wallTime: machine.wallTime) else {
      // The cause may be another by now, with another remedy.
      if let problem = writer.problem, problem != before { events.post(.failed(problem)) }
      return
    }
    isHealing = true
    events.post(.healed(lastRow: writer.lastRow))
  }

  private mutating func tidy() {
    let hadProblem = writer.problem != nil
    isTidy = !writer.tidy()
    tell(hadProblem)
  }

  /// Reports, once, that nothing is written from now on.
  private func tell(_ hadProblem: Bool) {
    if !hadProblem, let problem = writer.problem { events.post(.failed(problem)) }
  }
}

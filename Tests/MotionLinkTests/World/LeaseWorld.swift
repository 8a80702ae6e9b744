import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// A coordinator and several processes that claim the same assignment, each with a clock of its own that shows another
/// time and runs at another speed, and a network that loses, delays and repeats. No clock shows true time.
struct LeaseWorld {
  /// A clock that runs nearly as fast as true time.
  struct Clock {
    var offset: Duration
    var rate: Double

    /// In whole nanoseconds, as clocks show it.
    func time(at truth: Duration) -> Duration {
      .nanoseconds(Int64(clamping: (offset + truth * rate).nanosecondsSinceBoot))
    }
  }

  /// A process that claims the assignment.
  struct Process {
    let number: Int
    var clock: Clock
    var claims: TracedClaims
    var link: TracedLink?
    var life: UInt64 = 0
    /// The process is suspended until this time.
    var stoppedUntil = Duration.zero
    var mail: [Envelope] = []
    var refusals = 0

    /// Whether it would act on a message that arrives now.
    func mayAct(at truth: Duration) -> Bool {
      guard let link, let lease = link.lease else { return false }
      return link.isActing && !lease.isOver(at: clock.time(at: truth))
    }
  }

  static let timing = LinkTiming.network
  var truth = Duration.seconds(10)
  var random: SeededRandom
  var epoch: UInt64 = 1
  var clock: Clock
  var assignment = RemoteAssignment()
  var link: CoordinatorLink?
  var holder: Int?
  var lastIncarnation: UInt64 = 0
  var coordinatorStoppedUntil = Duration.zero
  var processes: [Process] = []
  var nextProcess = 0
  var frame: UInt64 = 0
  var assigned = 0
  /// The frame that was applied last, which shows that a worker serves.
  var lastApplied: UInt64 = 0
  var failures: [String] = []
  /// Writes down what the processes do.
  private let trace: LinkTrace?

  var toCoordinator: InMemoryLink<(Int, Envelope)>
  var toProcesses: InMemoryLink<(Int, Envelope)>
  /// The processes that are cut off.
  var cutOff: Set<Int> = []

  init(seed: UInt64, drift: Double, faults: InMemoryLink<(Int, Envelope)>.Faults, trace: LinkTrace? = nil) {
    random = SeededRandom(seed: seed)
    self.trace = trace
    clock = Clock(offset: .seconds(Int.random(in: 0...100_000, using: &random)), rate: 1)
    toCoordinator = InMemoryLink(faults, seed: seed &+ 1)
    toProcesses = InMemoryLink(faults, seed: seed &+ 2)
    clock.rate = 1 + Double.random(in: -drift...drift, using: &random)
    for _ in 0..<3 { startProcess(drift: drift) }
  }

  var now: Duration { clock.time(at: truth) }

  // MARK: Events

  mutating func startProcess(drift: Double) {
    let clock = Clock(
      offset: .seconds(Int.random(in: 0...100_000, using: &random)),
      rate: 1 + Double.random(in: -drift...drift, using: &random))
    let claim = Claim(
      address: Fixture.address, claimant: random.next() | 1, attempt: 1, processID: 1, host: "there")
    let number = nextProcess
    nextProcess += 1
    var process = Process(
      number: number, clock: clock,
      claims: TracedClaims(claim, timing: Self.timing, at: clock.time(at: truth), in: trace))
    let actions = process.claims.begin(at: clock.time(at: truth))
    processes.append(process)
    perform(actions, of: number)
  }

  mutating func kill(_ number: Int) { processes.removeAll { $0.number == number } }

  /// The coordinator is killed and started again; it has stored the last holder of the assignment, or only that there
  /// was one.
  mutating func restartCoordinator(knowsHolder: Bool) {
    epoch += 1
    let claimant = knowsHolder ? assignment.holder?.claimant : nil
    assignment = RemoteAssignment(lastHeldBy: claimant, until: now + Self.timing.longestLease)
    link = nil
    holder = nil
    lastIncarnation = 0
    // Connections break: connected processes detect it.
    for index in processes.indices where processes[index].link != nil && !cutOff.contains(processes[index].number) {
      let topic = LinkTopics(Fixture.address, incarnation: processes[index].life).events
      perform(processes[index].link?.unsubscribed(from: topic) ?? [], of: processes[index].number)
    }
  }

  // MARK: A moment

  mutating func pass(_ time: Duration) {
    truth += time
    if truth >= coordinatorStoppedUntil { runCoordinator() }
    while let (number, envelope) = toProcesses.receive(at: truth) {
      guard !cutOff.contains(number), let index = index(of: number) else { continue }
      processes[index].mail.append(envelope)
    }
    for number in processes.map(\.number) { run(number) }
    check()
  }

  private func index(of number: Int) -> Int? { processes.firstIndex { $0.number == number } }

  private mutating func runCoordinator() {
    let now = now
    while let (number, envelope) = toCoordinator.receive(at: truth) {
      guard !cutOff.contains(number) else { continue }
      if case .claim(let claim) = envelope.body {
        claimed(claim, sequence: envelope.sequence, by: number)
      } else {
        perform(link?.received(envelope, at: now) ?? [])
      }
    }
    perform(link?.deadline(at: now) ?? [])
    frame += 1
    if let tick = link?.tick(Fixture.frame(frame), at: now), let holder { say(tick, to: holder) }
  }

  private mutating func claimed(_ claim: Claim, sequence: UInt64, by number: Int) {
    switch assignment.claimed(claim, at: now) {
    case .late: break
    case .taken:
      say(Envelope(epoch: epoch, replyTo: sequence, .refusal(Refusal(.assignmentTaken, "taken"))), to: number)
    case .resend: say(assignmentMessage(sequence), to: number)
    case .assignment:
      lastIncarnation += 1
      link = CoordinatorLink(
        epoch: epoch, address: Fixture.address, incarnation: lastIncarnation, executors: ["Tween"], isLeased: true,
        timing: Self.timing, at: now)
      holder = number
      assigned += 1
      say(assignmentMessage(sequence), to: number)
    }
  }

  private func assignmentMessage(_ sequence: UInt64) -> Envelope {
    Envelope(
      epoch: epoch, replyTo: sequence,
      .assignment(
        Assignment(
          incarnation: lastIncarnation, lease: Self.timing.firstLease / .seconds(1), commandsPort: 1, ticksPort: 2,
          eventsPort: 3, onLost: .hold)))
  }

  private mutating func say(_ envelope: Envelope, to number: Int) { toProcesses.send((number, envelope), at: truth) }

  private mutating func perform(_ actions: [CoordinatorAction]) {
    let now = now
    for action in actions {
      switch action {
      case .send(let envelope), .publish(let envelope): if let holder { say(envelope, to: holder) }
      case .provideSnapshot:
        let snapshot = link?.provide(Fixture.snapshot(frame: frame), at: now)
        if let snapshot, let holder { say(snapshot, to: holder) }
      case .apply(let update): if !update.writes.isEmpty { lastApplied = max(lastApplied, update.frame) }
      case .fence:
        assignment.ended(heldUntil: link?.heldUntil ?? now)
        link = nil
        holder = nil
      case .provisioned, .reported, .log, .report: break
      }
    }
  }

  private mutating func run(_ number: Int) {
    guard let index = index(of: number), truth >= processes[index].stoppedUntil else { return }
    let time = processes[index].clock.time(at: truth)
    let mail = processes[index].mail
    processes[index].mail = []
    for envelope in mail {
      if processes[index].link != nil {
        perform(processes[index].link?.received(envelope, at: time) ?? [], of: number)
      } else {
        perform(processes[index].claims.received(envelope, at: time), of: number)
      }
    }
    perform(processes[index].link?.deadline(at: time) ?? [], of: number)
    perform(processes[index].claims.deadline(at: time), of: number)
  }

  private mutating func perform(_ actions: [ClaimLink.Action], of number: Int) {
    guard let index = index(of: number) else { return }
    for action in actions {
      switch action {
      case .send(let envelope): toCoordinator.send((number, envelope), at: truth)
      case .assigned(let epoch, let assignment, let lease):
        let time = processes[index].clock.time(at: truth)
        processes[index].life = assignment.incarnation
        var link = TracedLink(
          WorkerLink(
            epoch: epoch, incarnation: assignment.incarnation, hello: Fixture.hello, lease: lease, timing: Self.timing,
            at: time),
          of: LinkWorld.Life(epoch: epoch, incarnation: assignment.incarnation), leasedBy: processes[index].claims,
          at: time, in: trace)
        let actions = link.start(at: time)
        processes[index].link = link
        perform(actions, of: number)
        let topic = LinkTopics(Fixture.address, incarnation: assignment.incarnation).events
        perform(processes[index].link?.subscribed(to: topic, at: time) ?? [], of: number)
      case .wait: processes[index].refusals += 1
      case .refused(let refusal): failures.append("process \(number) was refused: \(refusal)")
      }
    }
  }

  private mutating func perform(_ actions: [WorkerAction], of number: Int) {
    for action in actions {
      guard let index = index(of: number) else { return }
      let time = processes[index].clock.time(at: truth)
      switch action {
      case .send(let envelope), .publish(let envelope): toCoordinator.send((number, envelope), at: truth)
      case .subscribe(let welcome):
        let now = now
        guard holder == number, link?.topics.commands == welcome.commandTopic else { continue }
        perform(link?.subscribed(to: welcome.commandTopic, at: now) ?? [])
        perform(link?.subscribed(to: welcome.tickTopic, at: now) ?? [])
      case .run(let frame):
        if !processes[index].mayAct(at: truth) { failures.append("process \(number) ran a frame without a lease") }
        let update = processes[index].link?.update(frame: frame.number, writes: [Fixture.write(1)], at: time)
        if let update { toCoordinator.send((number, update), at: truth) }
      case .exit:
        processes[index].link = nil
        perform(processes[index].claims.begin(at: time), of: number)
      case .provision, .apply, .inspect, .leaseLost: break
      }
    }
  }

  /// Two processes may never act at the same true time.
  private mutating func check() {
    let acting = processes.filter { $0.mayAct(at: truth) }.map(\.number)
    if acting.count > 1 { failures.append("at \(truth) the processes \(acting) may act") }
  }
}

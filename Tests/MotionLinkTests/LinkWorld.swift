import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// A coordinator, its worker, and everything between them that can go wrong, on a virtual clock.
///
/// What the coordinator wants is a list of plans; what a worker holds has to be a prefix of it at any time, and all of
/// it in the end. What happens in a worker is a list of events; what the coordinator knows of is a prefix of it at any
/// time, and all of it in the end.
struct LinkWorld {
  /// A process that runs as a worker.
  struct Worker {
    let life: Life
    var link: WorkerLink
    var held: [UInt64] = []
    var happened: [WorkerEvent] = []
    var lastFrame: UInt64 = 0
    var stoppedUntil = Duration.zero
    var exit: WorkerExit?
  }

  struct Life: Hashable {
    let epoch: UInt64
    let incarnation: UInt64
  }

  enum Direction: CaseIterable { case link, commands, ticks, subscriptionsOfWorker }

  var clock = VirtualClock()
  var random: SeededRandom
  var faults: InMemoryLink<Envelope>.Faults
  var life = Life(epoch: 1, incarnation: 1)
  var coordinator: CoordinatorLink
  var coordinatorStoppedUntil = Duration.zero
  var wanted: [UInt64] = []
  var known: [WorkerEvent] = []
  var workers: [Worker] = []
  var frame: UInt64 = 0
  var wantedAtTick: [UInt64: Int] = [:]
  var provisioned = 0
  var failures: [String] = []

  // The sockets. Each message carries the topic or the routing id it is meant for.
  var toWorkers: InMemoryLink<(Life, Envelope)>
  var commands: InMemoryLink<(Life, Envelope)>
  var ticks: InMemoryLink<(Life, Envelope)>
  var toCoordinator: InMemoryLink<Envelope>
  var events: InMemoryLink<Envelope>
  var subscriptions: InMemoryLink<String>
  var subscriptionsOfCoordinator: InMemoryLink<Life>

  init(seed: UInt64, faults: InMemoryLink<Envelope>.Faults) {
    random = SeededRandom(seed: seed)
    self.faults = faults
    toWorkers = InMemoryLink(seed: seed &+ 1)
    commands = InMemoryLink(seed: seed &+ 2)
    ticks = InMemoryLink(seed: seed &+ 3)
    toCoordinator = InMemoryLink(seed: seed &+ 4)
    events = InMemoryLink(seed: seed &+ 5)
    // What libzmq itself repeats until it is heard is late at most.
    subscriptions = InMemoryLink(.init(delay: faults.delay.lowerBound...faults.delay.upperBound), seed: seed &+ 6)
    subscriptionsOfCoordinator = InMemoryLink(
      .init(delay: faults.delay.lowerBound...faults.delay.upperBound), seed: seed &+ 7)
    coordinator = CoordinatorLink(
      epoch: 1, address: Fixture.address, incarnation: 1, executors: ["Tween"], at: .seconds(1000))
    use(faults)
    startWorker()
  }

  /// From now on the network does this to messages.
  mutating func use(_ faults: InMemoryLink<Envelope>.Faults) {
    self.faults = faults
    let pairs = InMemoryLink<(Life, Envelope)>.Faults(drop: faults.drop, repeat: faults.repeat, delay: faults.delay)
    toWorkers.faults = pairs
    commands.faults = pairs
    ticks.faults = pairs
    toCoordinator.faults = faults
    events.faults = faults
  }

  // MARK: What may happen

  /// The worker that belongs to the coordinator's link, if it runs.
  var current: Int? { workers.firstIndex { $0.life == life && $0.exit == nil } }

  mutating func want() {
    wanted.append(UInt64(wanted.count) + 1)
    let envelope = coordinator.send(Fixture.command(UInt64(wanted.count)), at: clock.now).publish
    if let envelope { commands.send((life, envelope), at: clock.now) }
  }

  mutating func runFrame() {
    frame += 1
    wantedAtTick[frame] = wanted.count
    if let tick = coordinator.tick(Fixture.frame(frame), at: clock.now) { ticks.send((life, tick), at: clock.now) }
  }

  mutating func happen() {
    guard let index = current, workers[index].link.state == .serving else { return }
    let event = Fixture.event(UInt64(workers[index].happened.count) + 1)
    workers[index].happened.append(event)
    workers[index].link.record(event)
  }

  /// The worker dies, and is started again. One that was fenced may linger: stopped, it dies when it wakes.
  mutating func restartWorker(lingers: Bool = false) {
    if !lingers, let index = current { workers.remove(at: index) }
    life = Life(epoch: life.epoch, incarnation: life.incarnation + 1)
    connect()
    startWorker()
  }

  /// The coordinator dies and is started again. The old worker lingers: nothing but the link tells it so.
  mutating func restartCoordinator() {
    life = Life(epoch: life.epoch + 1, incarnation: 1)
    connect()
    startWorker()
  }

  private mutating func connect() {
    coordinator = CoordinatorLink(
      epoch: life.epoch, address: Fixture.address, incarnation: life.incarnation, executors: ["Tween"], at: clock.now)
    known = []
  }

  private mutating func startWorker() {
    let link = WorkerLink(
      epoch: life.epoch, incarnation: life.incarnation, hello: Fixture.hello, at: clock.now)
    workers.append(Worker(life: life, link: link))
    subscriptionsOfCoordinator.send(life, at: clock.now)
    let index = workers.count - 1
    perform(workers[index].link.start(at: clock.now), of: index)
  }

  // MARK: A moment

  /// Time goes on, and whoever is not stopped hears and says what there is.
  mutating func pass(_ time: Duration) {
    clock.advance(by: time)
    if clock.now >= coordinatorStoppedUntil { runCoordinator() }
    runWorkers()
  }

  private mutating func runCoordinator() {
    let now = clock.now
    while let topic = subscriptions.receive(at: now) { perform(coordinator.subscribed(to: topic, at: now)) }
    while let envelope = toCoordinator.receive(at: now) { perform(coordinator.received(envelope, at: now)) }
    while let envelope = events.receive(at: now) { perform(coordinator.received(envelope, at: now)) }
    perform(coordinator.deadline(at: now))
  }

  private mutating func runWorkers() {
    let now = clock.now
    // A message on a topic reaches whoever subscribed to it: a worker of an earlier epoch may have the same topic.
    while let life = subscriptionsOfCoordinator.receive(at: now) {
      let topic = LinkTopics(Fixture.address, incarnation: life.incarnation).events
      for index in workers.indices { perform(workers[index].link.subscribed(to: topic, at: now), of: index) }
    }
    deliver { $0.toWorkers.receive(at: now) }
    deliver { $0.commands.receive(at: now) }
    deliver { $0.ticks.receive(at: now) }
    for index in workers.indices where now >= workers[index].stoppedUntil {
      perform(workers[index].link.deadline(at: now), of: index)
    }
    workers.removeAll { $0.exit != nil }
  }

  private mutating func deliver(_ next: (inout LinkWorld) -> (Life, Envelope)?) {
    while let (life, envelope) = next(&self) {
      for index in workers.indices where workers[index].life.incarnation == life.incarnation {
        guard workers[index].exit == nil, clock.now >= workers[index].stoppedUntil else { continue }
        perform(workers[index].link.received(envelope, at: clock.now), of: index)
      }
    }
  }

  // MARK: Effects

  private mutating func perform(_ actions: [CoordinatorAction]) {
    for action in actions {
      switch action {
      case .send(let envelope): toWorkers.send((life, envelope), at: clock.now)
      case .publish(let envelope): commands.send((life, envelope), at: clock.now)
      case .provideSnapshot:
        let executors = wanted.map {
          WorkerSnapshot.Executor(
            handle: Fixture.executor($0), key: Fixture.key, intentions: [], displaced: [], driven: [])
        }
        let snapshot = WorkerSnapshot(frame: Fixture.frame(frame), executors: executors)
        if let envelope = coordinator.provide(snapshot, at: clock.now) {
          toWorkers.send((life, envelope), at: clock.now)
        }
      case .apply(let update): apply(update)
      case .provisioned: provisioned += 1
      case .log, .reported: break
      case .report(let text): failures.append(text)
      case .fence: restartWorker(lingers: true)
      }
    }
  }

  private mutating func apply(_ update: WorkerUpdate) {
    for event in update.events {
      known.append(event.event)
      if event.event != Fixture.event(UInt64(known.count)) { failures.append("event \(known.count) is \(event)") }
    }
    for write in update.writes where write.state.value[0] != Double(update.frame) {
      failures.append("values of frame \(write.state.value[0]) came as those of \(update.frame)")
    }
    guard let worker = workers.first(where: { $0.life == life }) else { return }
    if known.count > worker.happened.count { failures.append("more is known than happened") }
  }

  private mutating func perform(_ actions: [WorkerAction], of index: Int) {
    for action in actions {
      switch action {
      case .send(let envelope): toCoordinator.send(envelope, at: clock.now)
      case .publish(let envelope): events.send(envelope, at: clock.now)
      case .subscribe(let welcome):
        subscriptions.send(welcome.commandTopic, at: clock.now)
        subscriptions.send(welcome.tickTopic, at: clock.now)
      case .provision(let snapshot):
        workers[index].held = []
        for executor in snapshot.executors { hold(UInt64(executor.handle.rawValue), in: index) }
      case .apply(.removeExecutor(let handle)):
        hold(UInt64(handle.rawValue), in: index)
      case .apply, .leaseLost, .inspect: break
      case .run(let frame): run(frame, in: index)
      case .exit(let reason): workers[index].exit = reason
      }
    }
  }

  private mutating func hold(_ number: UInt64, in index: Int) {
    workers[index].held.append(number)
    if number != workers[index].held.count { failures.append("plan \(number) came as number \(workers[index].held)") }
  }

  private mutating func run(_ frame: Frame, in index: Int) {
    if frame.number <= workers[index].lastFrame { failures.append("frame \(frame.number) was run twice") }
    workers[index].lastFrame = frame.number
    if workers[index].held.count < wantedAtTick[frame.number, default: 0] {
      failures.append("frame \(frame.number) was run before the commands it announced")
    }
    let writes = [Fixture.write(frame.number)]
    events.send(workers[index].link.update(frame: frame.number, writes: writes, at: clock.now), at: clock.now)
  }

  // MARK: The end

  /// Whether both ends know all there is to know, and nobody else acts.
  var hasConverged: Bool {
    guard let index = current, coordinator.state == .ready else { return false }
    guard workers.indices.allSatisfy({ $0 == index || !workers[$0].link.isActing }) else { return false }
    let worker = workers[index]
    return worker.link.state == .serving && worker.held == wanted && worker.happened == known
      && worker.link.unacknowledgedEvents == 0 && worker.lastFrame == frame
      && worker.link.commandsApplied == coordinator.lastCommand
      && coordinator.acknowledgedCommand == coordinator.lastCommand
  }

  /// What is not as it should be, if anything.
  var difference: String? {
    if hasConverged { return nil }
    let workers = workers.map {
      "\($0.life) \($0.link.state) holds \($0.held.count), happened \($0.happened.count), "
        + "unacknowledged \($0.link.unacknowledgedEvents), frame \($0.lastFrame)"
    }
    return "\(life) \(coordinator.state), wanted \(wanted.count), known \(known.count), frame \(frame), "
      + "acknowledged \(coordinator.acknowledgedCommand) of \(coordinator.lastCommand); "
      + workers.joined(separator: "; ")
  }
}

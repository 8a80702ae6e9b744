import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// A coordinator, its worker, and all possible faults between them, on a virtual clock.
///
/// The coordinator adds and removes plans, each identified by its number. At any time, a worker's plans have to be the
/// result of the commands up to the last one that it applied. Plans end in the worker, tokens start and end there, and
/// other events occur; the coordinator receives each of these once and in order. Violations are kept in `failures`.
struct LinkWorld {
  /// A process that runs as a worker.
  struct Worker {
    let life: Life
    var link: TracedLink
    /// The plans that it holds.
    var held: Set<UInt64> = []
    /// The plans that ended here: they must not begin again in this life.
    var ended: Set<UInt64> = []
    var happened: [WorkerEvent] = []
    var lastFrame: UInt64 = 0
    var stoppedUntil = Duration.zero
    /// The messages in its sockets while it is suspended, in the order of their arrival.
    var mail: [Envelope] = []
    var exit: WorkerExit?
  }

  /// A start of the coordinator and the start of its worker.
  struct Life: Hashable {
    let epoch: UInt64
    let incarnation: UInt64
  }

  /// A subscription, or its end, that a socket reports.
  struct Subscription {
    let topic: String
    let begins: Bool
  }

  /// Commands that may wait in a worker's socket here: few, so that some get lost.
  static let mailLimit = 200

  var clock = VirtualClock()
  var random: SeededRandom
  var life = Life(epoch: 1, incarnation: 1)
  var coordinator: CoordinatorLink
  var coordinatorStoppedUntil = Duration.zero
  var workers: [Worker] = []
  var frame: UInt64 = 0

  // The state of the coordinator, as the runtime behind it would have it.
  /// The live plans.
  var live: Set<UInt64> = []
  var lastPlan: UInt64 = 0
  /// The plans that result from the commands up to each one of this life, whether or not these have ended meanwhile.
  var owed: [Set<UInt64>] = []
  /// The events of the present life of the worker that were applied, and those that occurred in each life.
  var known: [WorkerEvent] = []
  var happened: [Life: [WorkerEvent]] = [:]
  /// The active tokens, by the events that were applied.
  var tokens = TokenSet()
  var wantedAtTick: [UInt64: UInt64] = [:]
  var provisioned = 0

  // Further invariants.
  var failures: [String] = []
  /// Updates that named a shape instead of their rows.
  var namedShapes = 0
  /// Messages of other lives that were passed to the coordinator's ends, and the number that these counted.
  var foreign: UInt64 = 0
  var countedForeign: UInt64 = 0
  var lastSequence: [String: UInt64] = [:]
  /// When each subscription that a broken connection removed returns.
  var reconnections: [(due: Duration, Life)] = []
  /// Writes down what the workers' ends do.
  private let trace: LinkTrace?

  // The sockets. Each message carries the topic or the routing id it is meant for.
  var toWorkers: InMemoryLink<(Life, Envelope)>
  var commands: InMemoryLink<(Life, Envelope)>
  var ticks: InMemoryLink<(Life, Envelope)>
  var toCoordinator: InMemoryLink<Envelope>
  var events: InMemoryLink<Envelope>
  var subscriptions: InMemoryLink<Subscription>
  var subscriptionsOfCoordinator: InMemoryLink<Subscription>

  init(seed: UInt64, faults: InMemoryLink<Envelope>.Faults, trace: LinkTrace? = nil) {
    random = SeededRandom(seed: seed)
    self.trace = trace
    toWorkers = InMemoryLink(seed: seed &+ 1)
    commands = InMemoryLink(seed: seed &+ 2)
    ticks = InMemoryLink(seed: seed &+ 3)
    toCoordinator = InMemoryLink(seed: seed &+ 4)
    events = InMemoryLink(seed: seed &+ 5)
    // Messages that libzmq itself resends until they arrive are late at most, and stay in order.
    let late = InMemoryLink<Subscription>.Faults(delay: faults.delay.upperBound...faults.delay.upperBound)
    subscriptions = InMemoryLink(late, seed: seed &+ 6)
    subscriptionsOfCoordinator = InMemoryLink(late, seed: seed &+ 7)
    coordinator = CoordinatorLink(
      epoch: 1, address: Fixture.address, incarnation: 1, executors: ["Tween"], at: .seconds(1000))
    owed = [[]]
    use(faults)
    startWorker()
  }

  /// From now on the network has these faults for messages.
  mutating func use(_ faults: InMemoryLink<Envelope>.Faults) {
    var pairs = InMemoryLink<(Life, Envelope)>.Faults(drop: faults.drop, repeat: faults.repeat, delay: faults.delay)
    pairs.limit = faults.limit
    toWorkers.faults = pairs
    commands.faults = pairs
    ticks.faults = pairs
    toCoordinator.faults = faults
    events.faults = faults
  }

  /// The worker that belongs to the coordinator's link, if it runs.
  var current: Int? { workers.firstIndex { $0.life == life && $0.exit == nil } }

  // MARK: Lives

  /// The worker dies, and is started again. A fenced one may linger: suspended, it dies when it resumes.
  mutating func restartWorker(lingers: Bool = false) {
    if !lingers, let index = current { workers.remove(at: index) }
    begin(Life(epoch: life.epoch, incarnation: life.incarnation + 1))
  }

  /// The coordinator dies and is started again. The old worker lingers: only the link notifies it.
  mutating func restartCoordinator() {
    begin(Life(epoch: life.epoch + 1, incarnation: 1))
  }

  private mutating func begin(_ life: Life) {
    self.life = life
    countedForeign += coordinator.counters.fenced
    coordinator = CoordinatorLink(
      epoch: life.epoch, address: Fixture.address, incarnation: life.incarnation, executors: ["Tween"], at: clock.now)
    known = []
    // The runtime ends the tokens of a dead worker at once.
    tokens = TokenSet()
    owed = [live]
    reconnections = []
    startWorker()
  }

  private mutating func startWorker() {
    let link = WorkerLink(
      epoch: life.epoch, incarnation: life.incarnation, hello: Fixture.hello, at: clock.now)
    workers.append(Worker(life: life, link: TracedLink(link, of: life, at: clock.now, in: trace)))
    subscriptionsOfCoordinator.send(Subscription(topic: topics(of: life).events, begins: true), at: clock.now)
    let index = workers.count - 1
    perform(workers[index].link.start(at: clock.now), of: index)
  }

  func topics(of life: Life) -> LinkTopics { LinkTopics(Fixture.address, incarnation: life.incarnation) }
}

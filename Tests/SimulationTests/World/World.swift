import Glibc
import Logging
import MotionLink
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionExecutorKit
@testable import MotionJournal

/// A coordinator with its journal, its workers, clients and a subscriber, and the environment that can fail: the
/// network, the disk, the clock and the table of processes. It uses one thread, and all events follow from the seed.
///
/// The coordinator is the real one, turn by turn; its sockets are real ones of libzmq within this process. The
/// decision logic of the workers and clients is the real one, too. `failures` collects the violated invariants.
///
/// It belongs to one thread, as do its clients, hence unchecked.
final class World: @unchecked Sendable {
  /// The peer to which a message belongs.
  enum Peer: Hashable {
    case worker(serial: UInt64)
    case client(Int)
  }

  /// A message from a peer, or to it.
  struct Delivery {
    let peer: Peer
    let content: Content
    enum Content {
      case worker(SimulatedWorker.Packet)
      case client([UInt8])
    }
  }

  /// The probability that the journal is on files.
  private static let chanceOfFiles = 0.5
  /// The probability of explorers: such a scenario takes longer, because it has three plugins.
  private static let chanceOfExplorers = 0.5
  /// The probability that the program of a plugin is faulty then.
  private static let chanceOfFlaw = 0.4
  /// The probability that clients may state every priority then; otherwise it is 1 at most.
  private static let chanceOfGrant = 0.7
  /// The probability that one of the explorers disconnects then.
  private static let chanceOfLeaving = 0.4
  /// The probability that all clients are explorers then, so that they may stop everything.
  private static let chanceOfExplorersAlone = 0.5

  /// The probability that a history is kept.
  private static let chanceOfHistory = 0.5

  let seed: UInt64
  let machine = SimulatedMachine()
  let storage: any Storage
  var random: SeededRandom
  private let folder: TemporaryFolder
  let settings: CoordinatorSettings
  /// The highest priority that clients may state.
  let granted: Int32

  var coordinator: Coordinator?
  /// The number of starts of the coordinator. Each peer belongs to one of them.
  var starts = 0
  var coordinatorStoppedUntil = Duration.zero
  /// Since when the coordinator has been running and its disk has worked without delay; in the future while that is
  /// not so.
  var unhinderedSince = Duration.zero
  /// Whether a plugin, or a plan on which workers have died, was quarantined: its plans are lost for good.
  var hasGivenUp = false
  /// Whether an accepted transaction, and its sequence, may have been lost before it was acknowledged, or refused.
  var mayHaveGaps = false
  /// The due time of the earliest waiting transaction.
  var nextDue: Double?
  /// Whether the fault period lasts.
  var hasTrouble = true
  /// When the next coordinator is started, if none runs.
  var restart: Duration?

  var workers: [SimulatedWorker] = []
  /// The plugin whose program is faulty, and the event on which it crashes.
  let flaw: (plugin: PluginName, flaw: SimulatedWorker.Flaw)?
  /// The workers that have died, each with the start of the coordinator.
  var deaths: [(plugin: PluginName, start: Int)] = []
  private var lastProcess: Int32 = 1000
  private var lastSerial: UInt64 = 0
  /// When the requested processes start.
  var spawning: [UInt64: Duration] = [:]
  /// Until when no process can be started.
  var noProcessesUntil = Duration.zero
  /// Clients whose transactions are recognizable.
  let clients: [SimulatedClient]
  /// Clients that send every request of the protocol.
  let explorers: [Explorer]
  /// All clients, by their numbers.
  let everybody: [ConversingClient]
  /// The plans that were reported to have ended.
  var ended: Set<IntentionIdentity> = []
  /// The state of the last coordinator when it ended.
  var lastWords: LastWords?
  /// The checkpoint in the journal at the last start.
  var openingCheckpoint: [UInt8]?
  /// Its last frame, if the next one continues from there.
  var lastFrame: LastFrame?
  /// Whether the coordinator was asked to stop and has not ended.
  var isEnding = false
  /// The start whose coordinator had a journal problem after the last turn.
  var journalProblem: Int?
  /// When it was asked to stop: motion after this time is not stored.
  var askedToEnd: Duration?
  /// The items that were produced, except for those of clients and workers.
  var census = Census()
  let notes = ObservedJournal.Notes()
  var follower: Follower?

  var toCoordinator: InMemoryLink<Delivery>
  var toPeers: InMemoryLink<Delivery>
  /// Messages that libzmq itself resends until they arrive: late, and never lost.
  var subscriptions: InMemoryLink<Delivery>

  var failures: [String] = []
  /// A hash of all events: the same for the same seed.
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  var observer = Observer()
  let states = StateCheck()
  /// Whether an event other than a message waits for the coordinator.
  var hasNews = false
  /// The number of turns of the coordinator.
  private(set) var turns = 0
  /// The injected faults and the coordinator's log, as text.
  let diary: Diary
  let log: any LogHandler

  /// - Parameters:
  ///   - plugins: the folder of plugins.
  ///   - keepsLog: whether the diary contains the coordinator's log.
  init(seed: UInt64, plugins: String, keepsLog: Bool = false) throws {
    self.seed = seed
    diary = Diary(of: machine)
    log = keepsLog ? DiaryLog(diary: diary) : SwiftLogNoOpLogHandler()
    random = SeededRandom(seed: seed)
    folder = try TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    // A trap loses all output and leaves the folder, so this file identifies the scenarios that ran.
    try folder.write("\(seed)\n", to: "MOTION_SCENARIO")
    // A separate random sequence, so that scenarios without explorers are the same as before there were explorers.
    var cast = SeededRandom(seed: seed &+ 5)
    let explorerCount = cast.chance(Self.chanceOfExplorers) ? Int.random(in: 1...2, using: &cast) : 0
    let isForExplorers = explorerCount > 0 && cast.chance(Self.chanceOfExplorersAlone)
    let seedOfClients = random.next()
    let clientCount = Int.random(in: 1...3, using: &random)
    let clients = try (0..<(isForExplorers ? 0 : explorerCount > 0 ? 1 : clientCount)).map {
      try SimulatedClient($0, seed: seedOfClients &+ UInt64($0))
    }
    let targetCount = Int.random(in: 1...3, using: &cast)
    let explorers = try (0..<explorerCount).map {
      try Explorer(
        clients.count + $0, seed: cast.next(), targets: targetCount, plugins: PluginFolder.names,
        isAlone: isForExplorers)
    }
    (self.clients, self.explorers, everybody) = (clients, explorers, clients + explorers)
    flaw =
      explorerCount > 0 && cast.chance(Self.chanceOfFlaw)
      ? (cast.chance(0.5) ? "tween" : "gesture", SimulatedWorker.Flaw(&cast)) : nil
    if cast.chance(Self.chanceOfLeaving), let explorer = explorers.last {
      explorer.leaves = machine.now + .milliseconds(Int.random(in: 300...2500, using: &cast))
    }
    granted = explorerCount > 0 && cast.chance(Self.chanceOfGrant) ? Limits.priority.upperBound : 1
    toCoordinator = InMemoryLink(seed: seed &+ 1)
    toPeers = InMemoryLink(seed: seed &+ 2)
    subscriptions = InMemoryLink(seed: seed &+ 3)
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state", pluginPaths: [plugins])
    settings.machine = machine
    settings.priorities = try PriorityGrants("users=\(granted)", own: 0)
    settings.socketKind = .process
    settings.comparesCheckpoints = true
    // Without it, a start goes back to the last checkpoint.
    var past = SeededRandom(seed: seed &+ 6)
    if past.chance(Self.chanceOfHistory) {
      settings.history?.framesBetweenSnapshots = Int.random(in: 2...40, using: &past)
      if past.chance(0.5) { settings.history?.operationsInRing = Int.random(in: 0...3, using: &past) }
    } else {
      settings.history = nil
    }
    settings.ratePerSecond = [10, 10, 20, 60][Int.random(in: 0..<4, using: &random)]
    storage =
      random.chance(Self.chanceOfFiles)
      ? FileStorage(below: "\(folder.path)/state/journal", seed: seed &+ 4) : RowStorage(seed: seed &+ 4)
    settings.workerLinger = .milliseconds(Int.random(in: 200...60_000, using: &random))
    settings.journalOpener = { [storage, notes] () throws(JournalError) in
      ObservedJournal(try storage.open(), notes)
    }
    self.settings = settings
  }

  /// The bodies of threads refer to the machine, which owns the threads. This breaks the cycle.
  deinit { machine.crash() }

  // MARK: The coordinator

  /// Runs `body` on the coordinator, as its thread would.
  func inside<Result>(_ body: @Sendable (isolated Coordinator) throws -> Result) rethrows -> Result? {
    guard let coordinator else { return nil }
    coordinator.executor.adopt()
    return try coordinator.assumeIsolated { Unchecked(value: try body($0)) }.value
  }

  /// A result from the coordinator: unchecked, because it never leaves the one thread of the simulation.
  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
  }

  /// A turn of the coordinator, in which it receives messages of one peer, and the checks of all invariants after it.
  func turn(hearing sender: PeerName?) throws {
    machine.sender = sender
    turns += 1
    inside {
      $0.turn()
      // The next turn would begin with this.
      $0.armTimers()
      observer.note($0.runtime, at: machine.now)
    }
    machine.sender = nil
    try collect()
    check()
    notePaths()
    checkCodecs()
    // While the clock is paused, a commit waits for its frame, and no checkpoint is taken.
    if !explorers.isEmpty, inside({ $0.clock.stands }) ?? false { hinder(until: machine.now + .seconds(2)) }
    try finishEnding()
  }

  private func collect() throws {
    for worker in workers where worker.start == starts {
      for packet in try worker.collect() {
        toPeers.send(Delivery(peer: .worker(serial: worker.serial), content: .worker(packet)), at: machine.now)
      }
    }
    for client in everybody {
      for answer in try client.collect() {
        toPeers.send(Delivery(peer: .client(client.number), content: .client(answer)), at: machine.now)
      }
    }
    if let problem = try follower?.follow() { failures.append(problem) }
    if let plans = follower?.takeEnded() { ended.formUnion(plans) }
  }

  // MARK: Processes

  /// Starts the requested processes that are due.
  func spawn() throws {
    for entry in machine.table.entries where entry.processID == nil {
      guard let due = spawning[entry.number] else {
        spawning[entry.number] = machine.now + .milliseconds(Int.random(in: 1...80, using: &random))
        continue
      }
      guard machine.now >= due else { continue }
      spawning[entry.number] = nil
      guard machine.now >= noProcessesUntil, let context = inside({ $0.sockets.context }) else {
        machine.table.refused(entry, because: "there are no more processes")
        hasNews = true
        continue
      }
      lastProcess += 1
      lastSerial += 1
      machine.table.spawned(entry, as: lastProcess)
      hasNews = true
      let worker = try SimulatedWorker(entry, processID: lastProcess, serial: lastSerial, on: machine, context)
      worker.start = starts
      if let flaw, flaw.plugin == worker.address.plugin { worker.flaw = flaw.flaw }
      workers.append(worker)
    }
  }

  /// Ends the workers that were asked to end or that die, and removes them.
  func bury() throws {
    for worker in workers {
      if worker.entry.signal == SIGKILL, worker.dies == nil {
        census.note(.workerHung, if: !worker.isVictim && worker.stoppedUntil > machine.now)
      }
      if worker.entry.signal == SIGKILL { worker.dies = (machine.now, .signalled(SIGKILL)) }
      if worker.entry.signal == SIGTERM, worker.dies == nil, machine.now >= worker.stoppedUntil {
        worker.dies = (machine.now + .milliseconds(Int.random(in: 0...40, using: &random)), .exited(0))
      }
      if let exit = worker.conduct.exit, worker.dies == nil {
        worker.dies = (machine.now, .exited(WorkerEnd.told(exit).exitCode))
      }
      guard let (due, how) = worker.dies, machine.now >= due else { continue }
      worker.isGone = true
      census.add(worker.census)
      census.note(.workerDiedWithToken, if: how != .exited(0) && !worker.session.tokens.isEmpty)
      // A worker that ends as asked is not a loss.
      if how != .exited(0) { deaths.append((worker.address.plugin, worker.start)) }
      machine.table.ended(worker.entry, how)
      guard worker.start == starts, coordinator != nil else { continue }
      // Its connections close; the kernel reports its death in the same turn.
      try worker.hangUp()
      hasNews = true
    }
    workers.removeAll(where: \.isGone)
  }

  /// When the next process starts or ends.
  var nextProcess: Duration? {
    let births = spawning.values.min()
    let deaths = workers.lazy.compactMap { $0.dies?.at }.min()
    return [births, deaths].compactMap { $0 }.min()
  }

  /// Adds an event to the hash.
  func mix(_ word: UInt64) { digest = (digest ^ word) &* 0x0000_0100_0000_01b3 }
}

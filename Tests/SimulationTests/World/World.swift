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

/// A coordinator with its journal, its workers, clients and a subscriber, and everything around them that can go wrong: the
/// network, the disk, the clock and the table of processes. One thread, and all that happens follows from the seed.
///
/// The coordinator is the real one, turn by turn; its sockets are real ones of libzmq within this process. The workers' and the
/// clients' decisions are the real ones, too. What does not hold is kept in `failures`.
///
/// It belongs to one thread, as do its clients, hence unchecked.
final class World: @unchecked Sendable {
  /// Which end of a connection a message belongs to.
  enum Peer: Hashable {
    case worker(serial: UInt64)
    case client(Int)
  }

  /// A message of a peer, or for it.
  struct Delivery {
    let peer: Peer
    let content: Content
    enum Content {
      case worker(SimulatedWorker.Packet)
      case client([UInt8])
    }
  }

  /// How often the journal lies on files.
  private static let chanceOfFiles = 0.5
  /// How often there are explorers: these scenarios take longer, for they have three plugins.
  private static let chanceOfExplorers = 0.35
  /// How often one of a plugin's programs has a flaw then.
  private static let chanceOfFlaw = 0.4
  /// How often one of the explorers leaves then.
  private static let chanceOfLeaving = 0.4
  /// How often there is then nobody else, so that everything may be stopped.
  private static let chanceOfExplorersAlone = 0.5

  let seed: UInt64
  let machine = SimulatedMachine()
  let storage: any Storage
  var random: SeededRandom
  private let folder: TemporaryFolder
  let settings: CoordinatorSettings

  var coordinator: Coordinator?
  /// Which start of the coordinator this is, from 1; its peers belong to one of them.
  var starts = 0
  var coordinatorStoppedUntil = Duration.zero
  /// Since when it has been running, and its disk has done what it is asked to without delay; later than now while not.
  var unhinderedSince = Duration.zero
  /// Whether a plugin, or a plan on which workers have died, was given up: what that was is gone for good.
  var hasGivenUp = false
  /// Whether something that was accepted may have got lost before it was acknowledged, or been refused, with its sequence.
  var mayHaveGaps = false
  /// The time that the earliest waiting transaction waits for.
  var nextDue: Double?
  /// Whether there is still trouble.
  var hasTrouble = true
  /// When the next coordinator is started, if none runs.
  var restart: Duration?

  var workers: [SimulatedWorker] = []
  /// A plugin whose program crashes, and on what.
  let flaw: (plugin: PluginName, flaw: SimulatedWorker.Flaw)?
  /// The workers that have died, in which start of the coordinator.
  var deaths: [(plugin: PluginName, start: Int)] = []
  private var lastProcess: Int32 = 1000
  private var lastSerial: UInt64 = 0
  /// When processes that were asked for run.
  var spawning: [UInt64: Duration] = [:]
  /// Until when no process can be started.
  var noProcessesUntil = Duration.zero
  /// Clients whose transactions tell of themselves.
  let clients: [SimulatedClient]
  /// Clients that ask for everything there is.
  let explorers: [Explorer]
  /// All clients, by their numbers.
  let everybody: [ConversingClient]
  /// The plans that were reported to have ended.
  var ended: Set<IntentionIdentity> = []
  /// What the last coordinator held when it was gone.
  var lastWords: LastWords?
  /// Whether the coordinator was asked to end, and does.
  var isEnding = false
  /// The start whose coordinator had a journal that failed, after the last turn.
  var journalProblem: Int?
  /// When it was asked to end: what moves after that moment is not kept.
  var askedToEnd: Duration?
  /// What has been produced, besides what clients and workers have sent.
  var census = Census()
  let notes = ObservedJournal.Notes()
  var follower: Follower?

  var toCoordinator: InMemoryLink<Delivery>
  var toPeers: InMemoryLink<Delivery>
  /// What libzmq itself repeats until it is heard: late, and never lost.
  var subscriptions: InMemoryLink<Delivery>

  var failures: [String] = []
  /// What has happened, as one number: the same for the same seed.
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  var observer = Observer()
  /// Whether something has happened that the coordinator is to hear, besides messages.
  var hasNews = false
  /// How many turns the coordinator has had.
  private(set) var turns = 0
  /// What was done to them, and what the coordinator said, in words.
  let diary: Diary
  let log: any LogHandler

  /// - Parameters:
  ///   - plugins: the folder of plugins.
  ///   - keepsLog: whether the diary has what the coordinator says.
  init(seed: UInt64, plugins: String, keepsLog: Bool = false) throws {
    self.seed = seed
    diary = Diary(of: machine)
    log = keepsLog ? DiaryLog(diary: diary) : SwiftLogNoOpLogHandler()
    random = SeededRandom(seed: seed)
    folder = try TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    // A trap takes every word with it, and leaves the folder: so it is known which scenarios ran then.
    try folder.write("\(seed)\n", to: "MOTION_SCENARIO")
    // From numbers of their own, so that a scenario without explorers is as it was before there were any.
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
    toCoordinator = InMemoryLink(seed: seed &+ 1)
    toPeers = InMemoryLink(seed: seed &+ 2)
    subscriptions = InMemoryLink(seed: seed &+ 3)
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state", pluginPaths: [plugins])
    settings.machine = machine
    settings.socketKind = .process
    settings.comparesCheckpoints = true
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

  /// What runs on a thread knows the machine, which has the thread: nobody else would let go of them.
  deinit { machine.crash() }

  // MARK: The coordinator

  /// Does something on the coordinator, as its thread would.
  func inside<Result>(_ body: @Sendable (isolated Coordinator) throws -> Result) rethrows -> Result? {
    guard let coordinator else { return nil }
    coordinator.executor.adopt()
    return try coordinator.assumeIsolated { Unchecked(value: try body($0)) }.value
  }

  /// What comes back from the coordinator: unchecked, because it never leaves the one thread of the simulation.
  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
  }

  /// A turn of the coordinator, in which it hears one peer, and what follows from it, of which everything has to hold.
  func turn(hearing sender: PeerName?) throws {
    machine.sender = sender
    turns += 1
    inside {
      $0.turn()
      // As its next turn would begin.
      $0.armTimers()
      observer.note($0.runtime, at: machine.now)
    }
    machine.sender = nil
    try collect()
    check()
    notePaths()
    checkCodecs()
    // While time stands, a commit waits for its frame, and no checkpoint is taken.
    if !explorers.isEmpty, inside({ $0.clock.isPaused }) ?? false { hinder(until: machine.now + .seconds(2)) }
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

  /// Starts what was asked for, when it is time.
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

  /// Lets those end that were told to, and takes away what is left of them.
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
      // Who was asked to finish, and does, is no loss.
      if how != .exited(0) { deaths.append((worker.address.plugin, worker.start)) }
      machine.table.ended(worker.entry, how)
      guard worker.start == starts, coordinator != nil else { continue }
      // Its connections end; the kernel tells of its death in the same turn.
      try worker.hangUp()
      hasNews = true
    }
    workers.removeAll(where: \.isGone)
  }

  /// When the next process begins or ends.
  var nextProcess: Duration? {
    let births = spawning.values.min()
    let deaths = workers.lazy.compactMap { $0.dies?.at }.min()
    return [births, deaths].compactMap { $0 }.min()
  }

  /// Adds something to what has happened.
  func mix(_ word: UInt64) { digest = (digest ^ word) &* 0x0000_0100_0000_01b3 }
}

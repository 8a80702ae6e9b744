import Glibc
import MotionModel
import MotionTestKit

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionJournal

/// Events during the fault period.
extension World {
  /// The kinds of faults.
  enum Happening: CaseIterable {
    case killCoordinator
    case endCoordinator
    case stopCoordinator
    case killWorker
    case crashWorker
    case stopWorker
    case badNetwork
    case goodNetwork
    case fillDisk
    case breakDisk
    case breakOneWrite
    case healDisk
    case stallDisk
    case noProcesses
    case jumpClock
    case nothing
  }

  /// The relative frequency of each.
  private static let weights: [(Happening, Int)] = [
    (.killCoordinator, 6), (.stopCoordinator, 3), (.killWorker, 8), (.crashWorker, 2), (.stopWorker, 6),
    (.badNetwork, 6),
    (.goodNetwork, 5), (.fillDisk, 2), (.breakDisk, 2), (.breakOneWrite, 4), (.healDisk, 6), (.stallDisk, 3),
    (.noProcesses, 2), (.jumpClock, 1), (.nothing, 8),
  ]

  /// The relative frequency of an orderly stop, in scenarios with explorers.
  private static let weightOfEnd = 5

  /// Injects one random fault.
  func happen() throws {
    let weights = Self.weights + (explorers.isEmpty ? [] : [(.endCoordinator, Self.weightOfEnd)])
    var left = Int.random(in: 0..<weights.reduce(0) { $0 + $1.1 }, using: &random)
    let happening =
      weights.first {
        left -= $0.1; return left < 0
      }?.0 ?? .nothing
    diary.add("\(happening)")
    try happen(happening)
  }

  /// How long a disk may delay the coordinator's checkpoints after it has failed or was repaired.
  private static let hindrance = Duration.seconds(4)

  private func happen(_ happening: Happening) throws {
    let now = machine.now
    switch happening {
    case .fillDisk, .breakDisk, .breakOneWrite, .healDisk, .stallDisk: hinder(until: now + Self.hindrance)
    default: break
    }
    if [.fillDisk, .breakDisk, .breakOneWrite].contains(happening) { mayHaveGaps = true }
    switch happening {
    case .killCoordinator: try killCoordinator()
    case .endCoordinator: endCoordinator()
    case .stopCoordinator: coordinatorStoppedUntil = now + milliseconds(50...4000)
    case .killWorker:
      if let victim { (victim.entry.signal, victim.isVictim) = (SIGKILL, true) }
    case .crashWorker: if let victim { victim.dies = (now, .signalled(SIGSEGV)) }
    case .stopWorker: victim?.stoppedUntil = now + milliseconds(20...5000)
    case .badNetwork: spoilNetwork()
    case .goodNetwork: calmNetwork()
    case .fillDisk: storage.failAlways(with: random.chance(0.5) ? .full : .readOnly)
    case .breakDisk: storage.failAlways(with: .broken(durable: Int.random(in: 0...2, using: &random)))
    case .breakOneWrite: storage.failOnce()
    case .healDisk: storage.failAlways(with: nil)
    case .stallDisk: for thread in machine.threads { thread.stalledUntil = now + milliseconds(50...2000) }
    case .noProcesses: noProcessesUntil = now + milliseconds(50...1500)
    case .jumpClock: machine.wallOffset += Int64.random(in: -4_000_000_000_000...4_000_000_000_000, using: &random)
    case .nothing: break
    }
  }

  private var victim: SimulatedWorker? { workers.filter { $0.start == starts }.randomElement(using: &random) }

  private func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }

  /// A power loss or a kill: of the current write, a part may be stored without an acknowledgement.
  private func killCoordinator() throws {
    guard coordinator != nil else { return }
    if random.chance(0.4) {
      storage.dieSoon()
      for thread in machine.threads { thread.turn() }
    }
    try crash(losesPower: random.chance(0.4))
    restart = machine.now + milliseconds(5...1500)
  }

  /// Kills the coordinator at moments that chance seldom reaches: in the middle of a step, before a checkpoint
  /// contains a withdrawal or a transaction that became due, while a hold slows time down, and while properties brake,
  /// motion is held or there is no target in the newest checkpoint.
  func killAtRareMoments() throws {
    guard !explorers.isEmpty, hasTrouble,
      let (isStepping, due, time) = inside({
        ($0.frames.stepping != nil, $0.runtime.queue.waiting.earliest, $0.runtime.frame.time)
      })
    else { return }
    if let last = nextDue, last <= time, due != last { notes.hasDue = true }
    nextDue = due
    let kept = inside { coordinator -> (braking: Bool, rare: Bool) in
      guard coordinator.commits.journal?.status(at: machine.now).rowsSinceCheckpoint == 0 else { return (false, false) }
      let isEmpty = coordinator.runtime.plans.targets.count == 0 && coordinator.runtime.frame.number > 0
      return (
        !coordinator.runtime.movement.properties.governors.ramps.isEmpty, coordinator.clock.isHeldStill || isEmpty
      )
    }
    let isBraking = kept?.braking ?? false
    let isSlowing = inside { $0.clock.hold != nil && !$0.clock.stands } ?? false
    let isRare = isSlowing || notes.hasRowAfterDue || kept?.rare ?? false
    // Fewer scenarios have these.
    let isRarest = isStepping && random.chance(0.2) || notes.hasWithdrawal && random.chance(0.6)
    if isBraking || isRarest || isRare && random.chance(Self.chanceAtRareMoments) {
      diary.add("killCoordinator, at a rare moment")
      try killCoordinator()
    }
  }

  /// Such moments last for some turns.
  private static let chanceAtRareMoments = 0.07

  /// Asks the coordinator to stop: it stops its workers and then ends.
  private func endCoordinator() {
    guard coordinator != nil, !isEnding else { return }
    isEnding = true
    askedToEnd = machine.now
    inside { $0.beginStopping() }
    hasNews = true
  }

  private func spoilNetwork() {
    let most = [5, 40, 250][Int.random(in: 0..<3, using: &random)]
    let faults = (
      drop: random.chance(0.4) ? 0 : Double.random(in: 0...0.4, using: &random),
      repeat: Double.random(in: 0...0.2, using: &random), delay: Duration.zero ... .milliseconds(most)
    )
    toCoordinator.faults = .init(drop: faults.drop, repeat: faults.repeat, delay: faults.delay)
    toPeers.faults = .init(drop: faults.drop, repeat: faults.repeat, delay: faults.delay)
    subscriptions.faults = .init(delay: faults.delay.upperBound...faults.delay.upperBound)
    toCoordinator.isCut = random.chance(0.1)
    toPeers.isCut = random.chance(0.1)
  }

  private func calmNetwork() {
    for link in [\World.toCoordinator, \World.toPeers, \World.subscriptions] {
      self[keyPath: link].faults = .none
      self[keyPath: link].isCut = false
    }
  }

  /// Ends all faults; clients start no new requests.
  func calm() throws {
    hasTrouble = false
    calmNetwork()
    storage.failAlways(with: nil)
    // A coordinator that was suspended until now took no checkpoint.
    if coordinatorStoppedUntil > machine.now { hinder() }
    coordinatorStoppedUntil = .zero
    noProcessesUntil = .zero
    // Some workers hang for ever and must be replaced.
    for worker in workers where worker.stoppedUntil > machine.now {
      worker.stoppedUntil = random.chance(0.3) ? .seconds(1_000_000) : .zero
    }
    for thread in machine.threads { thread.stalledUntil = .zero }
    for client in clients { client.isBusy = false }
    for explorer in explorers { explorer.finish() }
    if isEnding { try crash(losesPower: false) }
    if coordinator == nil { try start() }
  }
}

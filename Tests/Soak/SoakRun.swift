import FaultyNetwork
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

/// The run itself: threads that commit and observe, and on the main thread faults, samples and audits.
final class SoakRun {
  /// Committers: two directly, one behind the bad network.
  static let committers = 3
  /// Observers: one beside motiond, one behind the bad network, as if on another machine.
  static let observers = 2

  let stage: SoakStage
  let seconds: Double
  let ledger = Ledger()
  private let heard = Heard()
  private var saboteur: Saboteur
  private var sampler = Sampler()
  private let client: MotionClient
  private let sink: DatagramSink
  private(set) var samples: [Sample] = []
  /// The injected faults, and their times, in seconds.
  private(set) var faults: [(time: Double, kind: Sabotage)] = []

  init(_ stage: SoakStage, seconds: Double, random: SeededRandom) throws {
    var random = random
    (self.stage, self.seconds) = (stage, seconds)
    client = try stage.connect()
    client.timeout = .seconds(30)
    sink = try DatagramSink()
    saboteur = Saboteur(stage, ledger, random: SeededRandom(seed: random.next()))
    try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "pendulum")
    // It begins at its present value: otherwise, an observer that subscribes before its worker serves would see it set
    // to its beginning.
    try client.add(
      .tween("opacity", from: 1, to: 0, duration: .milliseconds(500), repetition: .forever, autoreverses: true),
      to: "lamp")
    // A worker that serves as long as motiond lives: the other one is killed all the time.
    try client.add(.sendOSC(PropertyReference("pendulum", "position"), port: sink.port), to: "wire")
    let seed = random.next()
    for number in 0..<Self.committers {
      let paths = stage.paths(isFar: number == 2)
      start("committer-\(number)") { [ledger] in
        var committer = Committer(number, paths, ledger, seed: seed)
        committer.run()
      }
    }
    let near = stage.paths(isFar: false)
    let far = try stage.far
    let moving: [Interest] = [.motion(.target("pendulum")), .motion(.target("lamp"))]
    start("observer-near") { [ledger] in
      var observer = Observer("the observer beside", ledger, isBeside: true)
      observer.run({ try MotionClient(connectingTo: [near], name: "near") }, to: moving)
    }
    start("observer-far") { [ledger, heard] in
      var observer = Observer("the observer afar", ledger, isBeside: false, heard: heard)
      observer.run({ try MotionClient(connectingTo: far, name: "far") }, to: [.motion(.everything)])
    }
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }

  /// Runs until the time is over, then repairs everything and compares for the last time.
  func play() throws {
    let begin = BootClock.now
    func time() -> Double { (BootClock.now - begin) / .seconds(1) }
    var (nextFault, nextSample, nextAudit) = (1.0, 0.0, 20.0)
    while time() < seconds {
      saboteur.mend()
      if time() >= nextSample {
        samples.append(sampler.sample(time(), stage, ledger, client))
        nextSample = max(nextSample + 1, time())
      }
      if time() >= nextFault {
        // In the second half the process stays the same, to be measured.
        let kind = saboteur.next(sparesDaemon: time() > seconds / 2)
        faults.append((time(), kind))
        do {
          try saboteur.perform(kind, client)
        } catch let error as MotionClientError where error.code == .timeout || error.refusal != nil {
          // An earlier fault may prevent a further one.
          tell("\(kind.rawValue): \(error)")
        }
        if kind.endsDaemon {
          try audit(isOfStart: true)
          nextAudit = time() + 20
        }
        nextFault = time() + saboteur.pause() / .seconds(1)
      }
      if time() >= nextAudit {
        try audit()
        nextAudit = time() + 20
        tell(progress(time()))
      }
      usleep(20_000)
    }
    // From here on no client commits: a later acknowledgement would not be compared.
    try compare()
    ledger.end()
    try wait("the end of all threads", 90) { ledger.endedCount == Self.committers + Self.observers }
    stage.signal(SIGTERM)
  }

  private func audit(isOfStart: Bool = false) throws {
    defer { ledger.isPaused = false }
    try compare(isOfStart: isOfStart)
  }

  /// Lets everything be repaired and all threads rest, and compares the present plans with the acknowledged and
  /// received ones.
  private func compare(isOfStart: Bool = false) throws {
    saboteur.mend(all: true)
    stage.near.set { _ in }
    stage.wide.set { _ in }
    ledger.isPaused = true
    try wait("all committers to rest", 90) { ledger.restingCount >= Self.committers - ledger.endedCount }
    try giveBack()
    let plans = try client.intentions().filter { $0.intention.type == "AnchoredSpring" }
    let there = Dictionary(plans.map { ($0.target.text, $0.identity.sequence) }) { first, _ in first }
    var wrong: [String] = []
    ledger.change { wrong = $0.audit(there, isOfStart: isOfStart) }
    for text in wrong.prefix(10) { ledger.problem(text) }
    if wrong.count > 10 { ledger.problem("and \(wrong.count - 10) more like these") }
    if plans.count != there.count { ledger.problem("\(plans.count) plans of \(there.count) targets: one is twice") }
    var truth: [PropertyReference: Lanes] = [:]
    do {
      // A connection that garbage has stopped in its handshake is given up after 30 s, by libzmq.
      try wait("what is heard to be what is so", 45) {
        let rows = try client.properties().filter { $0.reference.target.text.hasPrefix("keep-") }
        truth = Dictionary(rows.map { ($0.reference, $0.state.value) }) { first, _ in first }
        return heard.committed == truth
      }
    } catch {
      let heard = heard.committed
      let wrong = truth.keys.filter { heard[$0] != truth[$0] }.count + heard.keys.filter { truth[$0] == nil }.count
      ledger.problem("\(wrong) of \(truth.count) values that are heard are not so")
    }
  }

  /// A plugin that was given up because of injected deaths is restarted, as an administrator would do.
  private func giveBack() throws {
    let isGivenUp = try client.plugins().contains { $0.workers.contains { $0.state == .quarantined } }
    if isGivenUp { try client.restart("tween") }
    // No client commits meanwhile, so a worker that is not needed any more stays stopped until one does.
    try wait("the worker to serve, or to be free", 30) {
      let workers = try client.plugins().first { $0.name == "tween" }?.workers ?? []
      return workers.allSatisfy { $0.state == .ready || $0.state == .stopped }
    }
  }

  private func wait(_ what: String, _ seconds: Double, _ isTrue: () throws -> Bool) throws {
    let limit = BootClock.now + .seconds(seconds)
    while try !isTrue() {
      guard BootClock.now < limit else { throw SoakProblem("waited \(seconds) s for \(what)") }
      usleep(20_000)
    }
  }

  private func progress(_ time: Double) -> String {
    let now = ledger.now
    let memory = samples.last?.values[.memory].map { String(format: "%.0f MiB", $0) } ?? ""
    return String(
      format: "%5.0f s: %d faults, %d receipts, %d refused for the disk, %d frames heard, %@, %d problems", time,
      faults.count, now.receipts, now.refusals, now.frames, memory, now.problems.count)
  }
}

extension MotionClient {
  fileprivate func add(_ intention: Intention, to target: TargetName) throws {
    var transaction = Transaction()
    transaction.add(intention, to: target)
    try commit(transaction)
  }
}

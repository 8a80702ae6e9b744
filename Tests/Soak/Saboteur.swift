import FaultyNetwork
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

/// The faults that are injected into motiond.
enum Sabotage: String, CaseIterable, Sendable {
  case killWorker = "a worker is killed"
  case freezeWorker = "a worker is stopped for good"
  case stallWorker = "a worker stands still for 300 ms"
  case killDaemon = "motiond is killed"
  case endDaemon = "motiond is ended by TERM"
  case stallDaemon = "motiond stands still for a second"
  case cut = "all connections from afar are cut"
  case halfClose = "connections are half-closed"
  case garbage = "garbage in connections"
  case slow = "a network slow by up to 50 ms, for 3 s"
  case silence = "one direction is silent for 2 s"
  case fullDisk = "the disk is full for 2 s"
  case shortFiles = "files may not grow for 2 s"
  case messages = "a flood of messages that are none"
  case connections = "a flood of connections"
  case lazy = "a subscriber that does not read for 3 s"
  case restartPlugin = "a plugin is restarted"
  case reload = "HUP"
  case batch = "a transaction of 2,000 plans, and their removal"

  /// Its frequency, relative to the others.
  var weight: Int {
    switch self {
    case .killWorker, .cut: 4
    case .stallWorker, .killDaemon: 3
    case .freezeWorker, .endDaemon: 1
    default: 2
    }
  }

  /// Whether it ends motiond's process.
  var endsDaemon: Bool { self == .killDaemon || self == .endDaemon }
}

/// Injects one fault after the other, and repairs those that do not recover by themselves. For the main thread.
struct Saboteur {
  private let stage: SoakStage
  private let ledger: Ledger
  private var random: SeededRandom
  /// The pending repairs, and their times.
  private var pending: [(due: Duration, undo: () -> Void)] = []
  private(set) var done: [Sabotage: Int] = [:]

  init(_ stage: SoakStage, _ ledger: Ledger, random: SeededRandom) {
    (self.stage, self.ledger, self.random) = (stage, ledger, random)
  }

  /// The time until the next one.
  mutating func pause() -> Duration { .milliseconds(Int.random(in: 1500...5000, using: &random)) }

  /// The next fault.
  ///
  /// - Parameter sparesDaemon: whether motiond's process has to stay alive.
  mutating func next(sparesDaemon: Bool) -> Sabotage {
    let possible = Sabotage.allCases.filter { kind in
      !(sparesDaemon && kind.endsDaemon) && (kind != .fullDisk || stage.hasSmallDisk)
    }
    let lots = possible.flatMap { Array(repeating: $0, count: $0.weight) }
    return lots.randomElement(using: &random) ?? .cut
  }

  /// Performs the repairs that are due.
  mutating func mend(all: Bool = false) {
    let now = BootClock.now
    let due = pending.filter { all || $0.due <= now }
    pending.removeAll { all || $0.due <= now }
    for entry in due { entry.undo() }
  }

  mutating func perform(_ sabotage: Sabotage, _ client: MotionClient) throws {
    done[sabotage, default: 0] += 1
    switch sabotage {
    case .killWorker: signalWorker(SIGKILL, client)
    case .freezeWorker: signalWorker(SIGSTOP, client)
    case .stallWorker:
      let process = signalWorker(SIGSTOP, client)
      if process > 0 { undo(after: .milliseconds(300)) { kill(process, SIGCONT) } }
    case .killDaemon, .endDaemon:
      mend(all: true)
      // Not earlier: commits have to be under way when it ends. From then on no client commits again until the plans
      // were compared.
      try stage.restart(by: sabotage == .killDaemon ? SIGKILL : SIGTERM) { ledger.isPaused = true }
    case .stallDaemon:
      stage.signal(SIGSTOP)
      undo(after: .seconds(1)) { [stage] in stage.signal(SIGCONT) }
    case .cut:
      stage.near.cut()
      stage.wide.cut()
    case .halfClose:
      let direction = self.direction()
      stage.near.halfClose(direction)
      stage.wide.halfClose(direction)
    case .garbage:
      for network in [stage.near, stage.wide] {
        network.say(garbage: Int.random(in: 1...2000, using: &random), direction())
      }
    case .slow: weather(for: .seconds(3)) { $0.delay = .zero ... .milliseconds(50) }
    case .silence:
      let silent = direction()
      weather(for: .seconds(2)) { $0.silent = [silent] }
    case .fullDisk:
      let filler = "\(stage.directory)/state/filler"
      SmallDisk.fill(filler)
      undo(after: .seconds(2)) { unlink(filler) }
    case .shortFiles:
      let process = stage.processID
      Self.limitFiles(of: process, to: "65536")
      undo(after: .seconds(2)) { Self.limitFiles(of: process, to: "unlimited") }
    case .messages: try flood()
    case .connections: connect(300)
    case .lazy:
      let lazy = try client.subscribe(to: [.motion(.everything)])
      undo(after: .seconds(3)) { withExtendedLifetime(lazy) {} }
    case .restartPlugin: try client.restart("tween")
    case .reload: stage.signal(SIGHUP)
    case .batch: try batch(client)
    }
  }

  private mutating func direction() -> FaultProxy.Direction { Bool.random(using: &random) ? .toServer : .toClient }

  private mutating func undo(after time: Duration, _ body: @escaping () -> Void) {
    pending.append((BootClock.now + time, body))
  }

  private mutating func weather(for time: Duration, _ change: (inout FaultProxy.Weather) -> Void) {
    stage.near.set(change)
    stage.wide.set(change)
    undo(after: time) { [stage] in
      stage.near.set { _ in }
      stage.wide.set { _ in }
    }
  }

  @discardableResult
  private func signalWorker(_ signal: Int32, _ client: MotionClient) -> Int32 {
    guard let plugin = try? client.plugins().first(where: { $0.name == "tween" }),
      let worker = plugin.workers.first(where: { $0.state == .ready && $0.processID > 0 })
    else { return 0 }
    kill(worker.processID, signal)
    return worker.processID
  }

  private static func limitFiles(of process: Int32, to bytes: String) {
    let limiting = Process()
    limiting.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    limiting.arguments = ["--pid", "\(process)", "--fsize=\(bytes):unlimited"]
    guard (try? limiting.run()) != nil else { return }
    limiting.waitUntilExit()
  }

  private mutating func flood() throws {
    let context = try ZeroMQContext()
    let stranger = try DealerSocket(context)
    try stranger.connect(.ipc(stage.paths(isFar: false).controlSocket))
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try stranger.send(bytes)
    }
    // It gets a moment for sending, since the end of the context drops unsent messages.
    undo(after: .milliseconds(500)) { withExtendedLifetime((context, stranger)) {} }
  }

  private mutating func connect(_ count: Int) {
    let place = SocketPlace.file(stage.paths(isFar: false).controlSocket)
    let descriptors = (0..<count).compactMap { _ in try? place.connect() }
    undo(after: .seconds(1)) { for descriptor in descriptors { close(descriptor) } }
  }

  private func batch(_ client: MotionClient) throws {
    var (transaction, removal) = (Transaction(), Transaction())
    for number in 0..<2000 {
      let target = try TargetName("batch-\(number)")
      transaction.add(.springTo("position", [Double(number), 0]), to: target)
      removal.forget(target)
    }
    do {
      try client.commit(transaction, timeout: .seconds(30))
      try client.commit(removal, timeout: .seconds(30))
    } catch {
      // The disk is full at present, because of an injected fault.
      guard error.refusal?.code == .storage else { throw error }
    }
  }
}

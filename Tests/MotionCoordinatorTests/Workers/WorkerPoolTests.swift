import Glibc
import Logging
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// The pool, event by event: the test says what happens to processes, and carries out nothing but the pool's own steps.
struct WorkerPoolTests {
  private let folder: TemporaryFolder
  private let processes = RecordedProcesses()
  private let runtime: Runtime
  private var pool: WorkerPool
  private let worker = WorkerAddress("glide", 0)

  init() throws {
    folder = try TemporaryFolder()
    folder.make("plugins")
    folder.make("plugins/glide")
    try folder.write("#!/bin/sh\n", to: "plugins/glide/run", mode: 0o700)
    try folder.write(
      """
      {"name": "glide", "executable": "run", "protocol": 1, "instances": 16, "intentions": [
        {"type": "Glide", "kind": "one-shot", "executor": "Glide", "documentation": "Glides.", "fields": []}]}
      """, to: "plugins/glide/plugin.json")
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state",
      pluginPaths: ["\(folder.path)/plugins"])
    settings.machine = RecordedMachine(processes)
    settings.socketKind = .process
    let directory = try RuntimeDirectory(
      settings.runtimeDirectory, clients: settings.clients, sockets: settings.socketKind)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let sockets = try Sockets(directory, clients: settings.clients, logger: logger)
    var library = PluginLibrary(settings, remote: [])
    let problems = library.plugins.map(\.problem)
    try #require(problems == [""])
    runtime = Runtime(registry: WorkerPool.registry(of: &library, preferring: [:]), ratePerSecond: 10)
    pool = try WorkerPool(
      settings, epoch: 1, runtime, library, RemoteClaims(nil, at: .zero),
      WorkerLauncher(settings, epoch: 1, directory, admission: nil), Outbox(), sockets, Poller(), logger: logger)
  }

  /// Does the pool's own steps, and returns the other actions in short.
  private mutating func texts(_ actions: [WorkerPool.Action], at now: Duration = .zero) -> [String] {
    actions.flatMap { action -> [String] in
      switch action {
      case .apply(let event): ["apply \(event)".prefix { $0 != "(" }.description]
      case .lost(let worker): ["lost \(worker)"]
      case .reported: ["reported"]
      case .ended: ["ended"]
      case .then(let step): texts(pool.proceed(with: step, at: now), at: now)
      }
    }
  }

  private mutating func need(_ worker: WorkerAddress, at now: Duration = .zero) -> [String] {
    texts(pool.send(.need(worker), next: nil, at: now), at: now)
  }

  /// Something happens to the process of this number.
  private mutating func happen(_ event: WorkerProcess.Event, to number: Int, at now: Duration = .zero) -> [String] {
    processes.happen(event, to: number)
    return pool.takeProcessEvents().flatMap { texts(pool.receive($0, at: now), at: now) }
  }

  private mutating func pass(to now: Duration) -> [String] {
    pool.table.all.flatMap { texts(pool.deadline(of: $0, at: now), at: now) }
  }

  @Test mutating func `a needed worker is started once, and again 100 ms after its death`() {
    #expect(need(worker) == [] && need(worker) == [])
    #expect(processes.count == 1)
    #expect(happen(.spawned(100), to: 1) == [])
    #expect(pool.table[worker]?.row.processID == 100 && pool.table[worker]?.row.state == .starting)
    #expect(happen(.ended(.exited(1)), to: 1) == ["apply lost", "lost glide.0", "ended"])
    #expect(processes.signals == ["100 KILL"], "what it has started ends with it")
    #expect(pool.nextDeadline == WorkerLife.firstWait)
    #expect(pass(to: WorkerLife.firstWait) == [] && processes.count == 2)
    #expect(pool.table.connected(2)?.address == worker && pool.table.connected(1) == nil)
  }

  @Test mutating func `after five deaths the plugin is quarantined, and its other workers are killed`() {
    let other = WorkerAddress("glide", 1)
    #expect(need(worker) == [] && need(other) == [])
    _ = happen(.spawned(99), to: 2)
    var (now, number) = (Duration.zero, 1)
    for death in 1...WorkerLife.deathsAllowed {
      let actions = happen(.ended(.exited(1)), to: number, at: now)
      if death == WorkerLife.deathsAllowed {
        #expect(actions == ["apply lost", "lost glide.0", "apply lost", "lost glide.1", "apply quarantined", "ended"])
      } else {
        #expect(actions == ["apply lost", "lost glide.0", "ended"])
        now += WorkerLife.longestWait
        _ = texts(pool.deadline(of: pool.table[worker]!, at: now), at: now)
        number = processes.count
      }
    }
    #expect(processes.signals.contains("99 KILL"))
    #expect(pool.library["glide"]?.problem.contains("quarantined") == true)
    #expect(need(worker, at: now) == [] && processes.count == number)
  }

  @Test mutating func `a limited number of workers starts at a time, and the others follow`() {
    let most = WorkerPool.startsAtATime
    for instance in 0..<16 { #expect(need(WorkerAddress("glide", instance)) == []) }
    #expect(processes.count == most)
    #expect(happen(.ended(.exited(0)), to: 1) == ["apply lost", "lost glide.0", "ended"])
    #expect(texts(pool.startQueued(at: .zero)) == [] && processes.count == most + 1)
  }

  @Test mutating func `the end of a process is handled after a second if no reason arrives`() {
    _ = need(worker)
    _ = happen(.spawned(100), to: 1)
    #expect(texts(pool.noteDeath(of: pool.table[worker]!, at: .zero)) == ["apply lost", "lost glide.0"])
    #expect(pool.table[worker]?.reasonDue == WorkerPool.reasonTimeout)
    #expect(pass(to: WorkerPool.reasonTimeout) == ["ended"])
    #expect(pool.table[worker]?.life.lastReason.isEmpty == false)
  }

  @Test mutating func `a forged message in the name of a worker is counted and changes nothing`() throws {
    _ = need(worker)
    let hello = Envelope(
      epoch: 1, incarnation: 1, sequence: 1, sent: 1,
      .workerHeartbeat(WorkerHeartbeat(commandsApplied: 0, lastEvent: 0, tokens: 0, interval: 1)))
    #expect(texts(pool.receive(link: Message(hello.encoded()), from: RoutingID([1]), at: .zero)) == [])
    #expect(pool.counters.forgedMessages == 1 && pool.table[worker]?.conversation?.routingID == nil)
    var foreign = hello
    foreign.epoch = 9
    #expect(texts(pool.receive(link: Message(foreign.encoded()), from: RoutingID([1]), at: .zero)) == [])
    #expect(texts(pool.receive(link: Message([1, 2]), from: RoutingID([1]), at: .zero)) == [])
    #expect(pool.counters.foreignMessages == 1 && pool.counters.malformedMessages == 1)
  }

  @Test mutating func `a stopping pool shuts workers down, then kills them, and starts none`() {
    _ = need(worker)
    _ = happen(.spawned(100), to: 1)
    #expect(texts(pool.retireAll(at: .zero)) == [] && pool.hasProcesses)
    #expect(throws: Refusal.self) { try pool.restart("glide", isRecording: false, at: .zero) }
    #expect(texts(pool.endAll(at: .zero)) == [] && processes.signals == ["100 KILL"])
    #expect(happen(.ended(.exited(0)), to: 1).last == "ended" && !pool.hasProcesses)
    #expect(need(worker) == [] && processes.count == 1)
  }

  @Test mutating func `a removed plugin is dropped when none of its workers runs`() {
    _ = need(worker)
    #expect(rename("\(folder.path)/plugins/glide", "\(folder.path)/gone") == 0)
    #expect(texts(pool.reload()) == [] && pool.library["glide"] != nil)
    #expect(happen(.ended(.exited(0)), to: 1) == ["apply lost", "lost glide.0", "apply restored", "ended"])
    #expect(pool.library["glide"] == nil && pool.table.all.isEmpty)
  }
}

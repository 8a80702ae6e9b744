import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Read properties of a worker that takes more time for them than a frame.
struct ReadBacklogTests {
  private static let address = WorkerAddress("reader", 0)
  private static let most = 12

  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(Self.manifest)
    return Runtime(registry: registry, ratePerSecond: 100)
  }

  private static let manifest = PluginManifest(
    name: "reader", executable: "reader", intentions: [.puppet("Mirror", .standing, "Mirror")])

  private func mirror(_ property: PropertyName) -> Intention {
    Intention("Mirror", [.init("property", .property("z")), .init("reads", .property(property))])
  }

  // Clauses: S11.11
  @Test func `a worker that lags gets the newest states when it has acknowledged, and all of them in the end`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "backlog"))
    var (waited, restored) = (0, 0)
    for _ in 0..<SeededRandom.rounds(60) {
      let (first, port) = (try runtime(), FakePort())
      var (runtime, other) = (first, Runtime?.none)
      runtime.workers.mostReads = Self.most
      runtime.workerPort = port
      runtime.applyNow(.provisioned(Self.address))
      /// What the worker knows, once it has applied so many commands.
      var known: [PropertyReference: PropertyState] = [:]
      var (applied, received) = (UInt64(0), 0)
      let targets = try (1...10).map { try TargetName("lamp\($0)") }

      func advance() throws {
        runtime.advance()
        other?.advance()
        let commands = port.commands[Self.address] ?? []
        for case .properties(let reads) in commands[received...] { #expect(reads.count <= targets.count) }
        received = commands.count
        let behind = commands[Int(applied)...].reduce(0) { count, command in
          if case .properties(let reads) = command { count + reads.count } else { count }
        }
        #expect(behind < Self.most + 2 * targets.count, "those of two frames, or of a plan each, at most")
        if runtime.workers.records[Self.address]?.reads.held.isEmpty == false { waited += 1 }
      }
      func acknowledge(_ count: UInt64) {
        let commands = port.commands[Self.address] ?? []
        for command in commands[Int(applied)..<Int(count)] {
          guard case .properties(let reads) = command else { continue }
          for read in reads { known[read.reference] = read.state }
        }
        applied = count
        let update = WorkerUpdate(frame: runtime.frame.number + 1, commandsApplied: applied)
        runtime.submit(.update(Self.address, update))
        other?.submit(.update(Self.address, update))
      }
      func commit(_ change: (inout Transaction) -> Void) throws {
        var transaction = Transaction()
        change(&transaction)
        try runtime.commit(transaction)
        try other?.commit(transaction)
      }
      try commit { for target in targets { $0.add(mirror("y"), named: "watch", to: target) } }
      try advance()
      for _ in 0..<Int.random(in: 50...200, using: &random) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4:
          let target = targets.randomElement(using: &random)!
          let spring = Intention.springTo("y", Lanes(.random(in: -100...100, using: &random)))
          try commit { $0.add(spring, to: target) }
        case 4: try commit { $0.forget(targets.randomElement(using: &random)!) }
        case 5:
          let target = targets.randomElement(using: &random)!
          try commit { $0.add(mirror("y"), named: "watch", to: target) }
        case 6..<9:
          let sent = port.commandsSent(to: Self.address)
          acknowledge(.random(in: applied...sent, using: &random))
        case 9 where other == nil && random.chance(0.2):
          var header = RecordingHeader(ratePerSecond: 100, plugins: [Self.manifest])
          header.snapshot = try #require(runtime.snapshot())
          let copy = try Replayer(header).runtime
          copy.workers.mostReads = Self.most
          (other, restored) = (copy, restored + 1)
        default: break
        }
        try advance()
        if let other {
          #expect(other.workers.records[Self.address]?.reads.held == runtime.workers.records[Self.address]?.reads.held)
          #expect(other.isActive == runtime.isActive && other.wantsFrames == runtime.wantsFrames)
        }
      }
      var frames = 0
      while runtime.wantsFrames, frames < 5000 {
        acknowledge(port.commandsSent(to: Self.address))
        try advance()
        frames += 1
      }
      #expect(!runtime.wantsFrames && runtime.workers.records[Self.address]?.reads.held.isEmpty == true)
      for target in targets {
        let reference = PropertyReference(target, "y")
        guard !runtime.plans.readers(of: reference).isEmpty else { continue }
        #expect(known[reference] == runtime.state(of: reference), "\(reference)")
      }
    }
    #expect(waited > 20 && restored > 0, "\(waited) frames with states that waited, \(restored) snapshots")
  }
}

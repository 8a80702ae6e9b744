import Faults
import FaultyNetwork
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Clients behind a network that is cut, slow, one-sided, or sends garbage.
  @Suite struct ClientNetworkTests {
    private func transaction(_ number: Int) throws -> Transaction {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 1), to: try TargetName("kept-\(number)"))
      return transaction
    }

    /// Checks that exactly these plans exist, each with the sequence of its receipt.
    private func expect(_ receipts: [Receipt], _ client: MotionClient, _ seed: UInt64) throws {
      func kept() throws -> [IntentionRow] { try client.intentions().filter { $0.target.text.hasPrefix("kept-") } }
      // A receipt does not wait for the frame that applies its transaction.
      try awaitTruth("all are applied") { try kept().count >= receipts.count }
      let plans = try kept()
      #expect(plans.count == receipts.count, "seed \(seed)")
      let sequences = Dictionary(plans.map { ($0.target.text, $0.identity.sequence) }) { first, _ in first }
      for (number, receipt) in receipts.enumerated() {
        #expect(sequences["kept-\(number)"] == receipt.sequence, "seed \(seed)")
      }
      #expect(Set(receipts.map(\.sequence)).count == receipts.count, "seed \(seed)")
    }

    @Test(
      .fault(
        .network, "Connections of a client are cut at any byte while it commits",
        by: "a proxy on ipc and tcp that cuts each connection behind 400 to 4,000 bytes, from a seed",
        promise: "every commit is applied exactly once, and every acknowledged one is there"),
      arguments: ClientTransport.allCases)
    func `a commit through connections that are cut is applied exactly once`(transport: ClientTransport) throws {
      let seed = SeededRandom.seed(of: "ClientNetworkTests")
      let stage = try ProxiedStage(transport, seed: seed)
      let client = try stage.connect()
      stage.proxy.set {
        // A handshake with CURVE takes about 700 bytes each way.
        $0.cutAfter = transport == .ipc ? 400...2500 : 1800...4000
        $0.delay = .zero ... .milliseconds(2)
      }
      var (receipts, ids): ([Receipt], [TransactionID]) = ([], [])
      while receipts.count < 30 || stage.proxy.counts.cuts < 3 && receipts.count < 500 {
        let start = BootClock.now
        ids.append(.random())
        receipts.append(try client.commit(transaction(ids.count - 1), id: ids[ids.count - 1], timeout: .seconds(30)))
        FaultMeasures.measured(BootClock.now - start, "longest commit")
      }
      #expect(stage.proxy.counts.cuts >= 3, "seed \(seed)")
      stage.proxy.set { _ in }
      try expect(receipts, client, seed)
      for (number, id) in ids.enumerated() where number % 8 == 0 {
        let again = try client.commit(transaction(number), id: id)
        #expect(again.isRepeat && again.sequence == receipts[number].sequence, "seed \(seed)")
      }
      try expect(receipts, client, seed)
    }

    @Test(
      .fault(
        .network, "A client's connection passes messages in one direction only",
        by: "a proxy that lets one direction pass",
        promise: "the commit times out; committed again with the same id, it is applied once"),
      arguments: ClientTransport.allCases)
    func `a commit while one direction is silent is applied once`(transport: ClientTransport) throws {
      let stage = try ProxiedStage(transport, seed: 1)
      let client = try stage.connect()
      var receipts: [Receipt] = []
      for (number, direction) in FaultProxy.Direction.allCases.enumerated() {
        let id = TransactionID.random()
        stage.proxy.set { $0.silent = [direction] }
        let error = #expect(throws: MotionClientError.self) {
          try client.commit(transaction(number), id: id, timeout: .milliseconds(400))
        }
        #expect(error?.code == .timeout)
        stage.proxy.set { _ in }
        receipts.append(try client.commit(transaction(number), id: id))
        // A request that motiond received was applied. A request that it did not receive may now arrive twice.
        if direction == .toClient { #expect(receipts.last?.isRepeat == true) }
        try expect(receipts, client, 1)
      }
    }

    @Test(
      .fault(
        .network, "Random bytes are inserted into a client's connection",
        by: "a proxy that sends random bytes between two messages, each way, from a seed",
        promise: "at most that connection ends; motiond, the client and others continue"),
      .fault(
        .network, "A client's connection is closed on one side only", by: "a proxy that half-closes it, each way",
        promise: "the client reconnects and continues; each commit is applied once"),
      arguments: ClientTransport.allCases)
    func `a client continues after garbage and half-closed connections`(transport: ClientTransport) throws {
      let seed = SeededRandom.seed(of: "ClientNetworkTests")
      let stage = try ProxiedStage(transport, seed: seed)
      let client = try stage.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "bystander")
      var receipts: [Receipt] = []
      func commit() throws {
        let start = BootClock.now
        receipts.append(try client.commit(transaction(receipts.count), timeout: .seconds(20)))
        FaultMeasures.measured(BootClock.now - start, "fault to the next receipt")
      }
      for direction in FaultProxy.Direction.allCases {
        try commit()
        // Without a check of incoming data, a single byte may turn all that follows into one endless message.
        stage.proxy.say(garbage: transport == .ipc ? 1 : 64, direction)
        try commit()
        stage.proxy.halfClose(direction)
        try commit()
      }
      try expect(receipts, client, seed)
      #expect(try client.status().processID == stage.daemon.process.processID, "seed \(seed)")
      let frame = try client.status().frame.number
      try awaitTruth("frames go on") { try client.status().frame.number > frame + 10 }
    }

    @Test(
      .fault(
        .network, "Random bytes are inserted into a subscriber's connection",
        by: "a proxy that sends random bytes between two messages, from a seed",
        promise: "it receives the complete state and all later values, although libzmq abandons such a connection"),
      arguments: ClientTransport.allCases)
    func `a subscriber receives complete values and further frames after garbage`(transport: ClientTransport) throws {
      let seed = SeededRandom.seed(of: "ClientNetworkTests")
      let stage = try ProxiedStage(transport, seed: seed)
      let client = try stage.connect()
      // A property at rest, of which values are sent only on request.
      try client.add(.springTo("opacity", 0.5), to: "still")
      try client.awaitIdle()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let subscription = try client.subscribe(to: [.motion(.everything)])
      try subscription.synchronise(timeout: factTimeout)
      let still = PropertyReference("still", "opacity")
      for _ in 0..<4 {
        let start = BootClock.now
        stage.proxy.say(garbage: 64, .toClient)
        try awaitTruth("it is told how everything is, seed \(seed)") {
          guard case .values(let values)? = try subscription.next(timeout: .milliseconds(20)) else { return false }
          return values.isComplete && values[still]?.value == 0.5
        }
        FaultMeasures.measured(BootClock.now - start, "garbage to present values")
        var frames = 0
        try awaitTruth("it hears on, seed \(seed)") {
          if case .values(let values)? = try subscription.next(timeout: .milliseconds(20)) {
            frames += values.isComplete ? 0 : 1
          }
          return frames > 20
        }
      }
    }

    @Test(
      .fault(
        .network, "The network of a subscriber is slow, uneven and cut repeatedly",
        by: "a proxy with delays up to 60 ms and cuts behind 2 to 10 kB, from a seed",
        promise: "its state converges to the present values"),
      arguments: ClientTransport.allCases)
    func `a subscriber behind a slow, cut network converges to the present values`(transport: ClientTransport) throws {
      let seed = SeededRandom.seed(of: "ClientNetworkTests")
      var random = SeededRandom(seed: seed)
      let stage = try ProxiedStage(transport, seed: seed)
      let client = try stage.connect()
      let subscription = try client.subscribe(to: [.motion(.everything)])
      try subscription.synchronise(timeout: factTimeout)
      var heard: [PropertyReference: Lanes] = [:]
      func listen(upTo limit: Duration) throws {
        guard case .values(let values)? = try subscription.next(timeout: limit) else { return }
        for property in values.properties { heard[property.reference] = property.value }
      }
      stage.proxy.set {
        $0.delay = .zero ... .milliseconds(60)
        $0.cutAfter = 2000...10_000
      }
      for turn in 0..<100 where turn < 8 || stage.proxy.counts.cuts == 0 {
        let place: Lanes = [Double.random(in: -100...100, using: &random), Double(turn)]
        try client.add(.springTo("position", place), to: try TargetName("ball-\(turn % 3)"))
        let end = BootClock.now + .milliseconds(150)
        while BootClock.now < end { try listen(upTo: .milliseconds(10)) }
      }
      #expect(stage.proxy.counts.cuts > 0, "seed \(seed)")
      let cured = BootClock.now
      stage.proxy.set { _ in }
      try client.awaitIdle()
      let truth = Dictionary(uniqueKeysWithValues: try client.properties().map { ($0.reference, $0.state.value) })
      #expect(truth.count == 3)
      try awaitTruth("it has heard all, seed \(seed)") {
        try listen(upTo: .milliseconds(20))
        return heard == truth
      }
      FaultMeasures.measured(BootClock.now - cured, "cure to everything at rest and heard")
    }
  }
}

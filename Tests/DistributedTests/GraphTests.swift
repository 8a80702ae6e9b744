import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// The graph of a running daemon, its workers included.
  @Suite struct GraphTests {
    /// The edges as `from kind to`, without the edges that only hold.
    private func lines(_ graph: RuntimeGraph) -> [String] {
      graph.edges.filter { $0.kind != .holds }.map { edge in
        "\(graph.nodes[edge.from].label) \(edge.kind) \(graph.nodes[edge.to].label)"
      }
    }

    @Test func `the graph shows each worker's plans, their streams, and the reads across workers`() throws {
      let daemon = try Daemon([.tween(), .gestures(), .osc(), .streams()])
      let client = try daemon.connect()
      let receiver = try OSCReceiver()
      var transaction = Transaction()
      transaction.add(.tossable(destination: [100, 0]), named: "toss", to: "ball")
      transaction.add(.tween("opacity", to: 0.5, duration: .seconds(60)), to: "ball")
      transaction.add(.unruly("level", to: 10, duration: .seconds(2), of: "streams"), to: "ball")
      transaction.add(.sendOSC(PropertyReference("ball", "level"), port: receiver.port), named: "out", to: "panel")
      try client.commit(transaction)
      for plugin in ["tween", "gesture", "osc", "streams"] as [PluginName] { _ = try client.awaitReady(plugin) }

      let graph = try awaitFact("the streams of the worker") {
        let graph = try client.graph()
        return graph.nodes.contains { $0.kind == .source && $0.label == "share(of: 2.0)" } ? graph : nil
      }
      #expect(graph.remarks == [])
      let lines = lines(graph)
      let plan = "1.2 Unruly-streams"
      for line in [
        "1.0 Tossable \"toss\" emits 1.0.0 AnchoredSpring", "1.0 Tossable \"toss\" emits 1.0.1 Draggable",
        "Physics in motiond drives position", "Tween in tween.0 drives opacity",
        "Unruly-streams in streams.0 drives level", "1.0.1 Draggable connects drag(: pointers)",
        "level reads 1.3 SendOSC \"out\"", "\(plan) connects share(of: 2.0)",
        "share(of: 2.0) values rewriteRange(start: 0.0, end: 1.0, destinationStart: 0.0, destinationEnd: 10.0)",
        "rewriteRange(start: 0.0, end: 1.0, destinationStart: 0.0, destinationEnd: 10.0) writes level",
      ] {
        #expect(lines.contains(line), "\(line) is not in \(lines)")
      }
      #expect(lines.contains { $0.hasPrefix("translated(") && $0.hasSuffix(" writes position") }, "\(lines)")
      let labels = graph.nodes.map(\.label)
      for label in ["Gesture in gesture.0", "OSC in osc.0"] { #expect(labels.contains(label)) }

      let tree = try daemon.ctl("graph", "ball")
      #expect(tree.end == .exited(0))
      #expect(tree.errors == "")
      #expect(tree.output.contains("writes level\n"), "\(tree.output)")
      #expect(tree.output.contains("share(of: 2.0)\n"), "\(tree.output)")
      #expect(tree.output.contains("read by 1.3 SendOSC \"out\" on panel"), "\(tree.output)")
      #expect(try daemon.ctl("graph", "--dot").output.hasPrefix("digraph G {\n"))
      #expect(try daemon.ctl("graph", "--json").json()["nodes"].elements.count >= graph.nodes.count)

      // The plan ends by itself, and its streams end with it.
      let after = try awaitFact("the end of the plan") {
        let graph = try client.graph(of: "ball")
        return graph.nodes.contains { $0.label == plan } ? nil : graph
      }
      #expect(after.remarks == [])
      #expect(!after.nodes.contains { $0.label == "share(of: 2.0)" || $0.label.hasPrefix("rewriteRange") })
      let missing = try daemon.ctl("graph", "bell")
      #expect(missing.end == .exited(4))
      #expect(missing.errors.contains("Did you mean \"ball\"?"), "\(missing.errors)")
    }

    @Test func `graph queries cause no frames, and the runtime stays idle`() throws {
      let daemon = try Daemon([.streams()])
      let client = try daemon.connect()
      try client.add(.unruly("level", to: 1, duration: .milliseconds(50), of: "streams"), to: "ball")
      _ = try client.awaitReady("streams")
      try client.awaitIdle()
      let before = try client.status().frame.number
      for _ in 0..<40 { _ = try client.graph() }
      // The worker's report of the end of its plan may arrive meanwhile, and takes a frame.
      #expect(try client.status().frame.number <= before + 2)
      try client.awaitIdle()
    }

    @Test(
      .fault(
        .peers, "A worker does not answer a query, or answers falsely", by: "a worker simulated by the test",
        promise: "half a second, and a remark; false parts are left out, control characters made visible"))
    func `a graph waits half a second for a silent worker, and leaves out false reports`() throws {
      let stage = try PuppetStage()
      let client = stage.client
      try client.add(.anchoredSpring("level", 1), to: "ball")
      let puppet = try stage.puppet()
      _ = try puppet.serve()
      try puppet.goOn(until: "it is ready") { try client.worker("puppet")?.state == .ready }

      let unanswered = try client.graph()
      #expect(unanswered.remarks == ["puppet.0 did not describe its streams within 0.5 seconds"])
      #expect(unanswered.nodes.contains { $0.label == "Puppet in puppet.0" })

      // Reports about a plan of another executor, about a plan that does not exist, and about the worker's own, with
      // characters that would control a terminal.
      let plans = [2, 7, 1].map { sequence in
        StreamReport.Plan(
          IntentionIdentity(sequence: sequence, operation: 0), [StreamDescription("level", calls: ["lie\u{1B}[2J"])])
      }
      try puppet.hear()
      let asked = puppet.questions.count
      #expect(asked == 1)
      let running = try stage.daemon.ctl.start(["graph"])
      try puppet.goOn(until: "it is asked") { puppet.questions.count > asked }
      let question = try #require(puppet.questions.last)
      try puppet.sayOnLink(.streamReport(StreamReport(plans)), replyTo: question + 1)
      try puppet.sayOnLink(.streamReport(StreamReport(plans)), replyTo: question)
      let shown = try running.finish()
      #expect(shown.errors == "")
      #expect(shown.output.components(separatedBy: "lie").count == 2, "\(shown.output)")
      #expect(shown.output.contains(#"lie\u{1B}[2J"#), "\(shown.output)")
      #expect(!shown.output.contains("\u{1B}"))
    }

    @Test(
      .fault(
        .processes, "A worker dies before it answers a query", by: "SIGKILL between query and answer",
        promise: "the query does not wait for it; the answer states this"))
    func `a graph does not wait for a worker that exits before it answers`() throws {
      let stage = try PuppetStage()
      let client = stage.client
      let puppet = try stage.puppet()
      _ = try puppet.serve()
      try puppet.goOn(until: "it is ready") { try client.worker("puppet")?.state == .ready }
      let process = try #require(try client.worker("puppet")).processID
      let running = try stage.daemon.ctl.start(["graph"])
      try puppet.goOn(until: "it is asked") { !puppet.questions.isEmpty }
      kill(process, SIGKILL)
      let shown = try running.finish()
      #expect(shown.errors == "note: puppet.0 ended before it described its streams\n")
      #expect(shown.output.contains("Puppet in puppet.0"))
    }
  }
}

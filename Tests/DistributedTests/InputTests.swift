import Faults
import Foundation
import Glibc
import MotionClient
import MotionFiles
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Uses of `motionctl input`: recorded touches and devices move properties of a daemon.
  @Suite struct InputTests {
    /// A ball at (100, 50) that can be dragged from the first touch on.
    private func ball() throws -> (Daemon, MotionClient) {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      try #require(
        try daemon.ctl("add", "SpringTo", "--to", "ball", "property=position", "destination=100,50").end == .exited(0))
      try awaitTruth("the ball is there") {
        try client.state(of: "position", of: "ball")?.state == PropertyState([100, 50])
      }
      try #require(try daemon.ctl("add", "Draggable", "--to", "ball", "slop=0").end == .exited(0))
      _ = try client.awaitReady("gesture")
      return (daemon, client)
    }

    private func place(_ client: MotionClient) throws -> SIMD2<Double> {
      let value = try #require(try client.state(of: "position", of: "ball")).state.value
      return SIMD2(value[0], value[1])
    }

    private func awaitPlace(_ place: SIMD2<Double>, _ client: MotionClient) throws {
      // In this order: while the hand holds it, a late worker moves it away and back.
      try awaitTruth("the hand has let go") { try client.tokens().isEmpty }
      try awaitTruth("the ball is at \(place)") {
        let way = try self.place(client) - place
        return (way * way).sum() < 1e-12
      }
    }

    /// The distance that the hand moves in a trace: each step counts in part, among the pointers that are down.
    private func way(_ entries: [PointerTraceFile.Entry]) -> SIMD2<Double> {
      var (places, way) = ([UInt64: SIMD2<Double>](), SIMD2<Double>.zero)
      for event in entries.map(\.event) {
        if let before = places[event.id], event.phase != .cancel {
          way += (event.location - before) / Double(places.count)
        }
        places[event.id] = event.phase == .down || event.phase == .move ? event.location : nil
      }
      return way
    }

    private var touch: String { Programs.source("examples/touch.jsonl") }

    private func entries(_ path: String) throws -> [PointerTraceFile.Entry] {
      try PointerTraceFile(Array(Data(contentsOf: URL(fileURLWithPath: path))), named: path, target: "ball").entries
    }

    @Test func `a trace played fast leaves the ball at the trace's end`() throws {
      let (daemon, client) = try ball()
      let run = try daemon.ctl("input", touch, "--to", "ball", "--fast", "--json")
      #expect(run.end == .exited(0) && run.errors == "")
      let summary = try run.json()
      #expect(summary["events"].count == 125 && summary["messages"].count == 1)
      #expect(summary["seconds"].number < 1.4)
      try awaitPlace(SIMD2(100, 50) + way(try entries(touch)), client)
    }

    @Test func `a trace at its own pace takes its time, and moves the ball in many frames`() throws {
      let (daemon, client) = try ball()
      let watcher = try Watcher(client, .motion(.target("ball")))
      let run = try daemon.ctl("input", touch, "--to", "ball", "--json")
      #expect(run.end == .exited(0) && run.errors == "")
      let summary = try run.json()
      #expect(summary["events"].count == 125 && summary["messages"].count > 80)
      // The last event is at 1.4 s; the machine may be late, but the program cannot be early.
      #expect(summary["seconds"].number >= 1.4 && summary["seconds"].number < 5)
      try awaitPlace(SIMD2(100, 50) + way(try entries(touch)), client)
      try watcher.listenUntilIdle(client)
      let track = watcher.track("position", of: "ball")
      let duration = (track.last?.time ?? 0) - (track.first?.time ?? 0)
      #expect(duration > 1 && duration < 5, "\(duration) s")
      #expect(Set(track.map(\.value)).count > 40, "each event at 60 a second has its place; a busy machine joins some")
    }

    // Clauses: S20.4, S20.5, S20.7, S20.9
    @Test func `a value moves a property, and is withdrawn with its client unless it is held`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      for (property, input) in [("x", "fader.1"), ("y", "fader.2")] {
        let run = try daemon.ctl(
          "add", "Follow", "--to", "lamp", "property=\(property)", "input=\(input)", "mode=smoothing", "scale=10")
        try #require(run.end == .exited(0))
      }
      #expect(try daemon.ctl("input", "--value", "fader.1=0.3").end == .exited(0))
      #expect(try daemon.ctl("input", "--value", "fader.2=0.5", "--hold").end == .exited(0))
      try awaitTruth("the lamp follows") {
        try client.state(of: "x", of: "lamp")?.state == PropertyState(3)
          && client.state(of: "y", of: "lamp")?.state == PropertyState(5)
      }
      let plans = try daemon.ctl("list", "intentions", "lamp")
      #expect(plans.output.contains("(fader.2 is 0.500)"), "\(plans.output)")
      try awaitTruth("the value that is not held is withdrawn") {
        guard case .inputs(let rows) = try client.query(.inputs) else { return false }
        return rows.map(\.name) == ["fader.2"] && rows[0].isHeld && rows[0].followers == 1
      }
      #expect(try client.state(of: "x", of: "lamp")?.state == PropertyState(3))
      #expect(try daemon.ctl("graph", "lamp").output.contains("follows an input: fader.1 is absent"))
      #expect(try daemon.ctl("list", "inputs").output.contains("fader.2"))
    }

    // Clauses: S20.1, S20.11
    @Test(arguments: [false, true])
    func `a stream of values arrives without answers, throws refusals, and goes on after a restart`(
      isThroughGateway: Bool
    ) throws {
      let directory = try TestDirectory()
      var daemon = try Daemon(in: directory)
      let gateway = isThroughGateway ? try GatewayProcess(to: daemon) : nil
      let sender = try gateway?.connect() ?? daemon.connect()
      try daemon.connect().add(.follow("x", "fader", .direct), to: "lamp")
      var value = 0.0
      func stream(_ name: InputName = "fader") throws(MotionClientError) {
        value += 1
        try sender.stream(InputValues(from: "desk", [InputValue(name, Lanes(value))]))
      }
      for _ in 0..<200 { try stream() }
      let client = try daemon.connect()
      try awaitTruth("the property has the last value") {
        try client.state(of: "x", of: "lamp")?.state.value == Lanes(value)
      }

      let names = try (1..<Limits.inputValues).map { InputValue(try InputName("n\($0)"), 1) }
      try sender.send(InputValues(from: "desk", names))
      try awaitTruth("a name too many is refused") {
        do throws(MotionClientError) {
          try stream("other")
          return false
        } catch {
          guard error.refusal?.code == .limit else { throw error }
          return true
        }
      }

      try daemon.terminate()
      daemon = try Daemon(in: directory)
      let (successor, last) = (try daemon.connect(), value)
      try awaitTruth("the property has a new value") {
        try? stream()
        return try successor.state(of: "x", of: "lamp").map { $0.state.value[0] > last } ?? false
      }
    }

    // Clauses: S20.2, S20.10
    @Test func `lines of values from a pipe move a property by one connection, and nothing is stored`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try #require(
        try daemon.ctl("add", "Follow", "--to", "lamp", "property=x", "input=fader", "mode=direct").end == .exited(0))
      let before = try #require(try client.status().journal)
      let lines = (1...100).map { #"{"fader": \#($0)}"# }.joined(separator: "\n")
      try daemon.directory.write(lines, to: "values.jsonl")
      let run = try daemon.ctl("input", "--values", daemon.directory["values.jsonl"], "--json")
      #expect(run.end == .exited(0) && run.errors == "")
      #expect(try run.json()["messages"].count == 100)
      try awaitTruth("the property has the last value") {
        try client.state(of: "x", of: "lamp")?.state == PropertyState(100)
      }
      let after = try #require(try client.status().journal)
      #expect(after.lastRow == before.lastRow)
    }

    /// A touch that moves the ball by 30, and stays on it.
    private func handThatStays(_ daemon: Daemon) throws -> Ctl.Running {
      try daemon.directory.write(
        """
        {"time": 0, "target": "ball", "pointer": 7, "phase": "down", "at": [0, 0]}
        {"time": 0.01, "target": "ball", "pointer": 7, "phase": "move", "at": [30, 0]}
        {"time": 1e300, "target": "ball", "pointer": 7, "phase": "up", "at": [30, 0]}
        """, to: "long.jsonl")
      return try daemon.ctl.start(["input", daemon.directory["long.jsonl"]])
    }

    @Test func `an interrupted trace releases the ball`() throws {
      let (daemon, client) = try ball()
      let run = try handThatStays(daemon)
      try awaitTruth("the hand moves it") {
        try client.tokens().map(\.token) == ["drag"] && (try place(client)) == SIMD2(130, 50)
      }
      run.process.send(SIGINT)
      let end = try run.finish()
      #expect(end.end == .exited(1) && end.errors.contains("interrupted"))
      try awaitPlace(SIMD2(130, 50), client)
    }

    // Clauses: S8.32
    @Test(
      .fault(
        .processes, "A program dies with a finger down", by: "SIGKILL of motionctl input",
        promise: "its drag ends; the drag of a finger that only rests does not"))
    func `a killed input program releases the ball, and one that holds still does not`() throws {
      let (daemon, client) = try ball()
      let run = try handThatStays(daemon)
      try awaitTruth("the hand holds it") { try client.tokens().map(\.token) == ["drag"] }
      // Longer than a client may be silent: the program sends that it is alive.
      let start = try client.status().clock.time
      try awaitTruth("it holds it for 4 s") { try client.status().clock.time > start + 4 }
      #expect(try client.tokens().map(\.token) == ["drag"])
      run.process.kill()
      try awaitTruth("nobody holds it any more") { try client.tokens().isEmpty }
      try awaitPlace(SIMD2(130, 50), client)
      try client.awaitIdle()
    }

    @Test func `a touchscreen's bytes drag the ball, and their recording replays`() throws {
      let (daemon, client) = try ball()
      let device = try DevicePipe(daemon)
      let recording = daemon.directory["recorded.jsonl"]
      let run = try daemon.ctl.start([
        "input", "--device", device.path, "--to", "ball", "--axes", "4000x2000", "--surface", "400x200", "--origin",
        "-50,20",
        "--name", "screen", "--record", recording, "--json",
      ])
      try device.open(for: run)
      device.say([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 1000), (3, 0x36, 1000)])
      for step in 1...20 { device.say([(3, 0x35, 1000 + 50 * Int32(step))]) }
      try awaitTruth("the hand has it") { (try place(client)) == SIMD2(200, 50) }
      #expect(try client.tokens().map(\.token) == ["drag"])
      // The device is unplugged under the finger.
      device.close()
      let end = try run.finish()
      #expect(end.end == .exited(0))
      #expect(try end.json()["events"].count == 22)
      try awaitPlace(SIMD2(200, 50), client)

      let recorded = try entries(recording)
      #expect(recorded.map(\.event.phase) == [.down] + Array(repeating: .move, count: 20) + [.cancel])
      #expect(recorded.allSatisfy { $0.target == "ball" && $0.device == "screen" })
      #expect(recorded.first?.event.location == SIMD2(50, 120) && recorded.first?.event.time == 0)
      #expect(recorded[20].event.location == SIMD2(150, 120) && abs(recorded[20].event.time - 0.2) < 1e-9)
      #expect(try daemon.ctl("input", recording, "--fast").end == .exited(0))
      try awaitPlace(SIMD2(300, 50), client)
    }

    @Test func `a mouse drags the ball, and Ctrl-C releases it`() throws {
      let (daemon, client) = try ball()
      let device = try DevicePipe(daemon)
      let run = try daemon.ctl.start(["input", "--device", device.path, "--to", "ball", "--surface", "1000x1000"])
      try device.open(for: run)
      device.say([(1, 0x110, 1)])
      for _ in 1...10 { device.say([(2, 0, 3), (2, 1, -4)]) }
      try awaitTruth("the hand has it") { (try place(client)) == SIMD2(130, 10) }
      run.process.send(SIGINT)
      let end = try run.finish()
      #expect(end.end == .exited(0) && end.output.hasPrefix("12 events in "))
      try awaitPlace(SIMD2(130, 10), client)
    }

    @Test func `an invalid trace is refused with its line, and input without effect is noted`() throws {
      let daemon = try Daemon([.gestures()])
      try daemon.directory.write(
        """
        {"time": 0, "pointer": 1, "phase": "down", "at": [0, 0]}
        {"time": 1, "pointer": 1, "phase": "lift", "at": [0, 0]}
        """, to: "bad.jsonl")
      let path = daemon.directory["bad.jsonl"]
      let bad = try daemon.ctl("input", path, "--to", "ball")
      #expect(bad.end == .exited(2))
      #expect(bad.errors.contains("\(path):2:") && bad.errors.contains("phase"))
      let idle = try daemon.ctl("input", touch, "--to", "ball", "--fast")
      #expect(idle.end == .exited(0))
      #expect(idle.errors.contains("note: ") && idle.errors.contains("\"ball\""))
    }
  }
}

/// A pipe in place of an input device, with the records that one would deliver.
private final class DevicePipe {
  let path: String
  private var descriptor: Int32 = -1
  /// The time of the next report, by the recording machine's clock, which differs from ours.
  private var microseconds: Int64 = 1_700_000_000_000_000

  init(_ daemon: Daemon) throws {
    path = daemon.directory["event0"]
    guard mkfifo(path, 0o600) == 0 else { throw Problem("no pipe at \(path): \(errno)") }
  }

  deinit { close() }

  /// Opens the pipe when the program reads it.
  func open(for run: Ctl.Running) throws {
    try awaitTruth("the device is followed") { run.errors.contains("Following \(path)") }
    descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem("nobody reads \(path): \(errno)") }
  }

  /// A report of these records (type, code, value), 10 ms after the one before.
  func say(_ records: [(UInt16, UInt16, Int32)]) {
    var bytes: [UInt8] = []
    for (type, code, value) in records + [(0, 0, 0)] {
      withUnsafeBytes(of: microseconds / 1_000_000) { bytes += $0 }
      withUnsafeBytes(of: microseconds % 1_000_000) { bytes += $0 }
      withUnsafeBytes(of: type) { bytes += $0 }
      withUnsafeBytes(of: code) { bytes += $0 }
      withUnsafeBytes(of: value) { bytes += $0 }
    }
    microseconds += 10_000
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Pointer input from clients reaches the worker of the plugin gesture, and moves properties.
  @Suite struct GestureTests {
    private let position = PropertyReference("ball", "position")

    private func toss(_ destination: Lanes) throws -> (Daemon, MotionClient, Watcher, Touch) {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(
        .tossable(destination: destination, .physical(tension: 20, friction: 5)), named: "toss", to: "ball")
      _ = try client.awaitReady("gesture")
      return (daemon, client, watcher, Touch(client: client, target: "ball"))
    }

    private func driver(_ client: MotionClient) throws -> String? {
      try client.state(of: "position", of: "ball")?.driver?.text
    }

    // Clauses: S7.19
    @Test func `a pointer catches a spring in flight, drags it, and throws it`() throws {
      let (daemon, client, watcher, touch) = try toss([1000, 0])
      _ = daemon
      try watcher.listen("the ball flies") { watcher.frames.last?[position].map { $0.value[0] > 100 } ?? false }

      try touch.say(.down, at: [0, 0])
      try awaitTruth("the hand has it") { try driver(client) == "Gesture" }
      #expect(try client.tokens().map(\.token) == ["drag"])
      try awaitTruth("it stands") { try client.state(of: "position", of: "ball")?.state.velocity == [0, 0] }
      let caught = try #require(try client.state(of: "position", of: "ball")).state.value

      // The pointer moves 60 to the left, and the ball with it, at each step.
      for step in 1...30 {
        let way = -2 * Double(step)
        try touch.say(.move, at: [way, 0])
        try awaitTruth("it is where the hand is") {
          guard let now = try client.state(of: "position", of: "ball")?.state.value else { return false }
          return abs(now[0] - (caught[0] + way)) < 1e-6
        }
      }
      try watcher.take(upTo: .zero)
      let before = watcher.track("position", of: "ball").count
      try touch.say(.up, at: [-60, 0])
      try watcher.listen("the spring takes it on") {
        let track = watcher.track("position", of: "ball")
        return track.count > before + 5 && (track.last?.value[0] ?? 0) > caught[0] - 50
      }
      #expect(try driver(client) == "Physics")
      #expect(try client.tokens().isEmpty)
      try watcher.listenUntilIdle(client)
      #expect(try client.state(of: "position", of: "ball")?.state == PropertyState([1000, 0]))
      let track = watcher.track("position", of: "ball")
      #expect(watcher.missed == 0)
      // The spring moves up to 25 a frame and the pointer 2; a pointer that grabbed the ball away from its place would
      // move it by hundreds.
      #expect(WorkerTests.largestStep(of: track) < 65, "\(WorkerTests.aroundLargestStep(of: track))")
    }

    @Test func `a whole touch in one message throws the ball with the velocity from its times`() throws {
      let (daemon, client, watcher, touch) = try toss([0, 0])
      _ = daemon
      try client.awaitIdle()
      try touch.play()
      try watcher.listen("it is thrown") { watcher.frames.last?[position].map { $0.value != [0, 0] } ?? false }
      try watcher.listenUntilIdle(client)
      #expect(try client.state(of: "position", of: "ball")?.state == PropertyState([0, 0]))
      let fastest = watcher.track("position", of: "ball").compactMap { $0.velocity.map { abs($0[0]) + abs($0[1]) } }
        .max()
      #expect(try #require(fastest) > 300, "the trace ends in a flick")
    }

    @Test(
      .fault(
        .processes, "The worker of a drag dies", by: "SIGKILL in mid-drag",
        promise: "the spring below takes over; the next touch has effect"))
    func `after the gesture worker is killed, the spring takes over, and the next touch drags`() throws {
      let (daemon, client, watcher, touch) = try toss([500, 0])
      _ = daemon
      try client.awaitIdle()
      try touch.say(.down, at: [0, 0])
      for step in 1...30 { try touch.say(.move, at: [-4 * Double(step), 0]) }
      try awaitTruth("the hand has it") {
        try driver(client) == "Gesture" && (try client.state(of: "position", of: "ball")?.state.value[0] ?? 500) < 420
      }
      let worker = try client.awaitReady("gesture")
      kill(worker.processID, SIGKILL)
      try awaitTruth("the spring has it") { try driver(client) == "Physics" }
      #expect(try client.tokens().isEmpty)
      _ = try client.awaitReady("gesture", after: worker.incarnation)
      try watcher.listenUntilIdle(client)
      #expect(try client.state(of: "position", of: "ball")?.state == PropertyState([500, 0]))
      // The successor ignores the rest of the touch during which its predecessor died.
      try touch.say(.move, at: [-300, 0])
      try touch.say(.up, at: [-300, 0])
      try touch.say(.down, at: [0, 0])
      for step in 1...30 { try touch.say(.move, at: [0, 4 * Double(step)]) }
      try awaitTruth("the hand has it again") { try driver(client) == "Gesture" }
      try awaitTruth("and moves it") { (try client.state(of: "position", of: "ball")?.state.value[1] ?? 0) > 90 }
    }

    @Test func `input without a recipient causes no frame, and a time out of range is refused`() throws {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      try client.add(.springTo("position", [10, 0]), to: "ball")
      try client.awaitIdle()
      let frame = try client.status().frame.number
      let touch = Touch(client: client, target: "ball")
      for _ in 1...50 { try touch.say(.move, at: [1, 2]) }
      #expect(try client.status().frame.number == frame)
      #expect(throws: MotionClientError.self) {
        try touch.send([PointerEvent(id: 1, .down, at: [0, 0], time: 1e9)])
      }
    }
  }
}

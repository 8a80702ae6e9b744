import Glibc
import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// A hand on an executor, frame by frame: 1/64 s each, so that times are exact.
private final class Hand {
  let host: RecordingExecutorHost
  let device: DeviceName
  /// The latency of events, in seconds.
  var latency = 0.0
  private let dt = 1.0 / 64

  init(_ properties: [PropertyName: PropertyState] = [:], device: DeviceName = "hand") {
    host = RecordingExecutorHost(ExecutorDeclaration(GestureExecutor.self), target: "square", properties: properties)
    self.device = device
  }

  func down(_ pointer: UInt64 = 1, at location: SIMD2<Double>) { touch(pointer, .down, location) }
  func up(_ pointer: UInt64 = 1, at location: SIMD2<Double>) { touch(pointer, .up, location) }
  func touch(_ pointer: UInt64, _ phase: PointerEvent.Phase, _ location: SIMD2<Double>, from other: DeviceName? = nil) {
    host.receive([PointerEvent(id: pointer, phase, at: location, time: host.time - latency)], from: other ?? device)
    if phase == .up || phase == .cancel { host.advance(by: dt) }
  }

  /// Moves pointers along paths, an event and a frame at a time.
  func move(_ frames: Int, _ paths: [UInt64: (Int) -> SIMD2<Double>]) {
    for frame in 1...frames {
      let events = paths.keys.sorted().compactMap { pointer in
        paths[pointer].map { PointerEvent(id: pointer, .move, at: $0(frame), time: host.time + dt - latency) }
      }
      host.receive(events, from: device)
      host.advance(by: dt)
    }
  }

  func stand(_ frames: Int) { for _ in 0..<frames { host.advance(by: dt) } }
}

struct GestureExecutorTests {
  // Clauses: S7.19
  @Test func `a drag begins beyond its slop and ends with the pointer's velocity`() throws {
    let hand = Hand(["position": PropertyState([1000, 0])])
    try hand.host.add(.draggable())
    hand.down(at: [50, 50])
    hand.move(8, [1: { [50 + 2 * Double($0), 50] }])
    #expect(hand.host.tokens.isEmpty, "16 units are within the slop")
    #expect(hand.host.writes(of: "position").isEmpty)
    hand.move(32, [1: { [66 + 2 * Double($0), 50 + Double($0)] }])
    #expect(hand.host.tokens == ["drag"])
    let state = try #require(hand.host.state(of: "position"))
    #expect(abs(state.velocity[0] - 128) < 1e-6 && abs(state.velocity[1] - 64) < 1e-6)
    // The distance counts from the point where the pointer left the circle of 16 around its beginning: at its first
    // step here.
    #expect(abs(state.value[0] - 1064) < 0.1 && abs(state.value[1] - 32) < 0.1)
    hand.up(at: [130, 82])
    #expect(hand.host.tokens.isEmpty)
    let released = try #require(hand.host.state(of: "position"))
    #expect(abs(released.velocity[0] - 128) < 1e-6)
    #expect(hand.host.plans.count == 1, "the plan stays for the next touch")
    #expect(hand.host.finished.isEmpty)
    guard case .started("drag", let moving)? = hand.host.reports.first?.content else {
      Issue.record("the drag does not say first that it begins")
      return
    }
    #expect(moving == ["position"])
    #expect(hand.host.reports.last?.content == .ended("drag"))
  }

  // Clauses: S7.19
  @Test func `a pointer that stands still releases the property without velocity`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    hand.down(at: .zero)
    hand.move(16, [1: { [Double($0), 0] }])
    hand.stand(16)
    #expect(hand.host.state(of: "position") == PropertyState([16, 0]))
    #expect(!hand.host.wantsUpdate, "nothing to say until it moves")
    hand.up(at: [16, 0])
    #expect(hand.host.state(of: "position") == PropertyState([16, 0]))
  }

  // Clauses: S7.27
  @Test(arguments: [0, 0.05, 0.09, 0.11, 0.5])
  func `the drag velocity does not depend on the latency of its events`(latency: Double) throws {
    let hand = Hand()
    hand.latency = latency
    hand.stand(64)
    try hand.host.add(.draggable(slop: 0))
    hand.down(at: .zero)
    hand.move(16, [1: { [Double($0), 0] }])
    #expect(hand.host.state(of: "position") == PropertyState([16, 0], velocity: [64, 0]))
    // 100 ms are 6.4 frames.
    hand.stand(6)
    #expect(hand.host.state(of: "position")?.velocity == [64, 0])
    hand.stand(1)
    #expect(hand.host.state(of: "position")?.velocity == [0, 0], "it stands once nothing is heard of it")
    #expect(!hand.host.wantsUpdate)
  }

  // Clauses: S7.19
  @Test func `a property in motion is caught at once`() throws {
    let hand = Hand(["position": PropertyState([10, 10], velocity: [500, 0])])
    try hand.host.add(.draggable())
    hand.down(at: [0, 0])
    #expect(hand.host.tokens == ["drag"])
    hand.stand(1)
    #expect(hand.host.state(of: "position") == PropertyState([10, 10]))
  }

  // Clauses: S7.20
  @Test func `a drag is locked to its axis, and resisted beyond its perimeter`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(axis: .x, perimeter: [0, 0, 100, 100], maxLength: 48, slop: 0))
    hand.down(at: .zero)
    hand.move(64, [1: { [4 * Double($0), 4 * Double($0)] }])
    let state = try #require(hand.host.state(of: "position"))
    let beyond = 156.0
    #expect(abs(state.value[0] - (100 + 48 * (1 - 1 / (0.55 * beyond / 48 + 1)))) < 1e-9)
    #expect(state.value[1] == 0 && state.velocity[1] == 0)
    let slope = 0.55 / ((0.55 * beyond / 48 + 1) * (0.55 * beyond / 48 + 1))
    #expect(abs(state.velocity[0] - 256 * slope) < 1e-6)
  }

  // Clauses: S7.28
  @Test(arguments: [110.0, 131.06, 400])
  func `a property that is caught beyond the perimeter stays there`(_ place: Double) throws {
    let hand = Hand(["position": PropertyState([place, 50])])
    try hand.host.add(.draggable(perimeter: [0, 0, 100, 100], maxLength: 48, slop: 0))
    for _ in 1...4 {
      hand.down(at: .zero)
      hand.stand(3)
      #expect(hand.host.state(of: "position")?.value == [place, 50])
      hand.up(at: .zero)
    }
    hand.down(at: .zero)
    hand.move(32, [1: { [-Double($0) / 32, 0] }])
    let drawn = try #require(hand.host.state(of: "position"))
    #expect(drawn.value[0] < place && drawn.value[0] > place - 1 && drawn.velocity[0] < 0)
  }

  @Test func `two pointers move, scale and turn at once with the right velocities`() throws {
    let hand = Hand(["scale": PropertyState(2), "rotation": PropertyState(1)])
    for intention: Intention in [.draggable(slop: 0), .pinchable(), .rotatable()] { try hand.host.add(intention) }
    hand.down(1, at: [0, 0])
    hand.down(2, at: [100, 0])
    // The second circles the first with a growing radius: r = 100·(1 + t), angle = t, t up to 1 s.
    hand.move(
      64,
      [
        2: { frame in
          let t = Double(frame) / 64
          return [100 * (1 + t) * cos(t), 100 * (1 + t) * sin(t)]
        }
      ])
    #expect(hand.host.tokens == ["drag", "pinch", "rotate"])
    let scale = try #require(hand.host.state(of: "scale"))
    let rotation = try #require(hand.host.state(of: "rotation"))
    #expect(abs(scale.value[0] - 4) < 1e-9 && abs(scale.velocity[0] - 2) < 1e-6)
    #expect(abs(rotation.value[0] - 2) < 1e-9 && abs(rotation.velocity[0] - 1) < 1e-6)
    let centre = try #require(hand.host.state(of: "position")).value
    #expect(abs(centre[0] - (100 * cos(1) - 50)) < 1e-9 && abs(centre[1] - 100 * sin(1)) < 1e-9)
    hand.up(2, at: [200 * cos(1), 200 * sin(1)])
    #expect(hand.host.tokens == ["drag"], "one finger drags on")
  }

  // Clauses: S7.21
  @Test func `a cancelled gesture leaves the property where it is, at rest`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    hand.down(at: .zero)
    hand.move(16, [1: { [4 * Double($0), 0] }])
    hand.touch(1, .cancel, [64, 0])
    #expect(hand.host.state(of: "position") == PropertyState([64, 0]))
    #expect(hand.host.tokens.isEmpty)
  }

  // Clauses: S8.44
  @Test func `a drag of a displaced property writes nothing, and continues from its resumed state`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    hand.down(at: .zero)
    hand.move(8, [1: { [Double($0), 0] }])
    hand.host.displace("position")
    let writes = hand.host.writes(of: "position").count
    hand.move(8, [1: { [8 + Double($0), 0] }])
    #expect(hand.host.writes(of: "position").count == writes)
    hand.host.resume("position", from: PropertyState([500, 7]))
    hand.stand(1)
    #expect(hand.host.state(of: "position")?.value == [500, 7])
    hand.move(4, [1: { [16 + Double($0), 0] }])
    #expect(hand.host.state(of: "position")?.value == [504, 7])
  }

  // Clauses: S7.27, S8.44
  @Test func `a drag that stood while it was displaced continues at rest`() throws {
    let hand = Hand()
    try hand.host.add(.draggable())
    hand.down(at: .zero)
    // One event leaves the slop and begins the drag, at great velocity.
    hand.move(1, [1: { [100 * Double($0), 0] }])
    #expect(hand.host.state(of: "position")?.value == [84, 0])
    hand.host.displace("position")
    hand.stand(32)
    hand.host.resume("position", from: PropertyState([500, 7]))
    hand.stand(1)
    #expect(hand.host.state(of: "position") == PropertyState([500, 7]))
    hand.move(1, [1: { [100 + Double($0), 0] }])
    #expect(hand.host.state(of: "position")?.value == [501, 7])
  }

  // Clauses: S8.44
  @Test func `a drag that ends while it is displaced writes nothing, and the next one drags`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    hand.down(at: .zero)
    hand.move(8, [1: { [Double($0), 0] }])
    hand.host.displace("position")
    hand.up(at: [9, 0])
    #expect(hand.host.tokens.isEmpty)
    // The state that it resumes from is that at rest; a drag whose end is owed must not write over it.
    hand.host.resume("position", from: PropertyState([500, 7]))
    hand.stand(2)
    #expect(hand.host.state(of: "position") == PropertyState([500, 7]))
    hand.down(at: .zero)
    hand.move(4, [1: { [Double($0), 0] }])
    #expect(hand.host.state(of: "position")?.value == [504, 7])
    #expect(!hand.host.reports.contains { $0.content == .wroteDisplaced("position") })
  }

  @Test(arguments: [
    (
      Intention.draggable(axis: .x),
      """
      drag(: pointers) translated(from: position of square, in: .surface, along: (1.0, 0.0), within: nil, \
      maxLength: 48.0, each: frames) -> position
      """
    ),
    (.pinchable(), "pinch(: pointers) scaled(from: scale of square, each: frames) -> scale"),
    (.rotatable(), "rotate(: pointers) rotated(from: rotation of square, each: frames) -> rotation"),
    (.setPositionOnTap(), "gestureSource(: pointers) centroid(in: .surface, each: frames) -> position"),
  ])
  func `the streams of a gesture can be inspected`(intention: Intention, line: String) throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    var transaction = Transaction()
    transaction.add(intention, to: "square")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(try runtime.streamLines(on: "square") == [line])
  }

  @Test func `removing a plan ends its drag`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0), named: "drag me")
    hand.down(at: .zero)
    hand.move(8, [1: { [Double($0), 0] }])
    hand.host.remove(named: "drag me")
    #expect(hand.host.tokens.isEmpty)
    #expect(hand.host.state(of: "position")?.value == [8, 0])
  }

  // Clauses: S8.44
  @Test func `of two drags of one property the later one acts`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(axis: .x, slop: 0))
    let second = try hand.host.add(.draggable(axis: .y, slop: 0))
    hand.down(at: .zero)
    hand.move(8, [1: { [Double($0), Double($0)] }])
    #expect(hand.host.state(of: "position")?.value == [0, 8])
    hand.up(at: [8, 8])
    hand.host.remove(second)
    hand.down(at: .zero)
    hand.move(8, [1: { [Double($0), Double($0)] }])
    #expect(hand.host.state(of: "position")?.value == [8, 8])
  }

  // Clauses: S7.22
  @Test func `a tap sets the property, without velocity, and ends`() throws {
    let hand = Hand(["position": PropertyState([1, 2], velocity: [9, 9])])
    try hand.host.add(.setPositionOnTap())
    hand.down(at: [70, 80])
    hand.up(at: [72, 80])
    #expect(hand.host.state(of: "position") == PropertyState([72, 80]))
    #expect(hand.host.reports.map(\.content).contains(.ended("tap")))
    #expect(hand.host.tokens.isEmpty)
    hand.down(at: [0, 0])
    hand.up(at: [200, 0])
    #expect(hand.host.state(of: "position") == PropertyState([72, 80]), "that was no tap")
  }

  @Test func `a whole gesture in one message leaves the property where it ended`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    let events = (0...16).map { step in
      let phase: PointerEvent.Phase = step == 0 ? .down : step == 16 ? .up : .move
      return PointerEvent(id: 1, phase, at: [Double(step), 0], time: Double(step) / 64)
    }
    hand.host.receive(events)
    hand.stand(1)
    let state = try #require(hand.host.state(of: "position"))
    #expect(state.value == [16, 0] && abs(state.velocity[0] - 64) < 1e-6)
    #expect(hand.host.tokens.isEmpty)
  }

  @Test func `a drag ended and begun within a frame continues from its place`() throws {
    let hand = Hand()
    try hand.host.add(.draggable(slop: 0))
    func event(_ phase: PointerEvent.Phase, _ x: Double, _ time: Double) -> PointerEvent {
      PointerEvent(id: 1, phase, at: [x, 0], time: time)
    }
    hand.host.receive([event(.down, 0, 0), event(.move, 5, 0.01), event(.up, 5, 0.01)])
    hand.host.receive([event(.down, 100, 0.012), event(.move, 103, 0.014)])
    hand.stand(1)
    #expect(hand.host.state(of: "position")?.value == [8, 0])
    #expect(hand.host.tokens == ["drag"])
    #expect(hand.host.reports.count { $0.content == .ended("drag") } == 1)
  }

  // Clauses: S7.23
  @Test func `pointers of two devices are distinct even with the same number`() throws {
    let hand = Hand()
    try hand.host.add(.pinchable())
    hand.touch(1, .down, [0, 0], from: "left")
    hand.touch(1, .down, [100, 0], from: "right")
    hand.touch(1, .move, [200, 0], from: "right")
    hand.stand(1)
    #expect(hand.host.state(of: "scale")?.value == Lanes(2))
    // Events of a pointer that never went down, or has gone up, have no effect.
    hand.touch(1, .up, [200, 0], from: "right")
    hand.touch(1, .move, [900, 0], from: "right")
    hand.touch(7, .move, [900, 0], from: "left")
    hand.stand(1)
    #expect(hand.host.state(of: "scale")?.value == Lanes(2))
  }

  @Test(arguments: [
    Intention.draggable("mine"), .draggable("opacity"), .rotatable("position"), .setPositionOnTap("mine"),
  ])
  func `a property with another number of lanes is refused`(intention: Intention) throws {
    let hand = Hand()
    #expect(throws: Refusal.self) { try hand.host.add(intention) }
  }
}

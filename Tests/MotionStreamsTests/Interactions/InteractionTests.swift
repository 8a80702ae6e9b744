import MotionModel
import MotionStreams
import Testing

struct InteractionTests {
  private let clock = ManualFrameClock()

  // Clauses: S7.1
  @Test func `AttachWithSpring moves a position to its destination`() {
    let (position, destination) = (ReactiveProperty(0.0), ReactiveProperty(10.0))
    let runtime = MotionRuntime()
    let attach = AttachWithSpring(position: position, to: destination) { springSource($0, clock) }
    runtime.add(attach)
    for number in 1...2000 where clock.isWanted {
      clock.run(Frame(number: UInt64(number), time: Double(number) / 100, dt: 0.01))
    }
    #expect(position.read() == 10 && !clock.isWanted)
  }

  // Clauses: S7.9
  @Test func `SlopRegion reports exits and returns`() {
    let position = ReactiveProperty(Point(100, 0))
    var heard: [SlopEvent] = []
    let runtime = MotionRuntime()
    runtime.add(SlopRegion(position: position, axis: .x, origin: 100, size: 10) { heard.append($0) })
    for x in [105, 111, 120, 95, 80.0] { position.write([x, 0]) }
    #expect(heard == [.onExit, .onReturn, .onExit])
  }

  // Clauses: S7.10
  @Test func `ChangeDirection follows a fast release and ignores a slow one`() {
    let direction = ReactiveProperty(ChangeDirection.Direction.forward)
    let velocity = MotionSubject<Double>()
    let runtime = MotionRuntime()
    runtime.add(ChangeDirection(direction: direction, velocity: velocity.asStream()))
    velocity.next(-50)
    #expect(direction.read() == .forward)
    velocity.next(-500)
    #expect(direction.read() == .backward)
    velocity.next(100)
    #expect(direction.read() == .backward)
    velocity.next(101)
    #expect(direction.read() == .forward)
  }

  // Clauses: S7.2
  @Test func `streams can be replaced before they are connected`() {
    let direction = ReactiveProperty(ChangeDirection.Direction.backward)
    let change = ChangeDirection(direction: direction, velocity: MotionSubject<Double>().asStream())
    let other = MotionSubject<ChangeDirection.Direction>()
    change.directionStream = other.asStream()
    let region = SlopRegion(position: ReactiveProperty(Point.zero), axis: .y, origin: 0, size: 1)
    region.events = region.events.rewriteTo(.onExit)
    let runtime = MotionRuntime()
    runtime.add(change)
    runtime.add(region)
    other.next(.forward)
    #expect(direction.read() == .forward)
  }
}

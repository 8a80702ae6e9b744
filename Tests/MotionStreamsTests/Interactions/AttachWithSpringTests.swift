import MotionModel
import MotionPhysics
import MotionStreams
import Testing

/// The state that `AttachWithSpring` publishes, and when it rests.
struct AttachWithSpringTests {
  private let clock = ManualFrameClock()
  private let position = ReactiveProperty(0.0)
  private let destination = ReactiveProperty(100.0)
  private static let dt = 0.01

  private func attach(threshold: Double = 1) -> AttachWithSpring<Double> {
    AttachWithSpring(position: position, to: destination, threshold: threshold) { springSource($0, clock) }
  }

  private func frame() {
    let number = clock.frame.number + 1
    clock.run(Frame(number: number, time: Double(number) * Self.dt, dt: Self.dt))
  }

  /// The position in each frame until the spring rests.
  private func places() -> [Double] {
    var places: [Double] = []
    while clock.isWanted, places.count < 100_000 {
      frame()
      places.append(position.read())
    }
    return places
  }

  /// A spring's exact course to 100: displacement and velocity after each frame.
  private func solution(
    _ coefficients: SpringCoefficients = .default, velocity: Double = 0, frames: Int
  ) -> [(displacement: Double, velocity: Double)] {
    let step = LinearStep(
      tension: coefficients.tension / coefficients.mass, friction: coefficients.friction / coefficients.mass,
      dt: Self.dt)
    var state = (displacement: SIMD4(-100.0, 0, 0, 0), velocity: SIMD4(velocity, 0, 0, 0))
    return (0..<frames).map { _ in
      state = step.advance(displacement: state.displacement, velocity: state.velocity)
      return (state.displacement.x, state.velocity.x)
    }
  }

  private func expect(
    _ places: [Double], follow solution: [(displacement: Double, velocity: Double)],
    at location: SourceLocation = #_sourceLocation
  ) {
    // Except for the last, which is set to the spring's destination.
    for (place, state) in zip(places, solution).dropLast() where abs(place - (100 + state.displacement)) > 1e-9 {
      Issue.record("at \(place), not \(100 + state.displacement)", sourceLocation: location)
      return
    }
  }

  // Clauses: S7.1
  @Test func `the spring uses the given position and destination properties`() {
    let attach = attach()
    #expect(attach.position === position && attach.destination === destination)
    let runtime = MotionRuntime()
    runtime.add(attach)
    let places = places()
    #expect(places.last == 100)
    expect(places, follow: solution(frames: places.count))
    attach.destination.write(-50)
    #expect(self.places().last == -50 && attach.position.read() == -50)
  }

  // Clauses: S7.1
  @Test func `the initial velocity is used once`() {
    let attach = attach()
    attach.initialVelocity.write(-800)
    let runtime = MotionRuntime()
    runtime.add(attach)
    #expect(attach.initialVelocity.read() == 0)
    let places = places()
    expect(places, follow: solution(velocity: -800, frames: places.count))
    #expect(places.contains { $0 < -5 } && places.last == 100)
  }

  // Clauses: S7.1
  @Test func `the spring configuration can be set before, and changed during the motion`() {
    let attach = attach()
    let soft = SpringCoefficients(tension: 20, friction: 4)
    attach.springConfiguration.write(soft)
    let runtime = MotionRuntime()
    runtime.add(attach)
    var places: [Double] = []
    for _ in 0..<20 {
      frame()
      places.append(position.read())
    }
    let way = solution(soft, frames: 20)
    expect(places, follow: way)
    let stiff = SpringCoefficients(tension: 2000, friction: 10)
    attach.springConfiguration.write(stiff)
    frame()
    let step = LinearStep(tension: 2000, friction: 10, dt: Self.dt)
    let next = step.advance(
      displacement: SIMD4(way[19].displacement, 0, 0, 0), velocity: SIMD4(way[19].velocity, 0, 0, 0))
    #expect(abs(position.read() - (100 + next.displacement.x)) < 1e-9)
  }

  // Clauses: S7.2
  @Test func `another position stream replaces the spring's`() {
    let attach = attach()
    let other = MotionSubject<Double>()
    attach.positionStream = other.asStream()
    let runtime = MotionRuntime()
    runtime.add(attach)
    #expect(!clock.isWanted, "nobody subscribes to the spring")
    other.next(7)
    #expect(attach.position.read() == 7)
  }

  // Clauses: S7.1
  @Test(arguments: [0.01, 1, 50.0])
  func `a spring rests in the first frame whose energy is below the threshold's`(
    threshold: Double
  ) throws {
    let runtime = MotionRuntime()
    runtime.add(attach(threshold: threshold))
    let places = places()
    let stiffness = SpringCoefficients.default.tension / SpringCoefficients.default.mass
    let way = solution(frames: 10_000)
    let end = try #require(
      way.firstIndex { state in
        let energy = state.velocity * state.velocity + stiffness * state.displacement * state.displacement
        return energy < stiffness * threshold * threshold / 100
      })
    #expect(places.count == end + 1)
    expect(places, follow: way)
    #expect(places.last == 100)
  }
}

import MotionClient
import MotionModel
import MotionPhysics

/// What was heard of a ball that was dragged, thrown, caught in flight and let go, and what has to be true of it.
struct Toss {
  /// The ball in one frame.
  struct Moment {
    var frame: UInt64
    var time: Double
    var dt: Double
    var state: PropertyState
    /// Whether the worker with the hand was late, so that the ball was not where the hand was.
    var isLate: Bool
  }

  static let tension = 60.0
  static let friction = 4.0
  static let destination: Lanes = [300, 50]

  /// What the trace says that the hand did.
  let hand: [PointerEvent]
  private(set) var moments: [Moment] = []
  /// Who took the ball over, in order.
  private(set) var handOvers: [DriverChange] = []

  init(hand: [PointerEvent]) { self.hand = hand }

  mutating func hear(_ event: ValueSubscription.Event, _ reference: PropertyReference) {
    switch event {
    case .values(let values) where !values.isComplete:
      guard let ball = values[reference] else { return }
      moments.append(
        Moment(frame: values.frame, time: values.time, dt: values.dt, state: ball.state, isLate: ball.isLate))
    case .handedOver(let changes, _): handOvers += changes.filter { $0.reference == reference }
    default: break
    }
  }

  /// Who drove the ball, one after the other.
  var drivers: [String] { handOvers.map { $0.driver?.type.text ?? "nobody" } }

  /// Whether it has come to rest after the hand let it go for the last time.
  var isOver: Bool {
    handOvers.count >= 4 && moments.last?.state == PropertyState(Self.destination)
  }

  // MARK: The throw

  /// The last moment in the hand, with place and velocity of its release, and the first one of the spring.
  func release() throws -> (last: Moment, next: Moment) {
    guard let index = moments.lastIndex(where: { $0.time <= handOvers[1].time + $0.dt / 2 }),
      index + 1 < moments.count
    else { throw DemoFailure("the release of the ball was not heard") }
    return (moments[index], moments[index + 1])
  }

  /// The velocity of the throw that the trace tells: that of the hand's first touch at its end.
  func thrownVelocity() throws -> SIMD4<Double> {
    guard let end = hand.firstIndex(where: { $0.phase == .up }) else { throw DemoFailure("the hand never lets go") }
    var estimator = VelocityEstimator()
    for event in hand[...end] { estimator.add(SIMD4(event.location.x, event.location.y, 0, 0), at: event.time) }
    return estimator.velocity(at: hand[end].time)
  }

  /// Where the spring is one frame after it began at a moment, computed here by its formula.
  func spring(after moment: Moment, for dt: Double) -> PropertyState {
    let forces = ForceSum(
      spring: SpringCoefficients(tension: Self.tension, friction: Self.friction), anchor: Self.destination.storage)
    let next = LinearStep(forces: forces, dt: dt).advance(
      value: moment.state.value.storage, velocity: moment.state.velocity.storage, forces: forces)
    return PropertyState(Lanes(next.value, count: 2), velocity: Lanes(next.velocity, count: 2))
  }

  /// How far a moment is from where the hand of the trace let the ball go, in points.
  func distanceFromHand(at moment: Moment) throws -> Double {
    guard let begin = hand.first, let end = hand.first(where: { $0.phase == .up }) else {
      throw DemoFailure("the hand never lets go")
    }
    let way = end.location - begin.location
    return (0..<2).map { abs(moment.state.value[$0] - Self.destination[$0] - way[$0]) }.max() ?? .infinity
  }

  // MARK: The catch

  /// The last moment in flight, and those in the hand until it moves.
  func catching() throws -> (flight: Moment, held: [Moment]) {
    guard let index = moments.lastIndex(where: { $0.time <= handOvers[2].time + $0.dt / 2 }) else {
      throw DemoFailure("the ball was not seen in flight")
    }
    let held = moments[(index + 1)...].prefix { $0.time < handOvers[2].time + Self.holding }
    guard !held.isEmpty else { throw DemoFailure("the ball was not seen in the hand") }
    return (moments[index], Array(held))
  }

  /// How long the hand of the trace holds the ball still after the catch, less what the daemon may be late, in seconds.
  private static let holding = 0.2

  // MARK: Continuity

  /// The farthest that the ball went in one frame beyond what its velocities before and after the frame explain: where
  /// the spring drives, and over every hand-over.
  func largestJump() -> Double {
    let steps = zip(moments, moments.dropFirst()).filter { $1.frame == $0.frame + 1 && !isMovedByHand($0, $1) }
    return steps.map { before, after in
      (0..<2).map { lane in
        let step = after.state.value[lane] - before.state.value[lane]
        let speeds = [before.state.velocity[lane] * after.dt, after.state.velocity[lane] * after.dt]
        let (least, most) = (speeds.min() ?? 0, speeds.max() ?? 0)
        return max(0, least - step, step - most)
      }.max() ?? 0
    }.max() ?? 0
  }

  /// Whether it was the hand that moved the ball between two moments: how far it goes is not ours to say. The catch is
  /// ours, because the hand holds still.
  private func isMovedByHand(_ before: Moment, _ after: Moment) -> Bool {
    let begins = [handOvers[0].time - before.dt / 2, handOvers[2].time + before.dt / 2]
    return zip(begins, [handOvers[1].time, handOvers[3].time]).contains { begin, end in
      before.time > begin && after.time <= end + after.dt / 2
    }
  }

  /// In how many frames the worker with the hand was late, so that the ball was not where the hand was, and of how many.
  var lateness: (late: Int, frames: Int) { (moments.filter(\.isLate).count, moments.count) }
}

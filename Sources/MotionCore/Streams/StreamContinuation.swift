import MotionModel
import MotionPhysics

/// How a stream goes on from a property in motion: the difference between that and what the stream says fades, as at a
/// hand-over to a worker (``HandoverFade``), but for what the stream imposes.
///
/// The difference is taken as soon as the stream's velocity is known; until then the property goes on evenly.
struct StreamContinuation {
  private let start: PropertyState
  private let startTime: Double
  private let imposes: Imposed
  private var said: (state: PropertyState, time: Double)?
  private var fade: (HandoverFade, startTime: Double)?
  private var lastFrame: Double?

  /// A stream that is connected at `time` to a property that is at `start`; `nil` if that rests, or if the stream imposes
  /// all.
  init?(from start: PropertyState, at time: Double, imposing imposes: Imposed) {
    guard start.velocity.storage != .zero, !imposes.isSuperset(of: [.value, .velocity]) else { return nil }
    (self.start, startTime, self.imposes) = (start, time, imposes)
  }

  /// Whether the property is where the stream says.
  func isOver(at time: Double) -> Bool { fade.map { $0.0.isOver(at: time - $0.startTime) } ?? false }

  /// What the stream says at `time`, with what is left of the difference.
  ///
  /// - Parameter knowsVelocity: whether the state's velocity is that of the stream.
  mutating func follow(_ state: PropertyState, knowsVelocity: Bool, at time: Double) -> PropertyState {
    said = (state, time)
    if fade == nil, knowsVelocity { begin(with: state, at: time) }
    guard let fade else { return goesOn(to: time, instead: state) }
    return Self.sum(state, fade.0.offset(at: time - fade.startTime))
  }

  /// Goes on at the end of a frame in which the stream has said nothing; `nil` if it has, or never has.
  ///
  /// Who says nothing for a whole frame, and whose velocity is unknown, stands.
  mutating func goOn(at time: Double) -> PropertyState? {
    defer { lastFrame = time }
    guard let said, said.time < time else { return nil }
    if fade == nil {
      let standing = PropertyState(said.state.value)
      guard let lastFrame, said.time < lastFrame else { return goesOn(to: time, instead: standing) }
      self.said = (standing, said.time)
      begin(with: standing, at: time)
    }
    return fade.map { Self.sum(self.said?.state ?? said.state, $0.0.offset(at: time - $0.startTime)) }
  }

  private mutating func begin(with state: PropertyState, at time: Double) {
    let present = goesOn(to: time, instead: state)
    fade = (
      HandoverFade(
        value: present.value.storage - state.value.storage,
        velocity: imposes.contains(.velocity) ? .zero : start.velocity.storage - state.velocity.storage), time
    )
  }

  /// Where the property would be without the stream, but for what that imposes.
  private func goesOn(to time: Double, instead state: PropertyState) -> PropertyState {
    var present = state
    if !imposes.contains(.value) {
      present.value.storage = start.value.storage + start.velocity.storage * (time - startTime)
    }
    if !imposes.contains(.velocity) { present.velocity = start.velocity }
    return present
  }

  private static func sum(
    _ state: PropertyState, _ offset: (value: SIMD4<Double>, velocity: SIMD4<Double>)
  ) -> PropertyState {
    var state = state
    state.value.storage += offset.value
    state.velocity.storage += offset.velocity
    return state
  }
}

import MotionModel
import MotionPhysics

/// Continues a stream from a property in motion: the difference between the property and the stream fades, as at a
/// hand-over to a worker (``HandoverFade``), except what the stream imposes.
///
/// The difference is taken as soon as the stream's velocity is known; until then the property moves on evenly.
struct StreamContinuation {
  private let start: PropertyState
  private let startTime: Double
  private let imposes: Imposed
  private var said: (state: PropertyState, time: Double)?
  private var fade: (HandoverFade, startTime: Double)?
  private var lastFrame: Double?

  /// A continuation for a stream that is connected at `time` to a property with the state `start`; `nil` if the
  /// property rests, or if the stream imposes both value and velocity.
  init?(from start: PropertyState, at time: Double, imposing imposes: Imposed) {
    guard start.velocity.storage != .zero, !imposes.isSuperset(of: [.value, .velocity]) else { return nil }
    (self.start, startTime, self.imposes) = (start, time, imposes)
  }

  /// Whether the difference has faded, so that the property has the stream's state.
  func isOver(at time: Double) -> Bool { fade.map { $0.0.isOver(at: time - $0.startTime) } ?? false }

  /// The stream's state at `time` plus the rest of the difference.
  ///
  /// - Parameter knowsVelocity: whether the state's velocity is that of the stream.
  mutating func follow(_ state: PropertyState, knowsVelocity: Bool, at time: Double) -> PropertyState {
    said = (state, time)
    if fade == nil, knowsVelocity { begin(with: state, at: time) }
    guard let fade else { return goesOn(to: time, instead: state) }
    return Self.sum(state, fade.0.offset(at: time - fade.startTime))
  }

  /// The state at the end of a frame in which the stream has sent no value; `nil` if it has sent one, or never sent
  /// any.
  ///
  /// A stream that sends nothing for a whole frame, and whose velocity is unknown, stands.
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

  /// The property's state without the stream, except what the stream imposes.
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

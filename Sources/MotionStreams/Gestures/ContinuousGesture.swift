import MotionModel

/// What the recognisers of lasting gestures share: one way through the states. Each of them says what it measures.
protocol ContinuousGesture: ContinuousGestureRecognizer {
  var state: GestureState { get set }
  var pointers: PointerSet { get set }
  var centroid: SIMD2<Double> { get set }

  /// Fewer pointers than this are no such gesture.
  static var pointersNeeded: Int { get }

  /// Pointers came or went: goes on from where the gesture is with those that are there now, so that nothing jumps.
  mutating func regroup()
  /// One of the pointers moved by `movement`, or stands: measures what that makes of the gesture.
  mutating func follow(_ movement: SIMD2<Double>)
  /// Whether what was measured makes a possible gesture begin, after `placement`.
  func begins(after placement: PointerSet.Placement) -> Bool
  /// Counts from here: the gesture begins.
  mutating func begin()
}

extension ContinuousGesture {
  mutating func advance(_ event: PointerEvent) -> GestureState? {
    let placement = pointers.place(event)
    switch placement {
    case .ignored: return nil
    case .joined: regroup()
    // Devices repeat the last place when a pointer lifts. That is no sign that it stood still before.
    case .moved(.zero) where event.phase.lifts: break
    case .moved(let movement): follow(movement)
    }
    if let centre = pointers.centroid { centroid = centre }
    guard pointers.lift(event) else { return settle(after: placement) }
    regroup()
    return event.phase == .cancel ? end(state.isActive ? .cancelled : .failed) : settleAfterLift()
  }

  mutating func cancelAll() -> GestureState? {
    guard !pointers.isEmpty else { return nil }
    pointers.removeAll()
    regroup()
    return end(state.isActive ? .cancelled : .failed)
  }

  private mutating func settle(after placement: PointerSet.Placement) -> GestureState? {
    switch state {
    case .possible:
      guard pointers.count >= Self.pointersNeeded, begins(after: placement) else { return nil }
      begin()
      state = .began
    case .began, .changed: state = .changed
    // Until the last pointer is gone.
    case .cancelled, .failed: return nil
    case .ended, .recognized: preconditionFailure("a gesture stays \(state) after its event")
    }
    return state
  }

  private mutating func settleAfterLift() -> GestureState? {
    guard state.isActive else {
      if pointers.isEmpty { state = .possible }
      return nil
    }
    state = pointers.count < Self.pointersNeeded ? .possible : .changed
    return state == .possible ? .ended : .changed
  }

  /// Gives up on the pointers that are down.
  private mutating func end(_ reached: GestureState) -> GestureState? {
    let wasOver = state == .cancelled || state == .failed
    if !wasOver { state = reached }
    defer { if pointers.isEmpty { state = .possible } }
    return wasOver ? nil : reached
  }
}

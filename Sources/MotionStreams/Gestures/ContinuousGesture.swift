import MotionModel

/// The state machine that the recognisers of continuous gestures share. Each recogniser defines its own measurement.
protocol ContinuousGesture: ContinuousGestureRecognizer {
  var state: GestureState { get set }
  var pointers: PointerSet { get set }
  var centroid: SIMD2<Double> { get set }

  /// The least number of pointers of such a gesture.
  static var pointersNeeded: Int { get }

  /// Handles pointers that came or went: continues from the gesture's present measurement with the pointers that are
  /// down now, so that nothing jumps.
  mutating func regroup()
  /// Handles a pointer that moved by `movement`, or stands: updates the measurement.
  mutating func follow(_ movement: SIMD2<Double>)
  /// Whether the measurement makes a possible gesture begin, after `placement`.
  func begins(after placement: PointerSet.Placement) -> Bool
  /// Begins the gesture: measures from here.
  mutating func begin()
}

extension ContinuousGesture {
  mutating func advance(_ event: PointerEvent) -> GestureState? {
    let placement = pointers.place(event)
    switch placement {
    case .ignored: return nil
    case .joined: regroup()
    // Devices repeat the last place when a pointer lifts, which does not mean that it stood still before.
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
    // The state remains until the last pointer is gone.
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

  /// Ends the gesture of the pointers that are down, as cancelled or failed.
  private mutating func end(_ reached: GestureState) -> GestureState? {
    let wasOver = state == .cancelled || state == .failed
    if !wasOver { state = reached }
    defer { if pointers.isEmpty { state = .possible } }
    return wasOver ? nil : reached
  }
}

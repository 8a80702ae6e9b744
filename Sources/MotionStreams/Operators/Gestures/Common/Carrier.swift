import MotionModel

extension MotionObservable {
  /// The states of a value that a gesture moves, one with each frame of `clock`; see `Carrier`.
  ///
  /// - Parameter hold: called when the gesture takes hold of the value, with whether the gesture was under way before;
  ///   returns the value's state as a function of time, which reads the recogniser again at each call.
  func _carried<Recognizer, Result: MotionValue>(
    _ metadata: Metadata, _ clock: any FrameClock,
    hold: @escaping (Gesture<Recognizer>, Bool) -> (Double) -> Moving<Result>
  ) -> MotionObservable<Moving<Result>> where Value == Gesture<Recognizer> {
    MotionObservable<Moving<Result>>(metadata) { [self] observer in
      let carrier = Carrier(observer, clock)
      let disconnect = connect(MotionObserver(next: { carrier.handle($0, hold) }, state: carrier.handle))
      carrier.isConnected = true
      return {
        disconnect()
        carrier.frames = nil
      }
    }
  }

  /// The states of a value that a continuous gesture moves from the value of `start` at the time when it takes hold.
  ///
  /// - Parameters:
  ///   - movement: the measurement of the gesture.
  ///   - none: the measurement of pointers that have not moved.
  ///   - effect: the state of the value, from the start, the measurement at the start, and the present measurement.
  func _carried<Recognizer: ContinuousGestureRecognizer, Result: MotionValue>(
    _ metadata: Metadata, from start: ReactiveProperty<Result>, _ clock: any FrameClock,
    measuring movement: @escaping (Recognizer) -> Recognizer.Movement, from none: Recognizer.Movement,
    _ effect: @escaping (Result, Recognizer.Movement, Moving<Recognizer.Movement>) -> Moving<Result>
  ) -> MotionObservable<Moving<Result>> where Value == Gesture<Recognizer>, Recognizer.Movement: MotionValue {
    _carried(metadata, clock) { gesture, isUnderWay in
      let (base, origin) = (start.read(), isUnderWay ? movement(gesture.recognizer) : none)
      return { time in
        effect(base, origin, Moving(movement(gesture.recognizer), velocity: gesture.recognizer.velocity(at: time)))
      }
    }
  }
}

/// Sends the states of a value that a gesture moves, one with each frame.
///
/// The value is measured up to the time for which events are known: pointers stand still when no event arrives, not
/// when the newest event happened a while ago. The last state follows with the frame after the end of the gesture, and
/// the rest follows that state. The clock is subscribed to only while the value moves or its last state is owed.
private final class Carrier<Value: MotionValue> {
  var frames: Subscription?
  /// Whether values are those of events. At the subscription a gesture is sent as its last event left it.
  var isConnected = false
  private let observer: MotionObserver<Moving<Value>>
  private let clock: any FrameClock
  /// The state at a time, while the gesture holds the value.
  private var measure: ((Double) -> Moving<Value>)?
  /// The last state of a gesture that has ended; sent with the next frame.
  private var release: Moving<Value>?
  /// The time of the newest event that no frame has followed yet.
  private var newest: Double?
  /// The age of the newest event at the frame that followed it, in seconds: the latency of the path from the device.
  private var lag = 0.0

  init(_ observer: MotionObserver<Moving<Value>>, _ clock: any FrameClock) {
    (self.observer, self.clock) = (observer, clock)
  }

  func handle<Recognizer>(
    _ gesture: Gesture<Recognizer>, _ hold: (Gesture<Recognizer>, Bool) -> (Double) -> Moving<Value>
  ) {
    let (state, time) = (gesture.state, gesture.recognizer.pointers.time)
    if measure == nil {
      guard state.isActive || state == .recognized else { return }
      // Ended and begun again within one frame: the release comes first, so that the start is read after it.
      sendRelease()
      measure = hold(gesture, !isConnected || state == .changed)
      observer.state(.active)
    }
    if isConnected { newest = time }
    if !state.isActive, var last = measure?(time) {
      if state != .ended { last.velocity = .zero }
      (measure, release) = (nil, last)
    }
    if frames == nil { frames = clock.subscribe { [unowned self] in run($0) } }
  }

  func handle(_ state: MotionState) {
    if state == .atRest, measure == nil, release == nil { observer.state(.atRest) }
  }

  private func sendRelease() {
    guard let last = release else { return }
    release = nil
    observer.next(last)
    observer.state(.atRest)
  }

  private func run(_ frame: Frame) {
    if let newest { lag = max(0, frame.time - newest) }
    newest = nil
    sendRelease()
    let state = measure?(frame.time - lag)
    if state == nil || state?.velocity == .zero { frames = nil }
    if let state { observer.next(state) }
  }
}

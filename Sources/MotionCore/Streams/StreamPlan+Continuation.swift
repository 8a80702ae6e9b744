import MotionModel
import MotionStreams

extension StreamPlan {
  /// A value of a stream for a property.
  struct Said {
    var state: PropertyState
    /// Whether the velocity is that of the stream; otherwise it is not known yet.
    var knowsVelocity: Bool
  }

  /// A stream that continues from the property's present state whenever it is connected, if the property is in motion
  /// then.
  ///
  /// It is at rest when the stream is and the difference has faded.
  func continued(
    _ stream: MotionObservable<Said>, on property: PropertyName, imposing imposes: Imposed
  ) -> MotionObservable<StreamWrite> {
    let clock = clock
    return MotionObservable(stream.metadata) { [weak self] observer in
      let start: PropertyState? = try? self?.start(of: property)
      guard var continuation = start.flatMap({ StreamContinuation(from: $0, at: clock.time, imposing: imposes) }) else {
        let said = stream.subscribe(
          next: { observer.next(StreamWrite($0.state, imposing: imposes)) }, state: observer.state)
        return { said.unsubscribe() }
      }
      var (isOver, state, frames): (Bool, MotionState?, Subscription?) = (false, nil, nil)
      let said = stream.subscribe(
        next: { said in
          let state = continuation.follow(said.state, knowsVelocity: said.knowsVelocity, at: clock.time)
          observer.next(StreamWrite(state, imposing: imposes))
        },
        state: { new in
          state = new
          if isOver || new == .active { observer.state(new) }
        })
      // Subscribed after the stream, so that the stream runs first in each frame.
      frames = clock.subscribe { frame in
        if let state = continuation.goOn(at: frame.time) { observer.next(StreamWrite(state, imposing: imposes)) }
        isOver = continuation.isOver(at: frame.time)
        guard isOver else { return }
        frames?.unsubscribe()
        if state == .atRest { observer.state(.atRest) }
      }
      return {
        said.unsubscribe()
        frames?.unsubscribe()
      }
    }
  }
}

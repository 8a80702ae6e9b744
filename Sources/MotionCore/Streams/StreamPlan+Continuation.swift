import MotionModel
import MotionStreams

extension StreamPlan {
  /// What a stream says of a property.
  struct Said {
    var state: PropertyState
    /// Whether the velocity is that of the stream, or nothing is known of it yet.
    var knowsVelocity: Bool
  }

  /// A stream that goes on from where the property is whenever it is connected, if that is in motion by then.
  ///
  /// It rests when the stream does and the difference has faded.
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
      // After the stream, so that in each frame that is heard first.
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

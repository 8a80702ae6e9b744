/// Follows a gesture: emits it at once, and again on each change.
///
/// The source is `active` while the gesture is, from before the value with which it begins until after the one with
/// which it ends. Each state is emitted once, and the present one at subscription.
///
///     gesture:  possible  began      changed  ended
///     value:    g         g          g        g
///     state:     rest      active               rest
public func gestureSource<Recognizer>(_ gesture: Gesture<Recognizer>) -> MotionObservable<Gesture<Recognizer>> {
  MotionObservable(Metadata(Recognizer.sourceName, args: [gesture])) { observer in
    var told: MotionState?
    func propagate() {
      let state: MotionState = gesture.state.isActive ? .active : .atRest
      let isNew = state != told
      told = state
      if isNew, state == .active { observer.state(.active) }
      observer.next(gesture)
      if isNew, state == .atRest { observer.state(.atRest) }
    }
    let subscription = gesture.subscribe { _ in propagate() }
    propagate()
    return { subscription.unsubscribe() }
  }
}

public import MotionModel

/// Every frame of a clock, once.
///
/// Active from the moment on at which somebody listens, and never at rest: it keeps the clock running, as nothing else that
/// says a value each frame by itself is at rest. Whoever is at rest at times makes a source of its own, which listens to the
/// clock only meanwhile.
public func frameSource(_ clock: any FrameClock) -> MotionObservable<Frame> {
  MotionObservable(Metadata("frames")) { observer in
    observer.state(.active)
    let subscription = clock.subscribe(observer.next)
    return { subscription.unsubscribe() }
  }
}

public import MotionModel

/// Every frame of a clock, once.
///
/// The source is active from the moment of a subscription, and never at rest: it keeps the clock running, and a source
/// that emits a value each frame by itself is never at rest. An operator that is at rest at times creates a source of
/// its own, which subscribes to the clock only while it is active.
public func frameSource(_ clock: any FrameClock) -> MotionObservable<Frame> {
  MotionObservable(Metadata("frames")) { observer in
    observer.state(.active)
    let subscription = clock.subscribe(observer.next)
    return { subscription.unsubscribe() }
  }
}

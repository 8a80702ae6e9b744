public import MotionModel

/// Every frame of a clock. Always at work while somebody listens.
public func frameSource(_ clock: any FrameClock) -> MotionObservable<Frame> {
  MotionObservable(Metadata("frames")) { observer in
    observer.state(.active)
    let subscription = clock.subscribe(observer.next)
    return { subscription.unsubscribe() }
  }
}

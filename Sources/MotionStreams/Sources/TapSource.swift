/// Follows taps: for each one `active`, its location, `atRest`.
///
/// The source emits nothing at subscription, unless an observer of the same tap subscribes during it.
public func tapSource(_ tap: Gesture<TapGestureRecognizer>) -> MotionObservable<Point> {
  MotionObservable(Metadata("tapSource(_:)", args: [tap])) { observer in
    let subscription = TapSubscription(to: tap, observer)
    return { subscription.unsubscribe() }
  }
}

/// The connection of an observer to the taps of a gesture.
public final class TapSubscription: Subscription {
  /// Notifies `observer` of each tap until it is unsubscribed.
  init(to tap: Gesture<TapGestureRecognizer>, _ observer: MotionObserver<Point>) {
    let subscription = tap.subscribe { Self.propagate($0, to: observer) }
    super.init { subscription.unsubscribe() }
    Self.propagate(tap, to: observer)
  }

  private static func propagate(_ tap: Gesture<TapGestureRecognizer>, to observer: MotionObserver<Point>) {
    guard tap.state == .recognized else { return }
    observer.state(.active)
    observer.next(tap.recognizer.centroid)
    observer.state(.atRest)
  }
}

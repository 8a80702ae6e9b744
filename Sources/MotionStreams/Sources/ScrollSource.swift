/// A scrollable object: how far it is scrolled, and whether a hand or its momentum moves it.
public final class Scrollable: Inspectable {
  /// The name in metadata.
  public let name: String
  /// The distance scrolled.
  public let offset: ReactiveProperty<Point>
  /// Whether it is being scrolled.
  public let isScrolling: ReactiveProperty<Bool>

  /// Creates an object that is not scrolled.
  public init(_ name: String = "scrollable") {
    self.name = name
    offset = ReactiveProperty(.zero, named: "offset", of: name)
    isScrolling = ReactiveProperty(false, named: "isScrolling", of: name)
  }

  /// `page`
  public var inspected: String { name }
}

/// The distance scrolled: at once, and at each change; active while the object is being scrolled.
public func scrollSource(_ scrollable: Scrollable) -> MotionObservable<Point> {
  MotionObservable(Metadata("scroll(_:)", args: [scrollable])) { observer in
    let subscriptions = [
      scrollable.isScrolling.subscribe { observer.state($0 ? .active : .atRest) },
      scrollable.offset.subscribe { observer.next($0) },
    ]
    return { for subscription in subscriptions { subscription.unsubscribe() } }
  }
}

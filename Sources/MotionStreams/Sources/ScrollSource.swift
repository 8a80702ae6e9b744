/// Something that scrolls: how far, and whether a hand or its momentum moves it.
public final class Scrollable: Inspectable {
  /// What it is called in metadata.
  public let name: String
  /// How far it is scrolled.
  public let offset: ReactiveProperty<Point>
  /// Whether it is being scrolled.
  public let isScrolling: ReactiveProperty<Bool>

  /// Something that is not scrolled.
  public init(_ name: String = "scrollable") {
    self.name = name
    offset = ReactiveProperty(.zero, named: "offset", of: name)
    isScrolling = ReactiveProperty(false, named: "isScrolling", of: name)
  }

  /// `page`
  public var inspected: String { name }
}

/// How far something is scrolled: at once, and at each change; active while it is being scrolled.
public func scrollSource(_ scrollable: Scrollable) -> MotionObservable<Point> {
  MotionObservable(Metadata("scroll(_:)", args: [scrollable])) { observer in
    let subscriptions = [
      scrollable.isScrolling.subscribe { observer.state($0 ? .active : .atRest) },
      scrollable.offset.subscribe { observer.next($0) },
    ]
    return { for subscription in subscriptions { subscription.unsubscribe() } }
  }
}

/// Ends a subscription.
public typealias Disconnect = () -> Void
/// Ends a subscription; another name of ``Disconnect``.
public typealias Unsubscribe = Disconnect

/// A disconnect for sources that hold nothing.
public let noopDisconnect: @Sendable () -> Void = {}

/// The way to end what was subscribed to. It ends when it is released, too, so keep it.
///
/// A source may make a subclass of its own, which holds the connection to what it listens to and overrides
/// ``unsubscribe()``: an observable whose `connect` returns it calls that once. Of an observable it keeps nothing alive.
open class Subscription {
  private var disconnect: Disconnect?

  /// A subscription for a subclass that overrides ``unsubscribe()``.
  public init() { disconnect = noopDisconnect }

  /// A subscription that `disconnect` ends.
  public init(_ disconnect: @escaping Disconnect) { self.disconnect = disconnect }

  deinit { disconnect?() }

  /// Whether it has not ended.
  public final var isSubscribed: Bool { disconnect != nil }

  /// Ends the subscription. The first call disconnects, later ones do nothing; safe while a value is on its way, of which
  /// the observer hears no more.
  open func unsubscribe() {
    let last = disconnect
    disconnect = nil
    last?()
  }
}

/// Ends a subscription.
public typealias Disconnect = () -> Void
/// Ends a subscription; another name of ``Disconnect``.
public typealias Unsubscribe = Disconnect

/// A disconnect for sources that hold nothing.
public let noopDisconnect: @Sendable () -> Void = {}

/// The handle that ends a subscription. Releasing it ends the subscription too, so keep it.
///
/// A source may define a subclass, which holds the connection to its own source and overrides ``unsubscribe()``: an
/// observable whose `connect` returns it calls that method once. It keeps no part of an observable alive.
open class Subscription {
  private var disconnect: Disconnect?

  /// Creates a subscription for a subclass that overrides ``unsubscribe()``.
  public init() { disconnect = noopDisconnect }

  /// Creates a subscription that `disconnect` ends.
  public init(_ disconnect: @escaping Disconnect) { self.disconnect = disconnect }

  deinit { disconnect?() }

  /// Whether it has not ended.
  public final var isSubscribed: Bool { disconnect != nil }

  /// Ends the subscription. The first call disconnects, later ones do nothing. It is safe during the delivery of a
  /// value; the observer receives nothing more.
  open func unsubscribe() {
    let last = disconnect
    disconnect = nil
    last?()
  }
}

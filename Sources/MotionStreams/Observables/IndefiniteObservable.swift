/// A consumer of values.
public protocol Observer {
  /// The type of the values.
  associatedtype Value
  /// Receives a value.
  var next: (Value) -> Void { get }
}

/// A stream that neither ends nor fails: a recipe for connecting an observer to a source.
///
/// It is cold: `connect` runs once for each subscription. Source: the IndefiniteObservable specification of Material
/// Motion, 2016.
open class IndefiniteObservable<O: Observer> {
  /// Connects an observer to the source and returns the closure that disconnects it.
  public typealias Connect = (O) -> Disconnect

  @usableFromInline let connect: Connect

  /// Creates a stream from the source that `connect` connects to.
  @inlinable public init(_ connect: @escaping Connect) { self.connect = connect }

  /// Connects an observer, until the subscription is ended or released.
  ///
  /// `connect` must ensure that no value arrives after that; a ``MotionObservable`` ensures it whatever its source
  /// does.
  @inlinable public func subscribe(observer: O) -> Subscription { Subscription(connect(observer)) }
}

/// Something that values can be given to.
public protocol Observer {
  /// The values that it takes.
  associatedtype Value
  /// Takes a value.
  var next: (Value) -> Void { get }
}

/// A stream that neither ends nor fails: a recipe for connecting an observer to a source.
///
/// It is cold: `connect` runs once for each subscription. Source: the IndefiniteObservable specification of Material
/// Motion, 2016.
open class IndefiniteObservable<O: Observer> {
  /// Connects an observer to the source and says how to disconnect it.
  public typealias Connect = (O) -> Disconnect

  @usableFromInline let connect: Connect

  /// A stream from what `connect` connects to.
  @inlinable public init(_ connect: @escaping Connect) { self.connect = connect }

  /// Connects an observer, until the subscription is ended or released.
  ///
  /// That nothing is heard after that is for `connect` to see to; a ``MotionObservable`` sees to it whatever its source
  /// does.
  @inlinable public func subscribe(observer: O) -> Subscription { Subscription(connect(observer)) }
}

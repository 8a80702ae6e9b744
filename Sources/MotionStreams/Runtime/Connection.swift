/// A stream that is connected to a property or a callback. It stays connected until it is removed, even if no reference
/// to this object is kept.
public final class Connection {
  /// The connected stream.
  let stream: Metadata
  /// The property that the stream is written to, if any.
  let target: (any PropertyArgument)?
  /// The number; connections are numbered in the order of their creation.
  let number: Int
  private var subscription: Subscription?
  private var onRemoval: (() -> Void)?

  init(_ stream: Metadata, to target: (any PropertyArgument)?, number: Int) {
    self.stream = stream
    self.target = target
    self.number = number
  }

  /// The connected stream and its destination: `.writeTo(position, of: ball)`.
  public var metadata: Metadata {
    guard let target else { return stream }
    return stream.with("writeTo(:of:)", args: [target.name] + (target.owner.map { [$0] } ?? []))
  }

  /// The property that is written, if any: `position of ball`.
  public var property: String? { target?.inspected }

  func open(_ subscription: Subscription, onRemoval: @escaping () -> Void) {
    self.subscription = subscription
    self.onRemoval = onRemoval
  }

  /// Ends the connection permanently.
  public func remove() {
    subscription?.unsubscribe()
    subscription = nil
    let last = onRemoval
    onRemoval = nil
    last?()
  }
}

/// The connections that an interaction made.
public struct Connections {
  private let connections: [Connection]

  init(_ connections: [Connection]) { self.connections = connections }

  /// The number of connections.
  public var count: Int { connections.count }

  /// Ends all connections permanently.
  public func remove() { for connection in connections { connection.remove() } }
}

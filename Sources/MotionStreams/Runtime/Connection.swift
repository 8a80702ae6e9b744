/// A stream that is held to a property. It stays until it is removed, also when nobody holds on to this.
public final class Connection {
  /// The stream that is heard.
  let stream: Metadata
  /// The property that it is written to, if to one.
  let target: (any PropertyArgument)?
  /// Connections are numbered as they are made.
  let number: Int
  private var subscription: Subscription?
  private var onRemoval: (() -> Void)?

  init(_ stream: Metadata, to target: (any PropertyArgument)?, number: Int) {
    self.stream = stream
    self.target = target
    self.number = number
  }

  /// What is connected: the stream, and where it goes: `.writeTo(position, of: ball)`.
  public var metadata: Metadata {
    guard let target else { return stream }
    return stream.with("writeTo(:of:)", args: [target.name] + (target.owner.map { [$0] } ?? []))
  }

  /// The property that is written, if one is: `position of ball`.
  public var property: String? { target?.inspected }

  func open(_ subscription: Subscription, onRemoval: @escaping () -> Void) {
    self.subscription = subscription
    self.onRemoval = onRemoval
  }

  /// Ends it, for good.
  public func remove() {
    subscription?.unsubscribe()
    subscription = nil
    let last = onRemoval
    onRemoval = nil
    last?()
  }
}

/// What an interaction connected.
public struct Connections {
  private let connections: [Connection]

  init(_ connections: [Connection]) { self.connections = connections }

  /// How many there are.
  public var count: Int { connections.count }

  /// Ends them all, for good.
  public func remove() { for connection in connections { connection.remove() } }
}

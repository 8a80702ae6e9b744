/// A stream that is held to a property. It stays until it is removed, also when nobody holds on to this.
public final class Connection {
  /// What is connected: the stream and where it goes.
  public let metadata: Metadata
  /// The property that is written, if one is.
  public let property: String?
  private var subscription: Subscription?
  private var onRemoval: (() -> Void)?

  init(_ metadata: Metadata, to property: String?) {
    self.metadata = metadata
    self.property = property
  }

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

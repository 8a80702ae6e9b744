import CZeroMQ

/// The kind of a socket. The compiler decides by it which calls exist.
public protocol SocketKind {
  /// libzmq's number of the kind.
  static var type: Int32 { get }
  /// libzmq's name of the kind, for error messages.
  static var name: String { get }
}

/// Kinds that send without the name of a receiver.
public protocol SendingKind: SocketKind {}
/// Kinds that receive messages of any content.
public protocol ReceivingKind: SocketKind {}
/// Kinds that select messages by their first bytes.
public protocol SubscribingKind: ReceivingKind {}

/// Sends to all subscribers and receives their subscriptions (XPUB).
public enum PublishKind: SendingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_XPUB
  /// libzmq's name of the kind.
  public static let name = "XPUB"
}

/// Receives the messages that it subscribed to (SUB).
public enum SubscribeKind: SubscribingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_SUB
  /// libzmq's name of the kind.
  public static let name = "SUB"
}

/// Exchanges messages with many peers, each by its routing id (ROUTER).
public enum RouterKind: ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_ROUTER
  /// libzmq's name of the kind.
  public static let name = "ROUTER"
}

/// Exchanges messages with a router (DEALER).
public enum DealerKind: SendingKind, ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_DEALER
  /// libzmq's name of the kind.
  public static let name = "DEALER"
}

/// Exchanges messages with exactly one peer (PAIR).
public enum PairKind: SendingKind, ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_PAIR
  /// libzmq's name of the kind.
  public static let name = "PAIR"
}

/// An XPUB socket. It receives only subscriptions.
public typealias PublishSocket = Socket<PublishKind>
/// A SUB socket. It cannot send.
public typealias SubscribeSocket = Socket<SubscribeKind>
/// A ROUTER socket. It sends only to a named peer.
public typealias RouterSocket = Socket<RouterKind>
/// A DEALER socket.
public typealias DealerSocket = Socket<DealerKind>
/// A PAIR socket.
public typealias PairSocket = Socket<PairKind>

import CZeroMQ

/// What kind of socket: which of its calls exist is decided when the program is compiled.
public protocol SocketKind {
  /// libzmq's number of the kind.
  static var type: Int32 { get }
  /// libzmq's name of the kind, for messages.
  static var name: String { get }
}

/// Kinds that send without naming a receiver.
public protocol SendingKind: SocketKind {}
/// Kinds that receive messages of any content.
public protocol ReceivingKind: SocketKind {}
/// Kinds that choose what they receive by its first bytes.
public protocol SubscribingKind: ReceivingKind {}

/// Sends to all subscribers and hears what they subscribe to (XPUB).
public enum PublishKind: SendingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_XPUB
  /// libzmq's name of the kind.
  public static let name = "XPUB"
}

/// Receives what it subscribed to (SUB).
public enum SubscribeKind: SubscribingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_SUB
  /// libzmq's name of the kind.
  public static let name = "SUB"
}

/// Talks to many peers, each by its routing id (ROUTER).
public enum RouterKind: ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_ROUTER
  /// libzmq's name of the kind.
  public static let name = "ROUTER"
}

/// Talks to a router (DEALER).
public enum DealerKind: SendingKind, ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_DEALER
  /// libzmq's name of the kind.
  public static let name = "DEALER"
}

/// Talks to exactly one peer (PAIR).
public enum PairKind: SendingKind, ReceivingKind {
  /// libzmq's number of the kind.
  public static let type = ZMQ_PAIR
  /// libzmq's name of the kind.
  public static let name = "PAIR"
}

/// An XPUB socket. It receives nothing but subscriptions.
public typealias PublishSocket = Socket<PublishKind>
/// A SUB socket. It cannot send.
public typealias SubscribeSocket = Socket<SubscribeKind>
/// A ROUTER socket. It sends to nobody without naming whom.
public typealias RouterSocket = Socket<RouterKind>
/// A DEALER socket.
public typealias DealerSocket = Socket<DealerKind>
/// A PAIR socket.
public typealias PairSocket = Socket<PairKind>

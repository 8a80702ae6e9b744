public import MotionWire

/// What a gateway is started with.
public struct GatewaySettings: Sendable {
  /// Who may connect to its sockets.
  public enum Access: Hashable, Sendable {
    /// Programs of the user that it runs as.
    case owner
    /// Those of a group too.
    case group(String)
    /// Everybody on the machine.
    case everybody
  }

  /// Where motiond's sockets are.
  public var motiond: RuntimePaths
  /// Where the gateway's own are: `client/` below it, as with motiond, so that every client finds its way.
  public var own: RuntimePaths
  /// Who may connect.
  public var access = Access.owner
  /// What they may do.
  public var permissions = Permissions()
  /// How much of it.
  public var limits = GatewayLimits()

  /// A gateway between these directories.
  public init(motiond: RuntimePaths, own: RuntimePaths) {
    self.motiond = motiond
    self.own = own
  }
}

/// Why a gateway cannot start: what is wrong, and what to do.
public struct GatewayError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, as a sentence and its remedy.
  public let description: String

  init(_ problem: String, remedy: String) { description = "\(problem). \(remedy)" }
}

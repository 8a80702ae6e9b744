public import MotionWire
import ZeroMQ

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
  /// Who may connect from other machines, if anybody.
  package var network: NetworkDoor?
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

/// Where a gateway listens to clients on other machines.
package struct NetworkDoor: Sendable {
  /// Control, and values at the port after it.
  let endpoints: [Endpoint]
  /// The gateway's own keys.
  let pair: CurveKeyFile
  /// The keys of those who may connect, when it was made.
  let admitted: Set<CurveKey>
  /// Where they are written.
  private let places: [String]

  /// A door at `tcp://HOST:PORT`.
  ///
  /// - Parameters:
  ///   - key: the file of the gateway's own pair.
  ///   - admitted: the public keys of those who may connect, or files that hold some.
  /// - Throws: ``GatewayError`` when that is no address, and an error for a key that cannot be used.
  package init(listen: String, key: String, admitted: [String]) throws {
    endpoints = try Endpoint.row(of: listen, option: "--listen", count: 2)
    pair = try CurveKeyFile(reading: key)
    places = admitted
    self.admitted = try Self.keys(in: places)
  }

  /// The keys of those who may connect, as the files say now.
  ///
  /// - Throws: ``KeyFileError`` when one of them cannot be used.
  func readAdmitted() throws(KeyFileError) -> Set<CurveKey> { try Self.keys(in: places) }

  private static func keys(in places: [String]) throws(KeyFileError) -> Set<CurveKey> {
    var keys: Set<CurveKey> = []
    for place in places { keys.formUnion(try CurveKeyFile.publicKeys(place)) }
    return keys
  }
}

/// Why a gateway cannot start: what is wrong, and what to do.
public struct GatewayError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, as a sentence and its remedy.
  public let description: String
  /// Whether it was told what can never be right.
  public let isUsage: Bool

  init(_ problem: String, remedy: String, isUsage: Bool = false) {
    description = "\(problem). \(remedy)"
    self.isUsage = isUsage
  }
}

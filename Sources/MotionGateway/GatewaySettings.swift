public import MotionWire
import ZeroMQ

/// The settings of a gateway for clients.
public struct GatewaySettings: Sendable {
  /// Which local users may connect to the gateway's sockets.
  public enum Access: Hashable, Sendable {
    /// The user that runs the gateway.
    case owner
    /// Also the members of a group.
    case group(String)
    /// Every user of the machine.
    case everybody
  }

  /// The directory of motiond's sockets.
  public var motiond: RuntimePaths
  /// The directory of the gateway's own sockets: they are in `client/` below it, as motiond's are, so that every client
  /// finds them.
  public var own: RuntimePaths
  /// Which local users may connect.
  public var access = Access.owner
  /// Where clients on other machines may connect; `nil` if they may not.
  package var network: NetworkDoor?
  /// The permissions of clients.
  public var permissions = Permissions()
  /// How much clients may use.
  public var limits = GatewayLimits()

  /// The settings for a gateway between these directories.
  public init(motiond: RuntimePaths, own: RuntimePaths) {
    self.motiond = motiond
    self.own = own
  }
}

/// Where a gateway listens to clients on other machines.
package struct NetworkDoor: Sendable {
  /// Control, and values at the next port.
  let endpoints: [Endpoint]
  /// The gateway's own pair of keys.
  let pair: CurveKeyFile
  /// The keys that may connect, as of `init`.
  let admitted: Set<CurveKey>
  /// The keys, and the files that hold keys, as given.
  private let places: [String]

  /// A listener at `tcp://HOST:PORT`.
  ///
  /// - Parameters:
  ///   - key: the file of the gateway's own pair.
  ///   - admitted: the public keys that may connect, or files that hold some.
  /// - Throws: ``GatewayError`` when `listen` is not such an address, and an error for a key that cannot be used.
  package init(listen: String, key: String, admitted: [String]) throws {
    endpoints = try Endpoint.row(of: listen, option: "--listen", count: 2)
    pair = try CurveKeyFile(reading: key)
    places = admitted
    self.admitted = try Self.keys(in: places)
  }

  /// Reads the keys that may connect from the files again.
  ///
  /// - Throws: ``KeyFileError`` when one of them cannot be used.
  func readAdmitted() throws(KeyFileError) -> Set<CurveKey> { try Self.keys(in: places) }

  private static func keys(in places: [String]) throws(KeyFileError) -> Set<CurveKey> {
    var keys: Set<CurveKey> = []
    for place in places { keys.formUnion(try CurveKeyFile.publicKeys(place)) }
    return keys
  }
}

/// The reason why a gateway cannot start, and the remedy.
public struct GatewayError: Error, Sendable, CustomStringConvertible {
  /// The problem as a sentence, and its remedy.
  public let description: String
  /// Whether the usage is wrong, so that another start with the same settings cannot succeed.
  public let isUsage: Bool

  init(_ problem: String, remedy: String, isUsage: Bool = false) {
    description = "\(problem). \(remedy)"
    self.isUsage = isUsage
  }
}

import Glibc
import LinuxSystem
import MotionWire
import ZeroMQ

/// The directory of a gateway's sockets. It is locked for the lifetime of this object.
///
/// libzmq replaces a socket file that another process listens on. The lock is therefore taken before any bind.
final class GatewayDirectory {
  let control: Endpoint
  let values: Endpoint
  /// Maps the incarnations of untrusted clients to others: see ``Gateway/veil(_:)``.
  let secret: UInt64

  private let access: GatewaySettings.Access
  private let lock: Int32

  /// Makes the directory and takes the lock.
  ///
  /// - Throws: ``GatewayError`` when another gateway holds the lock, or the directory cannot be made or used.
  init(_ paths: RuntimePaths, access: GatewaySettings.Access) throws {
    if let problem = paths.problem { throw GatewayError(problem, remedy: "Then start again", isUsage: true) }
    self.access = access
    let (others, group) = try access.resolved
    try Self.make(paths.directory, mode: 0o700 | others * 0o5, group: group)
    lock = open(paths.lockFile, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw GatewayError(
        errno == EWOULDBLOCK
          ? "another gateway runs in \(paths.directory)" : "\(paths.lockFile) cannot be locked: \(Self.reason)",
        remedy: "Give this one another --gateway-dir")
    }
    secret = try Self.secret(in: "\(paths.directory)/secret")
    control = try .ipc(paths.controlSocket)
    values = try .ipc(paths.valuesSocket)
    try Self.make(paths.clientDirectory, mode: 0o700 | others * 0o5, group: group, isWithinOurs: true)
  }

  deinit { close(lock) }

  /// Opens the sockets to the allowed users. Until then only the owner can use them.
  func openSockets() throws {
    let (others, group) = try access.resolved
    for path in [control, values].compactMap(\.path) {
      guard group.map({ chown(path, uid_t.max, $0) == 0 }) ?? true else {
        throw GatewayError("\(path) cannot be given to the group: \(Self.reason)", remedy: "Run as a member of it")
      }
      guard chmod(path, 0o600 | others * 0o6) == 0 else {
        throw GatewayError("the mode of \(path) cannot be set: \(Self.reason)", remedy: "Run as its owner")
      }
    }
  }

  /// Removes the socket files. The lock file stays: if it were removed, two gateways could each hold a lock.
  func removeSockets() {
    for path in [control, values].compactMap(\.path) { unlink(path) }
  }

  private static func make(
    _ path: String, mode: mode_t, group: gid_t?, isWithinOurs: Bool = false
  ) throws(GatewayError) {
    do {
      try PrivateDirectory.make(path, mode: mode, group: group, isWithinOurs: isWithinOurs)
    } catch {
      throw GatewayError("\(error.step): \(error.problem)", remedy: error.remedy)
    }
  }

  /// Reads the secret, or generates it once and stores it. Clients thereby keep their identities when the gateway
  /// restarts.
  private static func secret(in path: String) throws -> UInt64 {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw GatewayError("\(path) cannot be opened: \(reason)", remedy: "Remove it, or choose another --gateway-dir")
    }
    defer { close(descriptor) }
    var number: UInt64 = 0
    if read(descriptor, &number, 8) == 8 { return number }
    number = .random(in: 1...UInt64.max)
    guard pwrite(descriptor, &number, 8, 0) == 8 else {
      throw GatewayError("\(path) cannot be written: \(reason)", remedy: "Make room, or choose another --gateway-dir")
    }
    return number
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

extension GatewaySettings.Access {
  /// The permission bits for users other than the owner, as a factor, and the group, if access is by group.
  fileprivate var resolved: (others: mode_t, group: gid_t?) {
    get throws(GatewayError) {
      switch self {
      case .owner: return (0, nil)
      case .group(let name):
        guard let group = getgrnam(name) else {
          throw GatewayError("there is no group \(name)", remedy: "Make it, or give --group another")
        }
        return (0o10, group.pointee.gr_gid)
      case .everybody: return (0o11, nil)
      }
    }
  }
}

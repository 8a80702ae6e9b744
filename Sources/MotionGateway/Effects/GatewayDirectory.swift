import Glibc
import MotionWire
import ZeroMQ

/// The directory of a gateway's sockets, held by a lock for as long as this lives.
///
/// libzmq replaces a socket file that another process listens on, so the lock comes before any bind.
final class GatewayDirectory {
  let control: Endpoint
  let values: Endpoint
  /// What turns the incarnations of strangers into others: see ``Gateway/veil(_:)``.
  let secret: UInt64

  private let access: GatewaySettings.Access
  private let lock: Int32

  /// Makes the directory and takes the lock.
  ///
  /// - Throws: ``GatewayError`` when another gateway holds the lock, or the directory cannot be made or used.
  init(_ paths: RuntimePaths, access: GatewaySettings.Access) throws {
    if let problem = paths.problem { throw GatewayError(problem, remedy: "Then start again") }
    self.access = access
    for directory in [paths.directory, paths.clientDirectory] {
      guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
        throw GatewayError("\(directory) cannot be made: \(Self.reason)", remedy: "Make it, or choose another")
      }
    }
    lock = open(paths.lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw GatewayError(
        errno == EWOULDBLOCK
          ? "another gateway runs in \(paths.directory)" : "\(paths.lockFile) cannot be locked: \(Self.reason)",
        remedy: "Give this one another --gateway-dir")
    }
    secret = try Self.secret(in: "\(paths.directory)/secret")
    control = try .ipc(paths.controlSocket)
    values = try .ipc(paths.valuesSocket)
    for directory in [paths.directory, paths.clientDirectory] { try permit(directory, mode: 0o700, forOthers: 0o5) }
  }

  deinit { close(lock) }

  /// Lets those use the sockets who may; until then, only the owner can.
  func openSockets() throws {
    for path in [control, values].compactMap(\.path) { try permit(path, mode: 0o600, forOthers: 0o6) }
  }

  /// Removes the socket files; the lock file stays, because removing it would let two hold it.
  func removeSockets() {
    for path in [control, values].compactMap(\.path) { unlink(path) }
  }

  private func permit(_ path: String, mode: mode_t, forOthers others: mode_t) throws {
    var mode = mode
    switch access {
    case .owner: break
    case .group(let name):
      mode |= others << 3
      guard let group = getgrnam(name) else {
        throw GatewayError("there is no group \(name)", remedy: "Make it, or give --group another")
      }
      guard chown(path, uid_t.max, group.pointee.gr_gid) == 0 else {
        throw GatewayError(
          "\(path) cannot be given to the group \(name): \(Self.reason)", remedy: "Run as a member of it")
      }
    case .everybody: mode |= others << 3 | others
    }
    guard chmod(path, mode) == 0 else {
      throw GatewayError("the mode of \(path) cannot be set: \(Self.reason)", remedy: "Run as its owner")
    }
  }

  /// A number that is made once and kept, so that clients are who they were when the gateway comes back.
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

import Glibc
import MotionWire
import ZeroMQ

/// The directories of a coordinator's sockets, held by a lock for as long as this lives.
///
/// libzmq replaces a socket file that another process listens on, so the lock comes before any bind. Directories are
/// 0700: who may not enter cannot connect. Where other users may be clients, the way to the clients' sockets is open to
/// the group (0710) or to everybody (0711), of whom the authenticator then lets in those who are allowed.
final class RuntimeDirectory {
  /// Where the sockets are.
  enum SocketKind: Sendable {
    /// In files of the directory.
    case files
    /// In this process, under the names of those files: for simulations, where no thread of libzmq has a part.
    case process
  }

  /// The sockets of clients.
  let control: Endpoint
  let values: Endpoint
  /// The sockets of workers.
  let link: Endpoint
  let commands: Endpoint
  let ticks: Endpoint
  let events: Endpoint

  /// The directory of the workers' sockets.
  let workers: String

  /// Where the sockets are.
  let sockets: SocketKind

  private let clients: AllowedClients
  private let lock: FileLock

  /// Makes the directories and takes the lock.
  ///
  /// - Parameters:
  ///   - clients: whom the way to the clients' sockets is open to.
  ///   - sockets: where the sockets are to be.
  /// - Throws: ``StartError`` when another coordinator holds the lock, or the directories cannot be made or are not ours.
  init(
    _ directory: String, clients: AllowedClients = AllowedClients(own: geteuid()), sockets: SocketKind = .files
  ) throws {
    // Workers run in folders of their own: the way to the sockets must not depend on ours.
    let paths = RuntimePaths(directory: AbsolutePath.of(directory))
    if let problem = paths.problem { throw StartError("use \(directory)", problem, remedy: "Then start again") }
    self.clients = clients
    try Self.makePrivate(paths.directory, mode: clients.directoryMode, group: clients.groupID)
    lock = try FileLock(paths.lockFile, option: "--runtime-dir", ifTaken: "runs in this directory")
    try Self.makePrivate(
      paths.clientDirectory, mode: clients.directoryMode, group: clients.groupID, isWithinOurs: true)
    try Self.makePrivate(paths.workerDirectory, isWithinOurs: true)
    workers = paths.workerDirectory
    control = try sockets.endpoint(paths.controlSocket)
    values = try sockets.endpoint(paths.valuesSocket)
    link = try sockets.endpoint(paths.linkSocket)
    commands = try sockets.endpoint(paths.commandsSocket)
    ticks = try sockets.endpoint(paths.ticksSocket)
    events = try sockets.endpoint(paths.eventsSocket)
    self.sockets = sockets
  }

  /// Gives the socket file of an endpoint the mode that fits who may open it, whatever the mask of the process is.
  func restrict(_ endpoint: Endpoint) throws {
    guard let path = endpoint.path else { return }
    let isForClients = endpoint == control || endpoint == values
    let group = isForClients ? clients.groupID : nil
    guard chmod(path, isForClients ? clients.socketMode : 0o600) == 0,
      group.map({ chown(path, uid_t.max, $0) == 0 }) ?? true
    else {
      throw StartError(
        "close the socket \(path) to others", String(cString: strerror(errno)),
        remedy: "Choose another --runtime-dir, or a group that motiond is in")
    }
  }

  /// Removes the socket files; the lock file stays, because removing it would let two hold it.
  func removeSockets() {
    for endpoint in [control, values, link, commands, ticks, events] {
      if let path = endpoint.path { unlink(path) }
    }
  }

  /// Makes a directory that only we may enter, or only we may change, parents included, or checks that it is one.
  static func makePrivate(
    _ path: String, mode: mode_t = 0o700, group: gid_t? = nil, isWithinOurs: Bool = false
  ) throws {
    do {
      try PrivateDirectory.make(path, mode: mode, group: group, isWithinOurs: isWithinOurs)
    } catch {
      throw StartError(error.step, error.problem, remedy: error.remedy)
    }
  }
}

extension RuntimeDirectory.SocketKind {
  /// The address of the socket with this path.
  fileprivate func endpoint(_ path: String) throws(EndpointError) -> Endpoint {
    switch self {
    case .files: try .ipc(path)
    case .process: try Endpoint("inproc://\(path)")
    }
  }
}

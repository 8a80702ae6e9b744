import Glibc
import LinuxSystem
import MotionWire
import ZeroMQ

/// The directories of a coordinator's sockets, held by a lock until this object is released.
///
/// libzmq replaces a socket file that another process listens on, so the lock comes before any bind. Directories are
/// 0700: a process that may not enter cannot connect. Where other users may be clients, the directories of the clients'
/// sockets are open to the group (0710) or to everybody (0711); the authenticator then admits only those who are
/// allowed.
final class RuntimeDirectory {
  /// The kind of the sockets.
  enum SocketKind: Sendable {
    /// In files of the directory.
    case files
    /// In this process, under the names of those files: for simulations, in which libzmq's threads take no part.
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

  /// The kind of the sockets.
  let sockets: SocketKind

  /// Notifies when something was removed from it; `nil` where there are no such notifications, or the system's limit is
  /// reached.
  let notices: ChangeNotices?

  private let paths: RuntimePaths
  private let clients: AllowedClients
  private var lock: FileLock
  private var lockFile: FileIdentity?
  /// The files that the coordinator listens at.
  private var files: [Endpoint: FileIdentity] = [:]

  /// Makes the directories and takes the lock.
  ///
  /// - Parameters:
  ///   - clients: the users for whom the directories of the clients' sockets are open.
  ///   - sockets: the kind of the sockets.
  /// - Throws: ``StartError`` when another coordinator holds the lock, or the directories cannot be made or belong to
  ///   another user.
  init(
    _ directory: String, clients: AllowedClients = AllowedClients(own: geteuid()), sockets: SocketKind = .files
  ) throws {
    // Workers run in folders of their own: the paths of the sockets must not depend on the coordinator's working
    // directory.
    let paths = RuntimePaths(directory: AbsolutePath.of(directory))
    if let problem = paths.problem { throw StartError("use \(directory)", problem, remedy: "Then start again") }
    (self.paths, self.clients) = (paths, clients)
    lock = try Self.take(paths, for: clients)
    lockFile = FileIdentity(path: paths.lockFile)
    workers = paths.workerDirectory
    control = try sockets.endpoint(paths.controlSocket)
    values = try sockets.endpoint(paths.valuesSocket)
    link = try sockets.endpoint(paths.linkSocket)
    commands = try sockets.endpoint(paths.commandsSocket)
    ticks = try sockets.endpoint(paths.ticksSocket)
    events = try sockets.endpoint(paths.eventsSocket)
    self.sockets = sockets
    notices = sockets == .files ? ChangeNotices() : nil
    watch()
  }

  /// All sockets, clients' and workers'.
  var all: [Endpoint] { [control, values, link, commands, ticks, events] }

  /// The directory around all of it.
  var path: String { paths.directory }

  /// Listens at an endpoint's file, which only its permitted users can open; `nil` if the endpoint is no file.
  func listen(at endpoint: Endpoint) throws -> ListeningFile? {
    guard let path = endpoint.path else { return nil }
    let isForClients = endpoint == control || endpoint == values
    do {
      let file = try ListeningFile(
        at: path, mode: isForClients ? clients.socketMode : 0o600, group: isForClients ? clients.groupID : nil)
      files[endpoint] = file.identity
      return file
    } catch {
      throw StartError(
        "listen at the socket \(path)", "\(error)",
        remedy: "Choose another --runtime-dir, or a group that motiond is in")
    }
  }

  /// Removes the coordinator's own socket files. The lock file stays: if it were removed, two processes could hold the
  /// lock.
  func removeSockets() {
    for (endpoint, file) in files {
      if let path = endpoint.path, FileIdentity(path: path) == file { unlink(path) }
    }
  }

  // MARK: Removal by others

  /// The files that were removed by others.
  struct Loss: CustomStringConvertible {
    /// Whether the locked file is not the one in the directory any more: another motiond may take the directory.
    var isUnlocked = false
    /// Sockets whose file is missing. If another file has taken its place, that belongs to its owner and is left alone.
    var sockets: [Endpoint] = []

    /// Whether nothing is missing.
    var isEmpty: Bool { !isUnlocked && sockets.isEmpty }

    /// Its parts, for people.
    var description: String {
      let names = sockets.compactMap { $0.path?.split(separator: "/").suffix(2).joined(separator: "/") }
      return ((isUnlocked ? ["lock"] : []) + names).joined(separator: ", ")
    }
  }

  /// The files that are missing now.
  var loss: Loss {
    var loss = Loss()
    guard sockets == .files else { return loss }
    loss.isUnlocked = FileIdentity(path: paths.lockFile) != lockFile
    loss.sockets = all.filter { endpoint in
      files[endpoint] != nil && endpoint.path.map { FileIdentity(path: $0) == nil } == true
    }
    return loss
  }

  /// Makes the directories again, and takes the lock if that was lost; the caller then has to listen at the sockets
  /// again.
  ///
  /// - Throws: ``StartError``, ``StartError/isTaken`` if another coordinator has the directory now.
  func restore(_ loss: Loss) throws {
    if loss.isUnlocked {
      lock = try Self.take(paths, for: clients)
      lockFile = FileIdentity(path: paths.lockFile)
    } else {
      try Self.makeFolders(paths, for: clients)
    }
    watch()
  }

  private func watch() { notices?.watch([paths.directory, paths.clientDirectory, paths.workerDirectory]) }

  // MARK: Creation

  /// Makes the directories, and takes the lock before anything is put into them.
  private static func take(_ paths: RuntimePaths, for clients: AllowedClients) throws -> FileLock {
    try PrivateDirectory.makeAtStart(paths.directory, mode: clients.directoryMode, group: clients.groupID)
    let lock = try FileLock(paths.lockFile, option: "--runtime-dir", ifTaken: "runs in this directory")
    try makeFolders(paths, for: clients)
    return lock
  }

  private static func makeFolders(_ paths: RuntimePaths, for clients: AllowedClients) throws {
    try PrivateDirectory.makeAtStart(
      paths.clientDirectory, mode: clients.directoryMode, group: clients.groupID, isWithinOurs: true)
    try PrivateDirectory.makeAtStart(paths.workerDirectory, isWithinOurs: true)
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

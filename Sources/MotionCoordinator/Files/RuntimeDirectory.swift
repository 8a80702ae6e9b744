import Glibc
import LinuxSystem
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

  /// Tells when something was removed from it; `nil` where nobody can, or the system gives no more of that.
  let notices: ChangeNotices?

  private let paths: RuntimePaths
  private let clients: AllowedClients
  private var lock: FileLock
  private var lockFile: FileIdentity?
  /// The files at which we listen.
  private var files: [Endpoint: FileIdentity] = [:]

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

  /// Listens at an endpoint's file, which is open to those alone who may use it; `nil` if it is none.
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

  /// Removes the socket files that are ours; the lock file stays, because removing it would let two hold it.
  func removeSockets() {
    for (endpoint, file) in files {
      if let path = endpoint.path, FileIdentity(path: path) == file { unlink(path) }
    }
  }

  // MARK: When somebody removes it

  /// What somebody has removed.
  struct Loss: CustomStringConvertible {
    /// Whether the lock is that of a file which is not there any more: another motiond may take the directory.
    var isUnlocked = false
    /// Sockets that have no file any more. One in whose place there is another file is its owner's: it is left alone.
    var sockets: [Endpoint] = []

    /// Whether nothing is missing.
    var isEmpty: Bool { !isUnlocked && sockets.isEmpty }

    /// Its parts, for people.
    var description: String {
      let names = sockets.compactMap { $0.path?.split(separator: "/").suffix(2).joined(separator: "/") }
      return ((isUnlocked ? ["lock"] : []) + names).joined(separator: ", ")
    }
  }

  /// What is missing now.
  var loss: Loss {
    var loss = Loss()
    guard sockets == .files else { return loss }
    loss.isUnlocked = FileIdentity(path: paths.lockFile) != lockFile
    loss.sockets = all.filter { endpoint in
      files[endpoint] != nil && endpoint.path.map { FileIdentity(path: $0) == nil } == true
    }
    return loss
  }

  /// Makes the directories again, and takes the lock if that was lost; the sockets are to be listened at again.
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

  // MARK: Making it

  /// Makes the directories, and takes the lock before anything is put into them.
  private static func take(_ paths: RuntimePaths, for clients: AllowedClients) throws -> FileLock {
    try makePrivate(paths.directory, mode: clients.directoryMode, group: clients.groupID)
    let lock = try FileLock(paths.lockFile, option: "--runtime-dir", ifTaken: "runs in this directory")
    try makeFolders(paths, for: clients)
    return lock
  }

  private static func makeFolders(_ paths: RuntimePaths, for clients: AllowedClients) throws {
    try makePrivate(paths.clientDirectory, mode: clients.directoryMode, group: clients.groupID, isWithinOurs: true)
    try makePrivate(paths.workerDirectory, isWithinOurs: true)
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

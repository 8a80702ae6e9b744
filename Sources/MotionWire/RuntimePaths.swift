/// The paths of a daemon's sockets, in the one directory that daemon and clients have to agree on.
///
/// A pure function of a flag and an environment, so that every program resolves the directory in the same way: flag,
/// then `MOTIOND_RUNTIME_DIR`, then `$XDG_RUNTIME_DIR/motiond`, then `/run/motiond`. An empty variable counts as
/// absent.
public struct RuntimePaths: Hashable, Sendable {
  /// The directory, without a slash at its end.
  public let directory: String

  /// The paths under `directory`.
  public init(directory: String) {
    var directory = directory[...]
    while directory.count > 1, directory.last == "/" { directory.removeLast() }
    self.directory = String(directory)
  }

  /// The directories in which a daemon may be found, in order of preference.
  ///
  /// There is only one when the flag or the variable names it. Otherwise a user's own daemon comes before the
  /// machine's. A daemon uses the first; a client tries them in order.
  public static func candidates(flag: String? = nil, environment: [String: String]) -> [RuntimePaths] {
    if let flag { return [RuntimePaths(directory: flag)] }
    if let named = environment["MOTIOND_RUNTIME_DIR"], !named.isEmpty { return [RuntimePaths(directory: named)] }
    let machine = RuntimePaths(directory: "/run/motiond")
    guard let user = environment["XDG_RUNTIME_DIR"], !user.isEmpty else { return [machine] }
    return [RuntimePaths(directory: "\(user)/motiond"), machine]
  }

  /// The directory that a daemon uses: the first of the ``candidates(flag:environment:)``.
  public static func preferred(flag: String? = nil, environment: [String: String]) -> RuntimePaths {
    candidates(flag: flag, environment: environment)[0]
  }

  /// The directory of the sockets for clients.
  public var clientDirectory: String { "\(directory)/client" }
  /// The directory of the sockets for workers.
  public var workerDirectory: String { "\(directory)/worker" }
  /// The file that a daemon locks before it binds anything.
  public var lockFile: String { "\(directory)/lock" }

  /// The file of the control socket.
  public var controlSocket: String { "\(clientDirectory)/control.ipc" }
  /// The file of the values socket.
  public var valuesSocket: String { "\(clientDirectory)/values.ipc" }
  /// The file of the link socket.
  public var linkSocket: String { "\(workerDirectory)/link.ipc" }
  /// The file of the commands socket.
  public var commandsSocket: String { "\(workerDirectory)/commands.ipc" }
  /// The file of the ticks socket.
  public var ticksSocket: String { "\(workerDirectory)/ticks.ipc" }
  /// The file of the events socket.
  public var eventsSocket: String { "\(workerDirectory)/events.ipc" }

  /// The address of a socket file.
  public static func endpoint(of socket: String) -> String { "ipc://\(socket)" }

  /// The maximum length of the path of a socket file in bytes: `sun_path` holds 108 bytes, the last of them zero.
  public static let longestSocketPath = 107

  /// The problem of the directory, with the remedy; `nil` if there is none.
  public var problem: String? {
    let longest = commandsSocket.utf8.count
    guard longest > Self.longestSocketPath else { return nil }
    return """
      the directory \(directory) is \(longest - Self.longestSocketPath) bytes too long for the sockets in it \
      (Linux allows \(Self.longestSocketPath) bytes): name a shorter one with --runtime-dir
      """
  }
}

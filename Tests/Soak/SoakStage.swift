import FaultyNetwork
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionWire
import ZeroMQ

/// The private motiond, its directories, and the network before its sockets. For the main thread.
final class SoakStage {
  let directory: String
  /// The network before the control socket of this machine, through which a client can always connect.
  let near: FaultProxy
  /// The network before the ports.
  let wide: FaultProxy
  /// Whether the state is on a small disk of its own, which can be filled.
  let hasSmallDisk: Bool
  private let program: String
  private let plugins: String
  private let port: UInt16
  private var daemon: Process?
  private(set) var starts = 0

  /// - Parameter isSmall: whether to mount a small disk for the state; only in a mount namespace of one's own.
  init(bin: String, plugins: String, directory: String, isSmall: Bool, seed: UInt64) throws {
    let place = URL(fileURLWithPath: directory).standardizedFileURL.path
    self.directory = place
    program = "\(bin)/motiond"
    self.plugins = URL(fileURLWithPath: plugins).standardizedFileURL.path
    try? FileManager.default.removeItem(atPath: place)
    for folder in ["state", "far/client"] {
      try FileManager.default.createDirectory(atPath: "\(place)/\(folder)", withIntermediateDirectories: true)
      chmod("\(place)/\(folder)", 0o700)
    }
    hasSmallDisk = isSmall
    if isSmall { try SmallDisk.mount(at: "\(place)/state", mebibytes: 64) }
    let key = try CurveKeyFile.make(at: "\(place)/desk.key", publicPath: "\(place)/desk.pub", name: "desk").publicKey
    try "client \(key.z85) desk\n".write(toFile: "\(place)/authorized", atomically: true, encoding: .utf8)
    port = UInt16.random(in: 20_000..<60_000)
    let control = RuntimePaths(directory: "\(place)/run").controlSocket
    near = try FaultProxy(
      [(.file(RuntimePaths(directory: "\(place)/far").controlSocket), .file(control))], seed: seed)
    var routes: [(near: SocketPlace, far: SocketPlace)] = []
    for number in [port, port + 1] { routes.append((.port("127.0.0.2", number), .port("127.0.0.1", number))) }
    wide = try FaultProxy(routes, seed: seed &+ 1)
    try start()
  }

  /// The number of the motiond that runs.
  var processID: Int32 { daemon?.processIdentifier ?? 0 }

  /// The directory in which a client finds motiond, directly or through the bad network.
  func paths(isFar: Bool) -> RuntimePaths { RuntimePaths(directory: "\(directory)/\(isFar ? "far" : "run")") }

  /// Motiond as seen by another machine behind a bad network.
  var far: RemoteDaemon {
    get throws {
      try RemoteDaemon(
        "tcp://127.0.0.2:\(port)", keyFile: "\(directory)/desk.key", serverKey: "\(directory)/state/motiond.pub")
    }
  }

  /// A client, as soon as motiond serves.
  func connect(within seconds: Double = 20) throws -> MotionClient {
    let limit = BootClock.now + .seconds(seconds)
    while true {
      do {
        return try MotionClient(connectingTo: [paths(isFar: false)], name: "soak")
      } catch {
        guard BootClock.now < limit, daemon?.isRunning == true else {
          throw SoakProblem("motiond does not serve: \(error); its log ends with:\n\(logEnd)")
        }
        usleep(10_000)
      }
    }
  }

  /// Sends motiond a signal.
  func signal(_ signal: Int32) { kill(processID, signal) }

  /// Ends motiond with this signal, and starts the next one, which may take the seconds of `connect` to serve.
  ///
  /// - Parameter ended: what is done in between.
  func restart(by signal: Int32, ended: () -> Void) throws {
    guard let daemon else { return }
    kill(daemon.processIdentifier, signal)
    let limit = BootClock.now + .seconds(10)
    while daemon.isRunning {
      guard BootClock.now < limit else { throw SoakProblem("motiond does not end by signal \(signal)") }
      usleep(2000)
    }
    ended()
    try start()
  }

  /// Ends everything.
  func clear() {
    near.stop()
    wide.stop()
    guard let daemon, daemon.isRunning else { return }
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  private func start() throws {
    let log = "\(directory)/motiond.log"
    if starts == 0 { _ = FileManager.default.createFile(atPath: log, contents: nil) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments = [
      "--pdeathsig", "KILL", "--", program, "--runtime-dir", "\(directory)/run", "--state-dir", "\(directory)/state",
      "--plugin-path", plugins, "--listen", "tcp://127.0.0.1:\(port)", "--authorized-keys", "\(directory)/authorized",
    ]
    process.standardInput = FileHandle.nullDevice
    let handle = FileHandle(forWritingAtPath: log)
    handle?.seekToEndOfFile()
    process.standardError = handle
    try process.run()
    starts += 1
    daemon = process
    _ = try connect()
  }

  private var logEnd: String {
    let text = (try? String(contentsOfFile: "\(directory)/motiond.log", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").suffix(10).joined(separator: "\n")
  }
}

/// A disk in memory, for this process and its children.
enum SmallDisk {
  /// Mounts it.
  static func mount(at path: String, mebibytes: Int) throws {
    guard Glibc.mount("tmpfs", path, "tmpfs", 0, "size=\(mebibytes)m,mode=0700") == 0 else {
      throw SoakProblem("tmpfs at \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Fills it to the last byte with one file.
  static func fill(_ path: String) {
    guard let file = fopen(path, "w") else { return }
    defer { fclose(file) }
    let block = [UInt8](repeating: 0, count: 4096)
    setvbuf(file, nil, _IONBF, 0)
    while fwrite(block, 1, block.count, file) == block.count {}
  }
}

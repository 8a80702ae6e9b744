import Glibc
import MotionClient
import Testing
import ZeroMQ

/// A daemon that listens to other machines, at ports of loopback that were free a moment ago, with keys for its
/// clients.
struct RemoteStage {
  let directory: TestDirectory
  let daemon: Daemon
  let address: String

  /// Makes a pair of keys for each name, authorizes them as clients, and starts the daemon.
  init(clients names: [String], strangers: [String] = [], descriptorLimit: Int? = nil) throws {
    let directory = try TestDirectory()
    self.directory = directory
    let keys = try names.map { try Self.makeKey($0, in: directory) }
    for name in strangers { _ = try Self.makeKey(name, in: directory) }
    let address = "tcp://127.0.0.1:\(try Self.freePorts(2))"
    self.address = address
    try directory.write(zip(names, keys).map { "client \($1.z85) \($0)\n" }.joined(), to: "authorized")
    daemon = try Daemon(
      in: directory, arguments: Self.arguments(directory, address), descriptorLimit: descriptorLimit)
  }

  /// The arguments that make a daemon listen at an address.
  static func arguments(_ directory: TestDirectory, _ address: String) -> [String] {
    ["--listen", address, "--authorized-keys", directory["authorized"]]
  }

  /// Makes the two files of a pair, and returns the public key.
  static func makeKey(_ name: String, in directory: TestDirectory) throws -> CurveKey {
    try CurveKeyFile.make(at: directory["\(name).key"], publicPath: directory["\(name).pub"], name: name).publicKey
  }

  /// The daemon, as a holder of this key connects to it.
  func remote(_ name: String) throws -> RemoteDaemon {
    try RemoteDaemon(address, keyFile: directory["\(name).key"], serverKey: directory["state/motiond.pub"])
  }

  /// Connects with this key.
  func connect(_ name: String, timeout: Duration = factTimeout) throws -> MotionClient {
    try MotionClient(connectingTo: remote(name), name: name, timeout: timeout)
  }

  /// The first of so many consecutive ports without a listener.
  static func freePorts(_ count: Int) throws -> Int {
    for _ in 0..<100 {
      let first = Int.random(in: 20_000..<60_000)
      if (first..<first + count).allSatisfy(isFree) { return first }
    }
    throw Problem("no ports are free")
  }

  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    address.sin_port = UInt16(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

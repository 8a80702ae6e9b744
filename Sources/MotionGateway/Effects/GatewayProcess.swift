import CLinux
import Glibc

/// Limits on the resources of the gateway's own process. The gateway sets them itself, so that they hold however it is
/// started.
public enum GatewayProcess {
  /// Descriptors beyond those of connections: for reading `/proc/self/fd`, and for connections to motiond.
  private static let spareDescriptors = 64

  /// Prepares the process. Call it first, on the main thread, before any other thread starts.
  ///
  /// - It uses one memory arena, since each further one reserves 64 MiB of the limited address space.
  /// - It blocks the signals, so that they wait for ``GatewaySignals``.
  /// - It turns off crash handlers and core dumps, because untrusted clients decide how often the process ends.
  public static func prepare() {
    _ = motion_fill_standard_descriptors()
    _ = motion_limit_arenas(1)
    GatewaySignals.block()
    for signal in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] { _ = Glibc.signal(signal, SIG_DFL) }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Limits memory to this many bytes more than there are now, and connections to this many. Other descriptors are
  /// beyond those of connections.
  ///
  /// libzmq ends the process when it accepts a connection for which there is no descriptor. Excess connections are
  /// therefore closed before libzmq sees them.
  static func bound(memory: Int, connections: Int) throws {
    let open = try openDescriptors()
    try set(RLIMIT_NOFILE, to: UInt64(open + connections + spareDescriptors), "descriptors")
    let highest = Int32(clamping: open + connections)
    guard motion_limit_accept(highest, highest, nil) == 0 else {
      throw GatewayError("connections cannot be limited", remedy: "Link libzmq as a shared library")
    }
    // Connections with an unfinished handshake may be a quarter, local ones and those over the network alike.
    let handshakes = Int32(clamping: max(8, connections / 4))
    motion_limit_handshakes(handshakes, handshakes, 0, 0)
    try set(RLIMIT_AS, to: UInt64(try addressSpace() + memory), "memory")
  }

  /// The number of open descriptors.
  private static func openDescriptors() throws -> Int {
    guard let directory = opendir("/proc/self/fd") else {
      throw GatewayError("/proc/self/fd cannot be read", remedy: "Mount /proc, or raise the limit of descriptors")
    }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Without `.`, `..` and the descriptor of the directory itself.
    return count - 3
  }

  private static func addressSpace() throws -> Int {
    guard let file = fopen("/proc/self/statm", "re") else {
      throw GatewayError("/proc/self/statm cannot be read", remedy: "Mount /proc")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else {
      throw GatewayError("/proc/self/statm is empty", remedy: "Mount /proc")
    }
    return Int(strtol(line, nil, 10)) * Int(getpagesize())
  }

  private static func set(_ resource: __rlimit_resource, to limit: UInt64, _ noun: String) throws {
    var bounds = rlimit()
    let resource = __rlimit_resource_t(resource.rawValue)
    _ = getrlimit(resource, &bounds)
    bounds.rlim_cur = min(rlim_t(limit), bounds.rlim_max)
    bounds.rlim_max = bounds.rlim_cur
    guard setrlimit(resource, &bounds) == 0 else {
      throw GatewayError(
        "the limit of \(noun) cannot be set: \(String(cString: strerror(errno)))", remedy: "Start it with a lower one")
    }
  }
}

import CLinux
import Glibc

/// What a gateway's own process may take from the machine: it sets that itself, so that it holds wherever it is started.
public enum GatewayProcess {
  /// Descriptors for what is opened now and then: a look at the own ones, connections to motiond.
  private static let spareDescriptors = 64

  /// What comes first of all, on the main thread, before any other one: memory from one arena, since each further one reserves
  /// 64 MiB of address space that would count; signals that wait to be heard; and an end without ceremony, since strangers
  /// decide how often there is one.
  public static func prepare() {
    _ = motion_fill_standard_descriptors()
    _ = motion_limit_arenas(1)
    GatewaySignals.block()
    for signal in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] { _ = Glibc.signal(signal, SIG_DFL) }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Bounds the memory to so many bytes more than there are now, and connections to so many; what is opened now and then
  /// besides has its descriptors beyond.
  ///
  /// libzmq ends the process when it accepts a connection for which there is no descriptor; so those that are too many
  /// are closed before it hears of them.
  static func bound(memory: Int, connections: Int) throws {
    let open = try openDescriptors()
    try set(RLIMIT_NOFILE, to: UInt64(open + connections + spareDescriptors), "descriptors")
    let highest = Int32(clamping: open + connections)
    guard motion_limit_accept(highest, highest, nil) == 0 else {
      throw GatewayError("connections cannot be limited", remedy: "Link libzmq as a shared library")
    }
    // Strangers that say nothing have a quarter of the connections, of the machine and of the network alike.
    let handshakes = Int32(clamping: max(8, connections / 4))
    motion_limit_handshakes(handshakes, handshakes, 0, 0)
    try set(RLIMIT_AS, to: UInt64(try addressSpace() + memory), "memory")
  }

  /// How many descriptors are open.
  private static func openDescriptors() throws -> Int {
    guard let directory = opendir("/proc/self/fd") else {
      throw GatewayError("/proc/self/fd cannot be read", remedy: "Mount /proc, or raise the limit of descriptors")
    }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Without `.`, `..` and the directory itself.
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

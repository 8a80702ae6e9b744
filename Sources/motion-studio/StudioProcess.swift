import Glibc

/// The process: its signals and its limit of descriptors.
enum StudioProcess {
  /// Descriptors for all connections, and for a session of motiond with each viewer: some twenty of each.
  private static let descriptors: rlim_t = 4096

  /// Prepares the process, on the main thread, before any other thread starts.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    var ends = Self.ends
    pthread_sigmask(SIG_BLOCK, &ends, nil)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < descriptors else {
      return
    }
    limit.rlim_cur = min(descriptors, limit.rlim_max)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Waits for a signal that ends the process.
  static func awaitEnd() {
    var (ends, signal) = (Self.ends, Int32(0))
    while sigwait(&ends, &signal) != 0 {}
  }

  private static var ends: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    return set
  }
}

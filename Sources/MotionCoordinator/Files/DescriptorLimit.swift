import Glibc

/// How many files and connections this process may have open at a time.
public enum DescriptorLimit {
  /// Raises the limit as far as the system lets us, and gives it back.
  ///
  /// Each client takes two descriptors and each worker about a dozen; libzmq ends the whole process when an ipc listener
  /// finds none left. The soft limit is usually 1024, for programs that use `select`, which we do not.
  @discardableResult
  public static func raise() -> UInt64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
    return UInt64(isRaised ? raised.rlim_cur : limit.rlim_cur)
  }
}

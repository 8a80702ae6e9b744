import Glibc

/// How many files and connections this process may have open at a time.
public enum DescriptorLimit {
  /// A limit that was raised.
  public struct Raised: Hashable, Sendable {
    /// What it was: what workers are given, since theirs may use `select`.
    public var before: UInt64
    /// What it is now.
    public var now: UInt64
  }

  /// Raises the limit as far as the system lets us; `nil` when there is none to be found.
  ///
  /// Each client takes two descriptors and each worker about a dozen; libzmq ends the whole process when an ipc listener
  /// finds none left. The soft limit is usually 1024, for programs that use `select`, which we do not.
  public static func raise() -> Raised? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
    return Raised(before: UInt64(limit.rlim_cur), now: UInt64(isRaised ? raised.rlim_cur : limit.rlim_cur))
  }
}

/// The resource limits of each worker of a plugin; `nil` means that no limit is set.
package struct PluginLimits: Hashable, Sendable, CustomStringConvertible {
  /// The address space in MiB (`RLIMIT_AS`). It is larger than the memory in use, because threads and libraries reserve
  /// a lot of it. A worker of the Swift kit reserves some 600 MiB before it does anything.
  package var memoryMiB: Int?
  /// The most files and connections that may be open (`RLIMIT_NOFILE`).
  package var descriptors: Int?
  /// The most processes and threads that its user may have in all (`RLIMIT_NPROC`); root may have any number.
  package var processes: Int?
  /// The size of a core dump in MiB (`RLIMIT_CORE`); 0 for none.
  package var coreMiB: Int?
  /// The niceness (`nice`): 0 does not yield; 19 yields whenever another process has work.
  package var niceness: Int?
  /// Its share of the processors under contention (`cpu.weight` of control groups): motiond and all workers without one
  /// have 100 together.
  package var cpuWeight: Int?

  /// Creates a set without limits.
  package init() {}

  /// The key path of one limit.
  package typealias Entry = any WritableKeyPath<PluginLimits, Int?> & Sendable

  /// The names of the limits in manifests and configurations, each with its valid range.
  package static let names: [(name: String, range: ClosedRange<Int>, entry: Entry)] = [
    // Below 64 MiB none of this project's programs starts; 16 TiB is more than any machine has.
    ("memoryMiB", 64...(16 << 20), \.memoryMiB),
    // The minimum covers the three pipes, the sockets of libzmq and a few files; the maximum is Linux's.
    ("descriptors", 32...1_048_576, \.descriptors),
    ("processes", 1...4_194_304, \.processes), ("coreMiB", 0...(1 << 20), \.coreMiB), ("niceness", 0...19, \.niceness),
    ("cpuWeight", 1...10_000, \.cpuWeight),
  ]

  /// Returns the stricter of the two values for each limit.
  package func restricted(by other: PluginLimits) -> PluginLimits {
    var limits = self
    for (name, _, entry) in Self.names {
      let both = [self[keyPath: entry], other[keyPath: entry]].compactMap { $0 }
      limits[keyPath: entry] = name == "niceness" ? both.max() : both.min()
    }
    return limits
  }

  /// The limits that are set, for people: `memoryMiB 512, descriptors 256`.
  package var description: String {
    Self.names.compactMap { name, _, entry in self[keyPath: entry].map { "\(name) \($0)" } }.joined(separator: ", ")
  }
}

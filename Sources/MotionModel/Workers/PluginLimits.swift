/// What the workers of a plugin may take of the machine, each of them; `nil` is no limit of its own.
package struct PluginLimits: Hashable, Sendable, CustomStringConvertible {
  /// The address space in MiB (`RLIMIT_AS`): more than what is used, as threads and libraries reserve a lot of it. A
  /// worker of the Swift kit reserves some 600 MiB before it does anything.
  package var memoryMiB: Int?
  /// How many files and connections may be open (`RLIMIT_NOFILE`).
  package var descriptors: Int?
  /// How many processes and threads its user may have in all (`RLIMIT_NPROC`); root may have any number.
  package var processes: Int?
  /// The size of a core dump in MiB (`RLIMIT_CORE`); 0 for none.
  package var coreMiB: Int?
  /// How much it yields to others (`nice`): 0 not at all, 19 whenever somebody else has work.
  package var niceness: Int?
  /// Its share of the processors when there is not enough of them for all (`cpu.weight` of control groups): motiond and
  /// all workers without one have 100 together.
  package var cpuWeight: Int?

  /// No limits.
  package init() {}

  /// One of them.
  package typealias Entry = any WritableKeyPath<PluginLimits, Int?> & Sendable

  /// What they are called in manifests and configurations, with what each may be.
  package static let names: [(name: String, range: ClosedRange<Int>, entry: Entry)] = [
    // Below 64 MiB no program of ours begins; 16 TiB is more than any machine has.
    ("memoryMiB", 64...(16 << 20), \.memoryMiB),
    // The three pipes, the sockets of libzmq and a few files; the most that Linux gives.
    ("descriptors", 32...1_048_576, \.descriptors),
    ("processes", 1...4_194_304, \.processes), ("coreMiB", 0...(1 << 20), \.coreMiB), ("niceness", 0...19, \.niceness),
    ("cpuWeight", 1...10_000, \.cpuWeight),
  ]

  /// The stricter of two for each.
  package func restricted(by other: PluginLimits) -> PluginLimits {
    var limits = self
    for (name, _, entry) in Self.names {
      let both = [self[keyPath: entry], other[keyPath: entry]].compactMap { $0 }
      limits[keyPath: entry] = name == "niceness" ? both.max() : both.min()
    }
    return limits
  }

  /// The limits that there are, for people: `memoryMiB 512, descriptors 256`.
  package var description: String {
    Self.names.compactMap { name, _, entry in self[keyPath: entry].map { "\(name) \($0)" } }.joined(separator: ", ")
  }
}

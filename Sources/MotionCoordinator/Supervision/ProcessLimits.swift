import Glibc
import MotionModel

/// What a process may take of the machine, set before it begins to run, for it and each process that it starts.
struct ProcessLimits: Hashable, Sendable, CustomStringConvertible {
  /// What the manifest and the configuration say; of both, the lower.
  var asked = PluginLimits()
  /// The descriptors it may have open by itself, without asking for more: motiond's own limit before that was raised.
  var softDescriptors: UInt64?

  /// For `motion_launch`: which are limited, and the soft and the hard limit of each.
  var columns: ((Int32, Int32, Int32, Int32), (UInt64, UInt64, UInt64, UInt64), (UInt64, UInt64, UInt64, UInt64)) {
    let descriptors = asked.descriptors.map(UInt64.init)
    let memory = asked.memoryMiB.map { UInt64($0) << 20 }
    let processes = asked.processes.map(UInt64.init)
    let core = asked.coreMiB.map { UInt64($0) << 20 }
    let isLimited = [descriptors ?? softDescriptors, memory, processes, core].map { $0 == nil ? Int32(0) : 1 }
    return (
      (isLimited[0], isLimited[1], isLimited[2], isLimited[3]),
      (descriptors ?? softDescriptors ?? 0, memory ?? 0, processes ?? 0, core ?? 0),
      // A hard limit of 0 would leave it what it is; a core of 1 byte is none.
      (descriptors ?? 0, memory ?? 0, processes ?? 0, core.map { max($0, 1) } ?? 0)
    )
  }

  /// How much it yields to others (`nice`). For want of a share of its own a weight below 100 becomes a niceness: each step
  /// of that is worth a factor of 1.25 to the kernel. One above 100 has no likeness that an ordinary user may give.
  func niceness(hasShare: Bool) -> Int {
    let asked = asked.niceness ?? 0
    guard !hasShare, let weight = self.asked.cpuWeight, weight < 100 else { return asked }
    return max(asked, min(19, Int((log(100 / Double(weight)) / log(1.25)).rounded())))
  }

  /// The limits for people; empty without any.
  var description: String { asked.description }
}

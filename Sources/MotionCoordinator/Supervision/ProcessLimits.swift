import Glibc
import MotionModel

/// The limits of a process on a machine's resources, set before it begins to run, for it and each process that it
/// starts.
struct ProcessLimits: Hashable, Sendable, CustomStringConvertible {
  /// The limits of the manifest and the configuration; of both, the lower.
  var asked = PluginLimits()
  /// The soft limit of descriptors without a configured one: motiond's own limit before that was raised.
  var softDescriptors: UInt64?

  /// For `motion_launch`: which resources are limited, and the soft and the hard limit of each.
  var columns: ((Int32, Int32, Int32, Int32), (UInt64, UInt64, UInt64, UInt64), (UInt64, UInt64, UInt64, UInt64)) {
    let descriptors = asked.descriptors.map(UInt64.init)
    let memory = asked.memoryMiB.map { UInt64($0) << 20 }
    let processes = asked.processes.map(UInt64.init)
    let core = asked.coreMiB.map { UInt64($0) << 20 }
    let isLimited = [descriptors ?? softDescriptors, memory, processes, core].map { $0 == nil ? Int32(0) : 1 }
    return (
      (isLimited[0], isLimited[1], isLimited[2], isLimited[3]),
      (descriptors ?? softDescriptors ?? 0, memory ?? 0, processes ?? 0, core ?? 0),
      // A hard limit of 0 means no change; a core of 1 byte is none.
      (descriptors ?? 0, memory ?? 0, processes ?? 0, core.map { max($0, 1) } ?? 0)
    )
  }

  /// Its niceness (`nice`). Without a share of its own a weight below 100 becomes a niceness: each step is worth a
  /// factor of 1.25 to the kernel. A weight above 100 has no equivalent that an ordinary user may set.
  func niceness(hasShare: Bool) -> Int {
    let asked = asked.niceness ?? 0
    guard !hasShare, let weight = self.asked.cpuWeight, weight < 100 else { return asked }
    return max(asked, min(19, Int((log(100 / Double(weight)) / log(1.25)).rounded())))
  }

  /// The limits for people; empty without any.
  var description: String { asked.description }
}

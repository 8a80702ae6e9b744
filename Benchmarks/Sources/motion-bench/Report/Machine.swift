import Foundation

/// The machine that was measured, as far as figures depend on it.
struct Machine {
  let description: String
  /// How many threads wanted to run, on average over the last quarter of an hour.
  let load: Double

  /// The one that this program runs on: as many cores as there are, its architecture, whether it is virtual, its system.
  static var this: Machine {
    let cores = ProcessInfo.processInfo.processorCount
    let isVirtual = text("/proc/cpuinfo").contains("hypervisor")
    let system =
      text("/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } } ?? "Linux"
    // "Debian GNU/Linux 12 (bookworm)" is Debian 12.
    let name = system.replacingOccurrences(of: " GNU/Linux", with: "").split(separator: "(")[0]
      .trimmingCharacters(in: .whitespaces)
    var load = [0.0, 0, 0]
    getloadavg(&load, 3)
    return Machine(
      description: "\(cores)-core \(architecture) \(isVirtual ? "VM" : "machine") (\(processor)), \(name)",
      load: load[2])
  }

  /// What the processor calls itself, and the widest vectors that it has, which is what loops depend on.
  private static var processor: String {
    let lines = text("/proc/cpuinfo").split(separator: "\n")
    func value(_ key: String) -> Substring? {
      lines.first { $0.hasPrefix(key) }?.split(separator: ":", maxSplits: 1).last
    }
    let name = (value("model name") ?? "a processor without a name").replacingOccurrences(of: "(R)", with: "")
      .split(separator: " ").joined(separator: " ")
    let flags = Set((value("flags") ?? "").split(separator: " "))
    return flags.contains("avx512f") ? name + ", AVX-512" : flags.contains("avx2") ? name + ", AVX2" : name
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #else
      "arm64"
    #endif
  }

  private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

import Foundation

/// The kernel's data about a process, seen from outside.
struct ProcessFacts {
  let processID: Int32

  init(_ processID: Int32) { self.processID = processID }

  /// Whether it runs. A zombie, which its parent has not reaped yet, does not.
  var isAlive: Bool {
    guard let state else { return false }
    return state != "Z" && state != "X"
  }

  /// Whether it was stopped by a signal.
  var isStopped: Bool { state == "T" }

  /// The number of times that a thread of this name has gone to sleep on its own so far: each wake-up ends with that.
  func sleeps(ofThread name: String) -> Int? {
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? [] {
      let path = "/proc/\(processID)/task/\(thread)"
      guard Self.text("\(path)/comm").trimmingCharacters(in: .newlines) == name else { continue }
      for line in Self.text("\(path)/status").split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        return line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
      }
    }
    return nil
  }

  /// How many of its timers on the boot clock are armed; the system's own libraries use other clocks.
  var armedTimers: Int {
    let infos = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fdinfo")) ?? []
    return infos.count { info in
      let lines = Self.text("/proc/\(processID)/fdinfo/\(info)").split(separator: "\n")
      return lines.contains("clockid: \(CLOCK_BOOTTIME)")
        && lines.contains { $0.hasPrefix("it_value:") && !$0.hasSuffix("(0, 0)") }
    }
  }

  /// The number of its open sockets.
  var openSockets: Int {
    let folder = "/proc/\(processID)/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.count { descriptor in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")
      return path?.hasPrefix("socket:") == true
    }
  }

  /// Its nice value.
  var niceness: Int? { fields.flatMap { $0.count > 16 ? Int($0[16]) : nil } }

  /// Its parent's number.
  var parent: Int32? { fields.flatMap { $0.count > 1 ? Int32($0[1]) : nil } }

  /// Its child processes, including those that have exited and were not reaped.
  var children: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
      .filter { ProcessFacts($0).parent == processID }
  }

  /// Its resident memory in bytes.
  var residentBytes: Int { bytes("VmRSS") }

  /// Its greatest resident memory so far, in bytes.
  var peakResidentBytes: Int { bytes("VmHWM") }

  /// Its private memory, in bytes, whether or not it was ever used: `RLIMIT_DATA` limits this.
  var dataBytes: Int { bytes("VmData") }

  private func bytes(_ name: String) -> Int {
    for line in Self.text("/proc/\(processID)/status").split(separator: "\n") where line.hasPrefix("\(name):") {
      return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }

  /// Whether another process traces each of its threads: a tracer attaches to one after the other.
  var isTraced: Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []
    return !threads.isEmpty
      && threads.allSatisfy { thread in
        Self.text("/proc/\(processID)/task/\(thread)/status").split(separator: "\n")
          .contains { $0.hasPrefix("TracerPid:") && !$0.hasSuffix("\t0") }
      }
  }

  private var state: String? { fields?.first.map(String.init) }

  /// The fields of `stat` after the name, which may itself contain spaces and brackets.
  private var fields: [Substring]? {
    let text = Self.text("/proc/\(processID)/stat")
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: bracket)...].split(separator: " ")
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}

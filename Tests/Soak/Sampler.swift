import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire

/// The values that are measured each second.
enum Measure: String, CaseIterable, Sendable {
  case memory = "memory of motiond, MiB"
  case workerMemory = "memory of the worker that nobody harms, MiB"
  case descriptors = "descriptors"
  case threads = "threads"
  case processes = "processes started by motiond"
  case lateness = "frames late, p99 of a minute, ms"
  case journal = "journal, MiB"
  case commits = "commits a second"

  /// Its permitted growth over the second half: the larger of this amount and this share of its usual value.
  var bound: (least: Double, part: Double)? {
    switch self {
    // The growth of an allocator while it warms up.
    case .memory, .workerMemory: return (4, 0.05)
    case .descriptors: return (3, 0)
    case .threads, .processes: return (1, 0)
    case .lateness: return (1, 0.25)
    // A write-ahead log and a day's ids.
    case .journal: return (4, 0.1)
    case .commits: return nil
    }
  }

  /// The additional growth for each identity of a commit, in MiB: it is stored for a day.
  var perIdentity: Double {
    switch self {
    case .memory: 1.0 / 1024
    case .journal: 0.25 / 1024
    default: 0
    }
  }
}

/// One second.
struct Sample: Sendable {
  /// Seconds since the beginning.
  let time: Double
  var values: [Measure: Double] = [:]
}

/// Reads the data of the kernel and of motiond, each second. For the main thread.
struct Sampler {
  private var receipts = 0
  private var last = 0.0

  /// The present values; values that are unavailable, because motiond is being started, are left out.
  mutating func sample(_ time: Double, _ stage: SoakStage, _ ledger: Ledger, _ client: MotionClient?) -> Sample {
    var sample = Sample(time: time)
    let process = stage.processID
    let now = ledger.now.receipts
    if time > last { sample.values[.commits] = Double(now - receipts) / (time - last) }
    (receipts, last) = (now, time)
    sample.values[.memory] = Kernel.residentMebibytes(process)
    sample.values[.descriptors] = Kernel.count("/proc/\(process)/fd")
    sample.values[.threads] = Kernel.count("/proc/\(process)/task")
    sample.values[.processes] = Double(Kernel.children(of: process).count)
    sample.values[.journal] = Kernel.mebibytes(in: "\(stage.directory)/state/journal")
    if let client, let answer = try? client.query(.status, timeout: .milliseconds(300)),
      case .status(let status) = answer
    {
      if status.recentLateness.frames > 0 { sample.values[.lateness] = status.recentLateness.p99 * 1000 }
      let worker = status.plugins.first { $0.name == "osc" }?.workers.first { $0.state == .ready }
      if let worker { sample.values[.workerMemory] = Kernel.residentMebibytes(worker.processID) }
    }
    return sample
  }
}

/// The kernel's data.
enum Kernel {
  static func residentMebibytes(_ process: Int32) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
  }

  static func count(_ folder: String) -> Double? {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)).map { Double($0.count) }
  }

  /// The child processes of a process, including those that have exited and wait to be reaped.
  static func children(of process: Int32) -> [Int32] {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    return numbers.filter { number in
      guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let bracket = text.lastIndex(of: ")")
      else { return false }
      let fields = text[text.index(after: bracket)...].split(separator: " ")
      return fields.count > 1 && Int32(fields[1]) == process
    }
  }

  static func mebibytes(in folder: String) -> Double {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.reduce(0) { sum, file in
      var status = stat()
      return stat("\(folder)/\(file)", &status) == 0 ? sum + Double(status.st_size) / 1_048_576 : sum
    }
  }
}

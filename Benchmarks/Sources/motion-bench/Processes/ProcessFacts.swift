import CReference
import Foundation

/// What the kernel says of a process.
struct ProcessFacts {
  let processID: Int32

  init(_ processID: Int32) { self.processID = processID }

  /// The processor's time that all its threads have taken, in seconds.
  var processorTime: Double { Double(reference_processor_time(processID)) * 1e-9 }

  /// How often each of its threads has gone to sleep on its own so far: each wake-up ends with that.
  var sleeps: [String: Int] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []
    return threads.reduce(into: [:]) { $0[$1] = number("task/\($1)/status", "voluntary_ctxt_switches:") }
  }

  /// The processor's time that its threads of this name have taken, in seconds.
  func time(ofThread name: String) -> Double {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []
    return threads.filter { self.name(ofThread: $0) == name }
      .compactMap { text("task/\($0)/schedstat").split(separator: " ").first.flatMap { Double($0) } }.reduce(0, +) * 1e-9
  }

  /// What a thread is called.
  func name(ofThread thread: String) -> String {
    text("task/\(thread)/comm").trimmingCharacters(in: .newlines)
  }

  /// Its resident memory in bytes.
  var residentBytes: Int { number("status", "VmRSS:") * 1024 }

  /// Whether it runs. A zombie, whose parent has not asked for its end yet, does not.
  var isAlive: Bool {
    let state = text("stat").split(separator: ")").last?.split(separator: " ").first
    return state != nil && state != "Z" && state != "X"
  }

  private func number(_ file: String, _ label: String) -> Int {
    for line in text(file).split(separator: "\n") where line.hasPrefix(label) {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }

  private func text(_ file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(processID)/\(file)", encoding: .utf8)) ?? ""
  }
}

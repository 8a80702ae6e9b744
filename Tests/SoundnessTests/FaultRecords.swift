import Foundation

/// The tests' records of the faults that they caused: lines of JSON.
struct FaultRecords {
  private struct Record: Decodable {
    let fault: String
    let seconds: Double
    let measures: [String: Double]
  }

  private let records: [Record]

  init(_ text: String) throws {
    records = try text.split(separator: "\n").map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
  }

  /// For each fault the times that its test measured, or the time of the test; of several cases the longest.
  var measured: [String: String] {
    Dictionary(grouping: records, by: \.fault).mapValues { records in
      let times = records.reduce(into: [String: Double]()) { $0.merge($1.measures, uniquingKeysWith: max) }
      guard !times.isEmpty else { return Self.text(of: records.map(\.seconds).max() ?? 0) }
      return times.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.text(of: $0.value))" }.joined(separator: "; ")
    }
  }

  /// Two significant digits, in the unit that fits.
  static func text(of seconds: Double) -> String {
    let (value, unit) =
      seconds < 0.001 ? (seconds * 1e6, "µs") : seconds < 1 ? (seconds * 1000, "ms") : (seconds, "s")
    return String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, unit)
  }

  /// A description of this machine that does not contain its name.
  static var machine: String {
    func lines(_ path: String) -> [Substring] {
      ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
    let processors = lines("/proc/cpuinfo").filter { $0.hasPrefix("model name") }
    let model = processors.first?.split(separator: ":").last.map { String($0).trimmed } ?? "a machine"
    let kernel = lines("/proc/sys/kernel/osrelease").first.map { $0.prefix { $0 != "-" } } ?? ""
    return "\(max(1, processors.count)) processors (\(model)), Linux \(kernel), programs built for debugging"
  }
}

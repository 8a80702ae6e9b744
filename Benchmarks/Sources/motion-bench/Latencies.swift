import Histogram

/// How long things took, in nanoseconds, to three digits.
struct Latencies {
  private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

  init(_ nanoseconds: some Sequence<Int64> = []) {
    for value in nanoseconds { add(value) }
  }

  /// Adds one; what is negative took no time.
  mutating func add(_ nanoseconds: Int64) { histogram.record(UInt64(max(0, nanoseconds))) }

  /// Adds one in seconds.
  mutating func add(seconds: Double) { add(Int64(seconds * 1e9)) }

  mutating func add(_ others: Latencies) { histogram.add(others.histogram) }

  /// What so many percent did not exceed, in microseconds.
  func microseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) * 1e-3 }

  var mostMicroseconds: Double { Double(histogram.max) * 1e-3 }

  /// The percentiles that are reported. Of few values the last says nothing and is left out.
  static let percentiles: [(name: String, value: Double)] = [("p50", 50), ("p99", 99), ("p99.9", 99.9)]

  /// A row for each percentile beside the reference's.
  func rows(
    _ benchmark: String, _ series: String, size: Int, beside reference: Latencies, comparedWith: String,
    targets: [String: Double] = [:], limits: [String: Double] = [:]
  ) -> [Row] {
    Self.percentiles.filter { $0.value < 99.5 || histogram.totalCount >= 1000 }.map { name, percentile in
      Row(
        benchmark: benchmark, series: "\(series), \(name)", size: size, cost: microseconds(percentile),
        reference: reference.microseconds(percentile), unit: "µs", comparedWith: comparedWith,
        target: targets[name], limit: limits[name])
    }
  }
}

/// Rows of numbers that a reference in C fills.
func measured(_ count: Int, _ body: (UnsafeMutablePointer<Int64>) -> Int64) throws -> [Int64] {
  try [Int64](unsafeUninitializedCapacity: count) { buffer, filled in
    guard let base = buffer.baseAddress else { return }
    filled = Int(body(base))
    guard filled > 0 else { throw BenchFailure("the reference does not answer") }
  }
}

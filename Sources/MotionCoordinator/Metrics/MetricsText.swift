import MotionModel

/// The text that Prometheus reads, format 0.0.4: families of samples, each with its help and its type.
///
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>, and for names
/// <https://prometheus.io/docs/practices/naming/>: base units, `_total` for counters, which only grow.
struct MetricsText {
  /// The kind of a family.
  enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// Begins a family.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample to the family that was begun last.
  mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
    }
    text += " \(Self.number(value))\n"
  }

  /// Adds a family of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help)
    sample(name, [:], value)
  }

  /// Adds a histogram of durations, in seconds, with these upper bounds.
  ///
  /// Its buckets are exact to the 3 % of `histogram`, and never count too much: a duration that may have been longer
  /// than a bound is counted under the next.
  mutating func add(_ name: String, _ help: String, _ histogram: TimeHistogram, bounds: [Int64]) {
    family(name, .histogram, help)
    for bound in bounds {
      let count = histogram.count(notLongerThan: bound)
      sample("\(name)_bucket", ["le": Self.number(Double(bound) * 1e-9)], Double(count))
    }
    sample("\(name)_bucket", ["le": "+Inf"], Double(histogram.count))
    sample("\(name)_sum", [:], histogram.sumInSeconds)
    sample("\(name)_count", [:], Double(histogram.count))
  }

  /// The shortest exact form of a number: whole ones without a point up to 2⁵³.
  private static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return "\(whole)" }
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    return "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool = false) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

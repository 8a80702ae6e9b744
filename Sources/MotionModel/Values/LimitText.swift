extension LimitSetting: CustomStringConvertible {
  /// The limits in the form of the command line: `range=-1..1 velocity=2`, or `none`.
  public var description: String {
    guard case .limits(let limits) = self else { return "none" }
    var words: [String] = []
    if let range = limits.range {
      let lanes = max(range.lower.count, range.upper.count)
      let parts = (0..<lanes).map { lane in
        "\(JSONText.number(range.lower.applying(to: lane)))..\(JSONText.number(range.upper.applying(to: lane)))"
      }
      words.append("range=" + parts.joined(separator: ","))
    }
    let rest = [("velocity", limits.velocity), ("acceleration", limits.acceleration), ("jerk", limits.jerk)]
    for (name, lanes) in rest {
      guard let lanes else { continue }
      words.append("\(name)=" + lanes.array.map(JSONText.number).joined(separator: ","))
    }
    if let rule = limits.onLost { words.append("onLost=\"\(rule)\"") }
    return words.isEmpty ? "natural range" : words.joined(separator: " ")
  }
}

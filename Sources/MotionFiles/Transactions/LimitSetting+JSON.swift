import MotionModel

extension FileReader {
  /// Returns the limits that a value states; `nil` if it is wrong, which is reported.
  mutating func limits(_ value: JSONValue) -> LimitSetting? {
    if case .string(let text) = value.content {
      if text == "none" { return LimitSetting.none }
      report(
        "\(JSONText.string(String(text.prefix(64)))) is no limit", "Use \"none\" or an object.", field: "limit",
        at: value.offset)
      return nil
    }
    guard
      let members = members(of: value, known: ["range", "velocity", "acceleration", "jerk", "onLost"], required: [])
    else { return nil }
    let before = errors.count
    let limits = PropertyLimits(
      range: range(members["range"]), velocity: lanes(members["velocity"], field: "velocity"),
      acceleration: lanes(members["acceleration"], field: "acceleration"), jerk: lanes(members["jerk"], field: "jerk"),
      onLost: rule(members["onLost"]))
    guard errors.count == before else { return nil }
    do {
      try limits.check()
      return .limits(limits)
    } catch {
      let place = error.field.flatMap { members[$0] } ?? value
      report(error.message, error.remedy, field: error.field, at: place.offset)
      return nil
    }
  }

  /// A number for all lanes, or a list with one for each.
  private mutating func lanes(_ value: JSONValue?, field: String) -> Lanes? {
    guard let value else { return nil }
    if let lanes = Self.lanes(value) { return lanes }
    report(
      "\(value.inWords) is no limit", "Use a number, or a list of one for each lane: 1 to 4.", field: field,
      at: value.offset)
    return nil
  }

  /// What happens when the worker that moves the property is lost, as text.
  private mutating func rule(_ value: JSONValue?) -> LossRule? {
    guard let value else { return nil }
    guard case .string(let text) = value.content else {
      report(
        "\(value.inWords) is no rule for the loss of a worker", "Use \"hold\", \"rest 0\" or \"ramp 0 in 2s\".",
        field: "onLost", at: value.offset)
      return nil
    }
    do {
      return try LossRule(text)
    } catch {
      report(error.message, error.remedy, field: "onLost", at: value.offset)
      return nil
    }
  }

  private static func lanes(_ value: JSONValue) -> Lanes? {
    switch value.content {
    case .number(let number): return Lanes(number)
    case .array(let elements):
      let numbers = elements.prefix(Limits.lanes + 1).compactMap { element in
        if case .number(let number) = element.content { number } else { nil }
      }
      return numbers.count == elements.count ? Lanes(numbers) : nil
    default: return nil
    }
  }

  /// Two bounds for all lanes, or a list with two bounds for each.
  private mutating func range(_ value: JSONValue?) -> PropertyLimits.Range? {
    guard let value else { return nil }
    if case .array(let elements) = value.content {
      if let bounds = Self.lanes(value), bounds.count == 2 {
        return PropertyLimits.Range(Lanes(bounds[0]), Lanes(bounds[1]))
      }
      let pairs = elements.prefix(Limits.lanes + 1).compactMap(Self.lanes).filter { $0.count == 2 }
      if pairs.count == elements.count, let lower = Lanes(pairs.map { $0[0] }), let upper = Lanes(pairs.map { $0[1] }) {
        return PropertyLimits.Range(lower, upper)
      }
    }
    report(
      "\(value.inWords) is no range", "Use two numbers, such as [-1, 1], or a list of two numbers for each lane.",
      field: "range", at: value.offset)
    return nil
  }
}

extension LimitSetting {
  /// The limits in the form of a file.
  var layout: JSONLayout {
    guard case .limits(let limits) = self else { return .text("none") }
    var members: [(key: String, value: JSONLayout)] = []
    if let range = limits.range { members.append((key: "range", value: range.layout)) }
    for (name, lanes) in [
      ("velocity", limits.velocity), ("acceleration", limits.acceleration), ("jerk", limits.jerk),
    ] {
      if let lanes { members.append((key: name, value: lanes.layout)) }
    }
    if let rule = limits.onLost { members.append((key: "onLost", value: .text(rule.description))) }
    return .object(members)
  }
}

extension Lanes {
  fileprivate var layout: JSONLayout { count == 1 ? .number(self[0]) : .array(array.map(JSONLayout.number)) }
}

extension PropertyLimits.Range {
  fileprivate var layout: JSONLayout {
    let lanes = max(lower.count, upper.count)
    let pairs = (0..<lanes).map { lane in
      JSONLayout.array([.number(lower[lower.count == 1 ? 0 : lane]), .number(upper[upper.count == 1 ? 0 : lane])])
    }
    return lanes == 1 ? pairs[0] : .array(pairs)
  }
}
